/** `cat.aliases`: aliases and their indices. */
import { indicesOptions, type AliasMetadata } from "@orrery/cluster-state";
import { passBlocks } from "../../indices/blocks.ts";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { selectAliases } from "../../indices/get-aliases.ts";
import type { Operation } from "../../operation.ts";
import { flag, indexTargets, splitList } from "../../parameters.ts";
import { targetsOf } from "../../state-reading.ts";

interface Row {
  readonly name: string;
  readonly index: string;
  readonly alias: AliasMetadata;
}

const query = { local: flag(false), expand_wildcards: indexTargets.expand_wildcards };

export const catAliases: Operation = defineCat<typeof query, Row>({
  group: "cat.aliases",
  permission: "indices:admin/aliases/get",
  routes: ["GET /_cat/aliases", "GET /_cat/aliases/{name}"],
  query,
  deviations: [],
  columns: [
    column("alias", ({ name }) => name, { aliases: "a", description: "alias name" }),
    column("index", ({ index }) => index, {
      aliases: "i,idx",
      description: "index alias points to",
    }),
    column("filter", ({ alias }) => (alias.filter === undefined ? "-" : "*"), {
      aliases: "f,fi",
      description: "filter",
    }),
    column("routing.index", ({ alias }) => alias.indexRouting ?? "-", {
      aliases: "ri,routingIndex",
      description: "index routing",
    }),
    column("routing.search", ({ alias }) => alias.searchRouting ?? "-", {
      aliases: "rs,routingSearch",
      description: "search routing",
    }),
    column(
      "is_write_index",
      ({ alias }) => (alias.isWriteIndex === undefined ? "-" : alias.isWriteIndex),
      {
        aliases: "w,isWriteIndex",
        description: "write index",
      },
    ),
  ],

  async rows(call, cluster) {
    const given = call.query;
    const state = given.local ? cluster.state() : await cluster.managerState(30_000);
    const names = call.path["name"] === undefined ? [] : splitList(call.path["name"]);
    const nowMs = cluster.clock.nowMs();
    const targets = targetsOf(state, [], indicesOptions.strictExpandHidden, {
      query: given,
      nowMs,
    });
    passBlocks(
      state,
      "metadata_read",
      targets.map(({ name }) => name),
    );
    return targets.flatMap(({ name: index, metadata }) =>
      selectAliases(metadata, names).map((name) => ({
        name,
        index,
        alias: metadata.aliases.get(name) ?? {},
      })),
    );
  },
});
