/** Action that changes cluster settings for allocation: which copies may be allocated, and how many at a time. */
import type { JsonObject } from "@orrery/stdx";
import { attempt, until, type ActionRow } from "./action.ts";

type Value = string | number | boolean | null;

const choices: readonly (readonly [name: string, values: readonly Value[]])[] = [
  ["cluster.routing.allocation.enable", ["none", "primaries", "new_primaries", "all", null]],
  ["cluster.routing.rebalance.enable", ["none", "replicas", "all", null]],
  ["cluster.routing.allocation.node_concurrent_recoveries", [1, 4, null]],
  ["cluster.max_shards_per_node", [900, 901, null]],
  ["indices.recovery.max_bytes_per_sec", ["1kb", "40mb", null]],
];

const unset: JsonObject = Object.fromEntries(choices.map(([name]) => [name, null]));

export const clusterSettings: ActionRow = {
  areas: ["administration", "membership", "replication"],
  draw: (scene) => {
    const [name, values] = scene.random.pick(choices);
    const level = scene.chance(700) ? "persistent" : "transient";
    const body = { [level]: { [name]: scene.random.pick(values) } };
    return [attempt("PUT /_cluster/settings", { body, cluster: scene.cluster().name })];
  },
  undo: ({ clusters }) =>
    clusters.map(({ name: cluster }) =>
      until("PUT /_cluster/settings", [200], {
        cluster,
        body: { persistent: unset, transient: unset },
      }),
    ),
};
