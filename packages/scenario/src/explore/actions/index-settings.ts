/** Action that changes dynamic settings of an index. */
import type { JsonObject } from "@orrery/stdx";
import { at, attempt, until, type ActionRow } from "./action.ts";

const values: readonly JsonObject[] = [
  { "index.refresh_interval": "-1" },
  { "index.refresh_interval": "100ms" },
  { "index.translog.flush_threshold_size": "1kb" },
  { "index.translog.flush_threshold_size": "512mb" },
  { "index.blocks.write": true },
  { "index.blocks.write": false },
  { "index.unassigned.node_left.delayed_timeout": "0s" },
  { "index.unassigned.node_left.delayed_timeout": "10s" },
  { "index.soft_deletes.retention_lease.period": "1s" },
];

export const indexSettings: ActionRow = {
  areas: ["administration", "replication", "leases"],
  draw: (scene) => {
    const index = scene.index();
    return [attempt(`PUT /${index.name}/_settings`, at(index, scene.random.pick(values)))];
  },
  undo: ({ indices }) =>
    indices.map((index) =>
      until(`PUT /${index.name}/_settings`, [200], at(index, { "index.blocks.write": null })),
    ),
};
