/** `cat.segments`: the segments of every copy. */
import { checkBlock, indicesOptions } from "@orrery/cluster-state";
import { fail, isJsonObject, type JsonObject } from "@orrery/stdx";
import { column, sizeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { nodeById } from "../../nodes/identity.ts";
import type { Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { expressionsOf } from "../../state-reading.ts";
import { numberOf } from "../../stats/recovery.ts";

interface Row {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly ip: string;
  readonly nodeId: string;
  readonly name: string;
  readonly segment: JsonObject;
}

const right = { isRight: true };

export const catSegments: Operation = defineCat<typeof managerTimeout, Row>({
  group: "cat.segments",
  routes: ["GET /_cat/segments", "GET /_cat/segments/{index}"],
  query: managerTimeout,
  deviations: [],
  columns: [
    column("index", ({ index }) => index, { aliases: "i,idx", description: "index name" }),
    column("shard", ({ shard }) => shard, { aliases: "s,sh", description: "shard name" }),
    column("prirep", ({ primary }) => (primary ? "p" : "r"), {
      aliases: "p,pr,primaryOrReplica",
      description: "primary or replica",
    }),
    column("ip", ({ ip }) => ip, { description: "ip of node where it lives" }),
    column("id", ({ nodeId }) => nodeId, {
      description: "unique id of node where it lives",
      isDefault: false,
    }),
    column("segment", ({ name }) => name, { aliases: "seg", description: "segment name" }),
    column("generation", ({ segment }) => numberOf(segment["generation"]), {
      ...right,
      aliases: "g,gen",
      description: "segment generation",
    }),
    column("docs.count", ({ segment }) => numberOf(segment["num_docs"]), {
      ...right,
      aliases: "dc,docsCount",
      description: "number of docs in segment",
    }),
    column("docs.deleted", ({ segment }) => numberOf(segment["deleted_docs"]), {
      ...right,
      aliases: "dd,docsDeleted",
      description: "number of deleted docs in segment",
    }),
    column("size", ({ segment }) => sizeCell(numberOf(segment["size_in_bytes"])), {
      ...right,
      aliases: "si",
      description: "segment size in bytes",
    }),
    column("size.memory", ({ segment }) => numberOf(segment["memory_in_bytes"]), {
      ...right,
      aliases: "sm,sizeMemory",
      description: "segment memory in bytes",
    }),
    column("committed", ({ segment }) => segment["committed"] === true, {
      aliases: "ic,isCommitted",
      description: "is segment committed",
    }),
    column("searchable", ({ segment }) => segment["search"] === true, {
      aliases: "is,isSearchable",
      description: "is segment searched",
    }),
    column("version", ({ segment }) => String(segment["version"] ?? ""), {
      aliases: "v,ver",
      description: "version",
    }),
    column("compound", ({ segment }) => segment["compound"] === true, {
      aliases: "ico,isCompound",
      description: "is segment compound",
    }),
  ],

  async rows({ path }, cluster) {
    const state = cluster.state();
    const blocked = checkBlock(state, "metadata_read");
    if (blocked !== undefined) fail(blocked);
    const { answers } = await cluster.shardSegments({
      indices: expressionsOf(path["index"]),
      indicesOptions: indicesOptions.strictExpandOpenAndForbidClosed,
    });
    return answers.flatMap((copy) => {
      const segments = copy.body["segments"];
      const ip = nodeById(state, copy.nodeId)?.hostAddress ?? "";
      return Object.entries(isJsonObject(segments) ? segments : {}).map(([name, segment]) => ({
        index: copy.index,
        shard: copy.shard,
        primary: copy.primary,
        ip,
        nodeId: copy.nodeId,
        name,
        segment: isJsonObject(segment) ? segment : {},
      }));
    });
  },
});
