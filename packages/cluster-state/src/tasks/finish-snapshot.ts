/** A snapshot is in the repository, or will not be: its entry goes, in the same step as the new generation comes into force. */
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
  /** Without: nothing of it will be in the repository. */
  readonly written?: WrittenGeneration;
}

export interface WrittenGeneration {
  readonly repository: string;
  /** The one in force before, as the proposer knows it. */
  readonly expected: number;
  readonly generation: number;
}

/** Rejects when what was written is not in force afterwards: whoever wrote it may not remove what it replaces. */
export function finishSnapshot(state: ClusterState, { uuid, written }: FinishSnapshot): Outcome {
  const entries = snapshotsOf(state);
  const entry = entries.find((other) => other.uuid === uuid);
  if (entry === undefined) {
    // Somebody else ended it, or this is said a second time.
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

/** The generation that was written is in force now; `undefined` when another one came between. */
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
