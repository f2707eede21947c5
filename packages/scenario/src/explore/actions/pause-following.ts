/** Action that pauses and resumes an index that follows one of another cluster. */
import { attempt, until, wait, type ActionRow } from "./action.ts";

const path = (index: string, what: string): string =>
  `POST /_plugins/_replication/${index}/${what}`;

export const pauseFollowing: ActionRow = {
  areas: ["leases"],
  fits: ({ clusters }) => clusters.length > 1,
  draw: (scene) => {
    const [, second] = scene.clusters;
    if (second === undefined) return [];
    const ask = { cluster: second.name, body: {} };
    const { name } = scene.index();
    return [
      attempt(path(name, "_pause"), ask),
      wait(scene.ms(10, 3000)),
      attempt(path(name, "_resume"), ask),
    ];
  },
  // An index whose retention lease expired meanwhile stays paused.
  undo: ({ clusters, indices }) =>
    clusters
      .slice(1)
      .flatMap(({ name: cluster }) =>
        indices.map(({ name }) =>
          until(path(name, "_resume"), [200, 400, 404], { cluster, body: {} }),
        ),
      ),
};
