/** Action that closes an index and opens it later. */
import { at, attempt, until, wait, type ActionRow } from "./action.ts";

export const close: ActionRow = {
  areas: ["administration", "snapshots", "replication"],
  draw: (scene) => {
    const index = scene.index();
    return [
      attempt(`POST /${index.name}/_close`, at(index)),
      wait(scene.ms(10, 2000)),
      attempt(`POST /${index.name}/_open`, at(index)),
    ];
  },
  undo: ({ indices }) =>
    // A shard may have no good copy; `shardReplacements` replaces it later.
    indices.map((index) =>
      until(`POST /${index.name}/_open?wait_for_active_shards=0`, [200], at(index)),
    ),
};
