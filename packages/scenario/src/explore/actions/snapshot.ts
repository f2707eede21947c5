/** Makes, clones and deletes snapshots, and cleans their repository up. */
import { attempt, until, type ActionRow } from "./action.ts";

export const REPOSITORY = "safe";

export const snapshot: ActionRow = {
  areas: ["snapshots"],
  draw: (scene) => {
    if (!scene.hasRepository()) return undefined;
    const name = `s${scene.random.int(1, 4)}`;
    const waits = scene.chance(500) ? "?wait_for_completion=true" : "";
    const create = { body: { indices: "*", partial: scene.chance(300) } };
    const requests = [
      () => attempt(`PUT /_snapshot/${REPOSITORY}/${name}${waits}`, create),
      () => attempt(`PUT /_snapshot/${REPOSITORY}/${name}${waits}`, create),
      () => attempt(`DELETE /_snapshot/${REPOSITORY}/${name}`),
      () =>
        attempt(`PUT /_snapshot/${REPOSITORY}/${name}/_clone/c-${name}`, {
          body: { indices: "*" },
        }),
      () => attempt(`POST /_snapshot/${REPOSITORY}/_cleanup`),
      () => attempt(`GET /_snapshot/${REPOSITORY}/_status`),
      () => attempt(`POST /_snapshot/${REPOSITORY}/_verify`),
    ];
    return Array.from({ length: scene.random.int(1, 3) }, () => scene.random.pick(requests)());
  },
  // What is judged in the end.
  undo: () => [until(`PUT /_snapshot/${REPOSITORY}/last?wait_for_completion=true`, [200, 400])],
};
