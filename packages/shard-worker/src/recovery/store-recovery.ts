/**
 * Recovery of a primary from its own disk (`StoreRecovery`): empty, or from the files of an earlier copy; and the end
 * of recoveries whose files came from elsewhere.
 */
import { createReplicationTracker, learnGlobalCheckpoint, noLeases } from "@orrery/replication";
import { greatest, newUuid, OperationError } from "@orrery/stdx";
import { activateAsPrimary } from "../copy/primary-mode.ts";
import { engineOptions } from "../copy/engine-options.ts";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { flush } from "../engine/flush.ts";
import {
  createEmptyEngine,
  openEngine,
  openRecoveredEngine,
  readCommits,
  replaySteps,
} from "../engine/open.ts";
import type { EngineState } from "../engine/types.ts";
import { inTurns } from "@orrery/ports";
import { newestLeases } from "../store/lease-file.ts";
import { readCorruptionMarker } from "../store/read-stores.ts";
import { CorruptStoreError } from "../store/corruption.ts";
import { readShardState, writeShardState } from "../store/shard-state.ts";
import { parserOf } from "../write/apply.ts";
import { closeGaps } from "./close-gaps.ts";
import { cancelled } from "./problems.ts";
import { noteFiles } from "./progress.ts";
import { filesOf, listCommits, removeUnneeded, writeCommit, type Commit } from "../store/commit.ts";
import { enterStage } from "./stages.ts";

/**
 * Starts a primary without history; everything in its folders is removed.
 *
 * The state file is removed first and written last. A crash in between leaves files that no allocation id claims.
 */
export async function recoverEmpty(copy: ShardCopy): Promise<void> {
  const { disk } = copy.worker;
  enterStage(copy, "INDEX");
  disk.remove(copy.paths.state);
  const request = { primaryTerm: copy.primaryTerm, counters: copy.counters };
  const engine = createEmptyEngine(engineOptions(copy), request);
  copy.opening = engine;
  copy.leases = noLeases;
  copy.tracker = createReplicationTracker(copy.allocationId, -1);
  enterStage(copy, "VERIFY_INDEX");
  enterStage(copy, "TRANSLOG");
  copy.recovery.operationsTotal = 0;
  copy.recovery.operationsTotalOnStart = 0;
  await flush(engine, { force: true, waitIfOngoing: true, isInternal: true });
  await saveShardState(copy);
  enterStage(copy, "FINALIZE");
  startAsPrimary(copy, engine);
}

/**
 * Starts a primary from its last commit and its whole translog, as the copy with this allocation id: it was in-sync,
 * so everything that was acknowledged is here, and operations above the global checkpoint become the history.
 *
 * 1. Reject files that are marked as damaged, or were written under another allocation id. `newHistory` skips the
 *    second check: a client has forced an allocation of stale files, and they begin a new history, so that no copy of
 *    the old one recovers by operations.
 * 2. Open the newest commit and replay the translog, in turns: a long replay must not stop the worker's other copies.
 * 3. Fill gaps (`closeGaps`).
 * 4. Make all durable and commit before the state file and the activation: the copy acknowledges nothing that it
 *    could lose.
 */
export async function recoverExisting(
  copy: ShardCopy,
  { newHistory }: { readonly newHistory: boolean },
): Promise<void> {
  const { disk } = copy.worker;
  enterStage(copy, "INDEX");
  checkMarker(copy);
  if (!newHistory) checkAllocation(copy);
  const commits = readCommits(disk, copy.paths);
  const newest = commits.at(-1);
  if (newest !== undefined) noteFiles(copy.recovery, filesOf(newest), true);
  const request = { primaryTerm: copy.primaryTerm, counters: copy.counters };
  const opened = openEngine(engineOptions(copy), request, commits);
  copy.opening = opened.engine;
  const { toReplay, globalCheckpoint } = opened;
  const logDamage = (damage: string): void =>
    copy.worker.log("warn", `${shardName(copy)} ${damage}`);
  opened.damage.forEach(logDamage);
  copy.leases = newestLeases(disk, copy.paths.state, newest?.leases ?? noLeases, logDamage);
  copy.tracker = learnGlobalCheckpoint(
    createReplicationTracker(copy.allocationId, -1),
    globalCheckpoint,
  );
  enterStage(copy, "VERIFY_INDEX");
  enterStage(copy, "TRANSLOG");
  const { recovery } = copy;
  recovery.operationsTotal = toReplay.length;
  recovery.operationsTotalOnStart = toReplay.length;
  const replaying = inTurns(copy.worker.clock, (isTurnOver) =>
    replaySteps(opened.engine, toReplay, { parse: parserOf(copy), isTurnOver }),
  );
  recovery.operationsRecovered = typeof replaying === "number" ? replaying : await replaying;
  checkOpen(copy);
  const engine = await closeGaps(copy, opened.engine);
  // The replay rests between turns, and the copy may be closed meanwhile.
  checkOpen(copy);
  if (newHistory) engine.historyUuid = newUuid(copy.worker.random);
  await engine.translog.sync();
  checkOpen(copy);
  if (newHistory || toReplay.length > 0)
    await flush(engine, { force: true, waitIfOngoing: true, isInternal: true });
  await saveShardState(copy);
  enterStage(copy, "FINALIZE");
  startAsPrimary(copy, engine);
}

