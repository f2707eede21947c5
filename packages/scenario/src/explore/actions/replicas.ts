/** Action that changes the number of replicas of an index. */
import { at, attempt, until, type ActionRow } from "./action.ts";

export const replicas: ActionRow = {
  areas: ["replication", "administration", "leases", "snapshots"],
  draw: (scene) => {
    const index = scene.index();
    const body = { index: { number_of_replicas: scene.random.int(0, index.replicas + 1) } };
    return [attempt(`PUT /${index.name}/_settings`, at(index, body))];
  },
  undo: ({ indices }) =>
    indices.map((index) =>
      until(
        `PUT /${index.name}/_settings`,
        [200],
        at(index, { index: { number_of_replicas: index.replicas } }),
      ),
    ),
};
