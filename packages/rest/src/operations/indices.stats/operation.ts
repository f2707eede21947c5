/** `indices.stats`: counters of indices, summed over primaries and over all copies. */
import { indicesOptions } from "@orrery/cluster-state";
import type { ShardAnswers } from "@orrery/node";
import { illegalArgument, isJsonObject, lookup, type JsonObject } from "@orrery/stdx";
import { broadcastRequest } from "../../broadcast.ts";
import { shardCounts } from "../../documents/write-answer.ts";
import type { Printable, PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, list, onDemand, text } from "../../parameters.ts";
import { humanized } from "../../stats/human.ts";
import { checkedMetrics, indexMetrics, sectionsOf } from "../../stats/metrics.ts";
import { sumSections } from "../../stats/sum.ts";
import type { SectionName } from "../../stats/sections.ts";

const LEVELS = new Set(["cluster", "indices", "shards"]);

export const indicesStats: Operation = defineOperation({
  group: "indices.stats",
  permission: "indices:monitor/stats",
  routes: [
    "GET /_stats",
    "GET /_stats/{metric}",
    "GET /{index}/_stats",
    "GET /{index}/_stats/{metric}",
  ],
  query: {
    ...indexTargets,
    completion_fields: onDemand(list()),
    fielddata_fields: onDemand(list()),
    fields: onDemand(list()),
    forbid_closed_indices: flag(true),
    groups: onDemand(list()),
    include_segment_file_sizes: onDemand(flag(false)),
    include_unloaded_segments: flag(false),
    level: text("indices"),
    timeout: onDemand(text()),
  },
  deviations: [
    {
      kind: "parameter",
      name: "allow_no_indices",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "ignore_unavailable",
      reason: "not in the description; the product takes it",
    },
    { kind: "parameter", name: "timeout", reason: "not in the description; the product takes it" },
  ],

  async handle({ path, query, request }, cluster) {
    const metrics = checkedMetrics(path["metric"], { known: indexMetrics, path: request.path });
    if (!LEVELS.has(query.level)) {
      throw illegalArgument(
        `level parameter must be one of [cluster] or [indices] or [shards] but was [${query.level}]`,
      );
    }
    const answers = await cluster.shardStats({
      ...broadcastRequest(
        path["index"],
        query,
        query.forbid_closed_indices ? undefined : indicesOptions.strictExpandOpen,
      ),
      parameters: {
        groups: query.groups,
        fields: query.fields,
        fielddata_fields: query.fielddata_fields,
        completion_fields: query.completion_fields,
        include_segment_file_sizes: query.include_segment_file_sizes,
      },
    });
    const state = cluster.state();
    const uuidOf = (index: string): string | undefined => state.metadata.indices.get(index)?.uuid;
    const body = statsBody(answers, { wanted: sectionsOf(metrics), level: query.level, uuidOf });
    return {
      body: {
        _shards: shardCounts(answers.shards),
        ...(request.isHuman ? (humanized(body) as PrintableObject) : body),
      },
    };
  },
});

interface StatsView {
  readonly wanted: ReadonlySet<SectionName>;
  readonly level: string;
  readonly uuidOf: (index: string) => string | undefined;
}

function statsBody({ answers }: ShardAnswers, view: StatsView): PrintableObject {
  const total = (copies: ShardAnswers["answers"]): PrintableObject => ({
    primaries: sumSections(
      copies.filter(({ primary }) => primary).map(({ body }) => body),
      view.wanted,
    ),
    total: sumSections(
      copies.map(({ body }) => body),
      view.wanted,
    ),
  });
  if (view.level === "cluster") return { _all: total(answers) };
  const names = [...new Set(answers.map(({ index }) => index))].toSorted();
  const indices = names.map((name) => {
    const copies = answers.filter(({ index }) => index === name);
    const shards = view.level === "shards" ? { shards: shardsBody(copies, view.wanted) } : {};
    return [name, { uuid: view.uuidOf(name), ...total(copies), ...shards }];
  });
  return { _all: total(answers), indices: Object.fromEntries(indices) as PrintableObject };
}

function shardsBody(
  copies: ShardAnswers["answers"],
  wanted: ReadonlySet<SectionName>,
): PrintableObject {
  const shards = new Map<string, Printable[]>();
  for (const copy of copies.toSorted(
    (a, b) => a.shard - b.shard || Number(b.primary) - Number(a.primary),
  )) {
    const shard = shards.get(String(copy.shard)) ?? [];
    shards.set(String(copy.shard), shard);
    shard.push(copyBody(copy, wanted));
  }
  return Object.fromEntries(shards);
}

function copyBody(
  copy: ShardAnswers["answers"][number],
  wanted: ReadonlySet<SectionName>,
): PrintableObject {
  return {
    routing: {
      state: copy.state,
      primary: copy.primary,
      node: copy.nodeId,
      relocating_node: copy.relocatingNodeId ?? null,
    },
    ...sumSections([copy.body], wanted),
    ...copyDetails(copy.body),
  };
}

/** Sections of one copy that are not summed: commit, sequence numbers, retention leases, path. */
export function copyDetails(body: JsonObject): PrintableObject {
  const part = (key: string): PrintableObject | undefined => {
    const found = lookup(body, key);
    return isJsonObject(found) ? found : undefined;
  };
  return {
    commit: part("commit"),
    seq_no: part("seq_no"),
    retention_leases: part("retention_leases"),
    shard_path: part("shard_path"),
  };
}
