/**
 * Action that moves a copy between nodes. The location of a copy is unknown when the plan is drawn, so several nodes
 * are tried as its source.
 */
import { at, attempt, type ActionRow } from "./action.ts";

export const move: ActionRow = {
  areas: ["replication", "leases", "administration", "snapshots"],
  draw: (scene) => {
    const index = scene.index();
    const nodes = scene.clusters.find(({ name }) => name === index.cluster)?.nodes ?? [];
    const [to = "", ...from] = scene.random.shuffle(nodes).map(({ name }) => name);
    const shard = scene.shardOf(index);
    return from.map((node) => {
      const command = { index: index.name, shard, from_node: node, to_node: to };
      return attempt("POST /_cluster/reroute", at(index, { commands: [{ move: command }] }));
    });
  },
};
