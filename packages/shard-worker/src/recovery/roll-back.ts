/**
 * Rolls a copy back to a checkpoint: its safe commit is opened again and the translog replayed up to the checkpoint.
 * Later operations leave memory and files; they stay in the translog (`kept`) or are discarded. Source:
 * `IndexShard.resetEngineToGlobalCheckpoint`.
 */
import { flush } from "../engine/flush.ts";
import { openEngine, replay } from "../engine/open.ts";
import { closeBatch } from "../engine/operations.ts";
import { refresh } from "../engine/refresh.ts";
import { closeEngine, engineProblem, guardedAsync } from "../engine/failure.ts";
import type { EngineState } from "../engine/types.ts";
import type { Commit } from "../store/commit.ts";
import { OperationError, type Problem } from "@orrery/stdx";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { engineOptions } from "../copy/engine-options.ts";
import { parserOf } from "../write/apply.ts";

/**
 * Rolls back to `checkpoint`. The caller has blocked all permits, so no operation is under way.
 *
 * 1. Make everything durable, and wait for a flush under way: the translog is read from the disk below.
 * 2. Choose commits without operations above the checkpoint. A newer commit has the rolled-back operations in its
 *    segments.
 * 3. Close the engine before another one opens the same files.
 * 4. Open the new engine and replay.
 *
 * `rest` says what becomes of later operations. `kept`: a primary that fails before its resync reached this copy
 * leaves it with perhaps the only copy of acknowledged operations (INV-REPL-9). `discarded`: they will come again
 * under the same numbers. A copy that cannot be rolled back fails.
 */
export async function rollBack(
  copy: ShardCopy,
  checkpoint: number,
  rest: "kept" | "discarded",
): Promise<void> {
  const before = engineOf(copy);
  await guardedAsync(before, async () => {
    closeBatch(before);
    await before.flushing;
    await before.translog.sync();
  });
  // The copy may have been closed during the sync.
  engineOf(copy);
  const commits = before.commits.filter(({ maxSeqNo }) => maxSeqNo <= checkpoint);
  closeEngine(before);
  try {
    await reopen(copy, before, { commits, checkpoint, isKept: rest === "kept" });
  } catch (error) {
    const problem = engineProblem(error);
    copy.fail("failed to reset the engine to the global checkpoint", problem);
    throw new OperationError(problem);
  }
}

async function reopen(
  copy: ShardCopy,
  before: EngineState,
  {
    commits,
    checkpoint,
    isKept,
  }: {
    readonly commits: readonly Commit[];
    readonly checkpoint: number;
    readonly isKept: boolean;
  },
): Promise<void> {
  if (commits.length === 0) throw new OperationError(noCommit(checkpoint));
  const { primaryTerm, counters } = copy;
  const { nextSegment, maxUnsafeAutoIdMs, maxSeqNoOfUpdates } = before;
  const request = { primaryTerm, counters, nextSegment, upTo: checkpoint };
  const { engine, toReplay, rolledBack } = openEngine(engineOptions(copy), request, commits);
  // Both only grow: a lower value would let an operation be appended without the look-up that it needs.
  engine.maxUnsafeAutoIdMs = maxUnsafeAutoIdMs;
  engine.maxSeqNoOfUpdates = Math.max(maxSeqNoOfUpdates, engine.maxSeqNoOfUpdates);
  if (isKept) engine.rolledBack = rolledBack;
  copy.engine = engine;
  replay(engine, toReplay, parserOf(copy));
  // A disk that lied has lost operations below the checkpoint, which no resync sends again: a recovery has to.
  const expected = Math.min(checkpoint, before.tracker.processedCheckpoint);
  const { processedCheckpoint } = engine.tracker;
  if (processedCheckpoint < expected)
    throw new OperationError(lostOperations(processedCheckpoint, expected));
  // Searches saw the documents that were replayed; without the refresh they would vanish until the next one.
  refresh(engine, "external");
  // Newer commits hold the rolled-back operations: a restart must find this commit as the newest.
  await flush(engine, { force: true, waitIfOngoing: true });
}

function lostOperations(found: number, expected: number): Problem {
  const reason = `the store ends at operation [${found}], although the copy had processed all up to [${expected}]`;
  return { type: "translog_corrupted_exception", reason, status: 500 };
}

function noCommit(checkpoint: number): Problem {
  const reason = `no commit at or below the global checkpoint [${checkpoint}]`;
  return { type: "illegal_state_exception", reason, status: 500 };
}
