/**
 * Takes a copy back to a checkpoint: its safe commit is opened again and the translog replayed up to there. What came after is gone
 * from memory and files, and held in the translog, or given up. Source: `IndexShard.resetEngineToGlobalCheckpoint`.
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

/** The caller has blocked all permits. A copy that cannot be taken back fails. */
export async function rollBack(
  copy: ShardCopy,
  checkpoint: number,
  rest: "held" | "given up",
): Promise<void> {
  const before = engineOf(copy);
  await guardedAsync(before, async () => {
    closeBatch(before);
    await before.flushing;
    await before.translog.sync();
  });
  engineOf(copy);
  const commits = before.commits.filter(({ maxSeqNo }) => maxSeqNo <= checkpoint);
  closeEngine(before);
  try {
    await reopen(copy, before, { commits, checkpoint, isHeld: rest === "held" });
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
    isHeld,
  }: {
    readonly commits: readonly Commit[];
    readonly checkpoint: number;
    readonly isHeld: boolean;
  },
): Promise<void> {
  if (commits.length === 0) throw new OperationError(noCommit(checkpoint));
  const { primaryTerm, counters } = copy;
  const { nextSegment, maxUnsafeAutoIdMs, maxSeqNoOfUpdates } = before;
  const request = { primaryTerm, counters, nextSegment, upTo: checkpoint };
  const { engine, toReplay, held } = openEngine(engineOptions(copy), request, commits);
  engine.maxUnsafeAutoIdMs = maxUnsafeAutoIdMs;
  engine.maxSeqNoOfUpdates = Math.max(maxSeqNoOfUpdates, engine.maxSeqNoOfUpdates);
  if (isHeld) engine.held = held;
  copy.engine = engine;
  replay(engine, toReplay, parserOf(copy));
  // Searches saw documents that the safe commit has not; they must not vanish until the next refresh.
  refresh(engine, "external");
  // Newer commits have what was dropped: this one takes their place.
  await flush(engine, { force: true, waitIfOngoing: true });
}

function noCommit(checkpoint: number): Problem {
  const reason = `no commit at or below the global checkpoint [${checkpoint}]`;
  return { type: "illegal_state_exception", reason, status: 500 };
}
