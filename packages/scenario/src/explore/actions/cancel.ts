/** Action that cancels the recovery of a copy, or the allocation of a primary. */
import { at, attempt, type ActionRow } from "./action.ts";

export const cancel: ActionRow = {
  areas: ["replication", "administration"],
  draw: (scene) => {
    const index = scene.index();
    const shard = scene.shardOf(index);
    const command = {
      index: index.name,
      shard,
      node: scene.nodeOf(index),
      allow_primary: scene.chance(300),
    };
    return [attempt("POST /_cluster/reroute", at(index, { commands: [{ cancel: command }] }))];
  },
};
