/** Action that excludes nodes from the allocation of an index. */
import { at, attempt, until, type ActionRow } from "./action.ts";

const key = "index.routing.allocation.exclude._name";

export const filter: ActionRow = {
  areas: ["replication", "administration", "leases", "snapshots"],
  draw: (scene) => {
    const index = scene.index();
    const nodes = scene.chance(300)
      ? `${scene.nodeOf(index)},${scene.nodeOf(index)}`
      : scene.nodeOf(index);
    return [
      attempt(
        `PUT /${index.name}/_settings`,
        at(index, { [key]: scene.chance(800) ? nodes : null }),
      ),
    ];
  },
  undo: ({ indices }) =>
    indices.map((index) =>
      until(`PUT /${index.name}/_settings`, [200], at(index, { [key]: null })),
    ),
};
