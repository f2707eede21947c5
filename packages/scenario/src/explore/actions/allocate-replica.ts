/** Action that allocates an unassigned replica to a node. */
import { at, attempt, type ActionRow } from "./action.ts";

export const allocateReplica: ActionRow = {
  areas: ["replication", "administration"],
  draw: (scene) => {
    const index = scene.index();
    const command = { index: index.name, shard: scene.shardOf(index), node: scene.nodeOf(index) };
    const body = { commands: [{ allocate_replica: command }] };
    return [attempt("POST /_cluster/reroute", at(index, body))];
  },
};
