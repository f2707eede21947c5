/** Action that creates, clones and deletes snapshots, and cleans up their repository. */
import { attempt, hasRepositories, until, type ActionRow } from "./action.ts";

export const REPOSITORY = "safe";

/** Longest time of a snapshot. */
const WHOLE_MS = 60_000;

export const snapshot: ActionRow = {
  areas: ["snapshots"],
  fits: hasRepositories,
  draw: (scene) => {
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
  // Snapshot for the checker at the end.
  atLast: () => {
    const last = until(`PUT /_snapshot/${REPOSITORY}/last?wait_for_completion=true`, [200, 400]);
    return last.kind === "request"
      ? [{ ...last, step: { ...last.step, timeoutMs: WHOLE_MS } }]
      : [];
  },
};
