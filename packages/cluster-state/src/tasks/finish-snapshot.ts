/** Ends a snapshot: removes its entry, and puts the repository generation that lists it in force, in one version. */
import { advanceSnapshots } from "../snapshots/progress.ts";
import { repositoryChanged } from "../snapshots/problems.ts";
import {
  repositoriesOf,
  snapshotsOf,
  withRepositories,
  withSnapshots,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface FinishSnapshot {
  readonly kind: "finish-snapshot";
  readonly uuid: string;
  /** The written generation; undefined when the snapshot failed. */
  readonly written?: WrittenGeneration;
}

/** A generation of repository data that was written and may be put in force. */
export interface WrittenGeneration {
  readonly repository: string;
  /** The generation in force when the data was written. */
  readonly expected: number;
  readonly generation: number;
}

/**
 * Ends a snapshot. Rejected unless the written generation is in force afterwards, so that the writer removes no blobs
 * of the generation before it.
 */
export function finishSnapshot(state: ClusterState, { uuid, written }: FinishSnapshot): Outcome {
  const entries = snapshotsOf(state);
  const entry = entries.find((other) => other.uuid === uuid);
  if (entry === undefined) {
    // The entry was removed by another task, or by an earlier attempt of this one.
    return written === undefined || isInForce(state, written)
      ? unchanged
      : rejected(repositoryChanged);
  }
  const next = withSnapshots(
    state,
    entries.filter((other) => other !== entry),
  );
  if (written === undefined) return updated(advanceSnapshots(next));
  const generationSet = withGeneration(next, written);
  return generationSet === undefined
    ? rejected(repositoryChanged)
    : updated(advanceSnapshots(generationSet));
}

function isInForce(state: ClusterState, { repository, generation }: WrittenGeneration): boolean {
  return repositoriesOf(state).get(repository)?.generation === generation;
}

/** The state with the written generation in force; undefined when another one came in force since. */
function withGeneration(
  state: ClusterState,
  { repository, expected, generation }: WrittenGeneration,
): ClusterState | undefined {
  const repositories = repositoriesOf(state);
  const before = repositories.get(repository);
  if (before === undefined || before.generation !== expected) return undefined;
  const next = { ...before, generation };
  return withRepositories(state, new Map(repositories).set(repository, next));
}
