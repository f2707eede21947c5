/** Action that forces a stale or an empty copy to be the primary, which may lose data. */
import { at, attempt, wait, type ActionRow } from "./action.ts";

export const forcePrimary: ActionRow = {
  areas: ["replication", "administration"],
  draw: (scene) => {
    const index = scene.index();
    const shard = scene.shardOf(index);
    const kind = scene.chance(700) ? "allocate_stale_primary" : "allocate_empty_primary";
    return [0, 1, 2].flatMap(() => {
      const command = {
        index: index.name,
        shard,
        node: scene.nodeOf(index),
        accept_data_loss: true,
      };
      const body = { commands: [{ [kind]: command }] };
      return [attempt("POST /_cluster/reroute", at(index, body)), wait(scene.ms(50, 1000))];
    });
  },
  casualties: ["copies"],
};