/**
 * Starts a primary on files that came from a shard of another cluster, under a history uuid of its own;
 * `copiedHistoryUuid` remembers the other. The caller enters FINALIZE when its own work is done.
 */
export async function startWithHistoryOf(copy: ShardCopy, sent: Commit): Promise<void> {
  const { disk } = copy.worker;
  const generation = Math.max(sent.generation, greatest(listCommits(disk, copy.paths.index))) + 1;
  const commit: Commit = {
    ...sent,
    generation,
    translogUuid: newUuid(copy.worker.random),
    translogGeneration: 1,
    historyUuid: newUuid(copy.worker.random),
    copiedHistoryUuid: sent.historyUuid,
    leases: noLeases,
  };
  copy.leases = noLeases;
  copy.tracker = learnGlobalCheckpoint(
    createReplicationTracker(copy.allocationId, -1),
    commit.localCheckpoint,
  );
  const request = { primaryTerm: copy.primaryTerm, counters: copy.counters };
  const engine = openRecoveredEngine(engineOptions(copy), request, commit);
  copy.opening = engine;
  // The translog before the commit that names it: a commit without its translog cannot be opened.
  await engine.translog.sync();
  await installCommit(copy, commit);
  await saveShardState(copy);
  startAsPrimary(copy, engine);
}

/** Makes a commit the only one of the folder. The commit is durable before the files of other commits are removed. */
export async function installCommit(copy: ShardCopy, commit: Commit): Promise<void> {
  const { worker, paths } = copy;
  checkOpen(copy);
  await writeCommit(worker.disk, paths.index, commit, () => copy.state === "CLOSED");
  checkOpen(copy);
  removeUnneeded(worker.disk, paths.index, [commit]);
}

/**
 * Checks that the copy is not closed. A recovery that was cancelled must write no more, because another copy may own
 * the folder.
 * @throws OperationError The copy is closed.
 */
export function checkOpen(copy: ShardCopy): void {
  if (copy.state !== "CLOSED") return;
  throw new OperationError(cancelled(copy.closedBecause ?? "shard closed"));
}

/** Puts the opened engine into use and activates the copy as primary. From here on other copies can recover from it. */
export function startAsPrimary(copy: ShardCopy, engine: EngineState): void {
  copy.opening = undefined;
  copy.engine = engine;
  activateAsPrimary(copy, false);
}

/** Writes durably which allocation id owns the files of the folder. */
export async function saveShardState(copy: ShardCopy): Promise<void> {
  checkOpen(copy);
  const { indexUuid, allocationId, routing } = copy;
  const state = { indexUuid, allocationId, primary: routing.primary };
  await writeShardState(copy.worker.disk, copy.paths.state, state, () => copy.state === "CLOSED");
  checkOpen(copy);
}

/**
 * Rejects files that another allocation has written: the in-sync set names this copy, and a recovery that failed may
 * have replaced its files.
 */
function checkAllocation(copy: ShardCopy): void {
  const { allocationId = "none" } = readShardState(copy.worker.disk, copy.paths.state) ?? {};
  if (allocationId === copy.allocationId) return;
  const reason = `shard has allocation id [${allocationId}] on disk, expected [${copy.allocationId}]`;
  throw new OperationError({ type: "index_shard_recovery_exception", reason, status: 500 });
}

/** Rejects files that were marked as damaged when an earlier copy failed. */
function checkMarker(copy: ShardCopy): void {
  const problem = readCorruptionMarker(copy.worker.disk, copy.paths.state);
  if (problem === undefined) return;
  throw new CorruptStoreError(
    "corrupt_index_exception",
    problem.reason ?? "the store is marked as corrupted",
  );
}
