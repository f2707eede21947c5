/** Action that refreshes, flushes or force-merges an index, or clears its caches. */
import { at, attempt, type ActionRow } from "./action.ts";

const requests: readonly string[] = [
  "_refresh",
  "_flush",
  "_flush?force=true",
  "_forcemerge?max_num_segments=1",
  "_forcemerge?only_expunge_deletes=true",
  "_cache/clear",
];

export const upkeep: ActionRow = {
  areas: ["administration", "replication", "leases", "snapshots", "dangling"],
  draw: (scene) => {
    const index = scene.index();
    return [attempt(`POST /${index.name}/${scene.random.pick(requests)}`, at(index))];
  },
};
