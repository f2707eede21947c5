/** `indices.recovery`: recoveries of the copies of indices, finished and running. */
import { indicesOptions } from "@orrery/cluster-state";
import { broadcastRequest } from "../../broadcast.ts";
import type { Printable, PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets } from "../../parameters.ts";
import { humanized } from "../../stats/human.ts";
import { isActiveRecovery, recoveryJson } from "../../stats/recovery.ts";

export const indicesRecovery: Operation = defineOperation({
  group: "indices.recovery",
  permission: "indices:monitor/recovery",
  routes: ["GET /_recovery", "GET /{index}/_recovery"],
  query: { ...indexTargets, active_only: flag(false), detailed: flag(false) },
  deviations: [
    {
      kind: "parameter",
      name: "allow_no_indices",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "expand_wildcards",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "ignore_unavailable",
      reason: "not in the description; the product takes it",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const { answers } = await cluster.shardRecoveries({
      ...broadcastRequest(path["index"], query, indicesOptions.strictExpand),
      activeOnly: query.active_only,
    });
    const state = cluster.state();
    const indices = new Map<string, { shards: Printable[] }>();
    const shown = query.active_only ? answers.filter(isActiveRecovery) : answers;
    for (const copy of shown.toSorted((a, b) => a.shard - b.shard)) {
      const index = indices.get(copy.index) ?? { shards: [] };
      indices.set(copy.index, index);
      index.shards.push(recoveryJson(copy, state, query.detailed));
    }
    const sorted = Object.fromEntries([...indices].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { body: request.isHuman ? (humanized(sorted) as PrintableObject) : sorted };
  },
});
