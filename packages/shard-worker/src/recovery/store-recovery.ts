/**
 * A copy that starts from its own disk: empty, or with what an earlier copy left there. Source: `StoreRecovery`.
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

/** A new primary without history. */
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

/** A primary that goes on from its last commit and everything its translog holds. */
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
  const tell = (damage: string): void => copy.worker.log("warn", `${shardName(copy)} ${damage}`);
  opened.damage.forEach(tell);
  copy.leases = newestLeases(disk, copy.paths.state, newest?.leases ?? noLeases, tell);
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
 * A primary whose files came from elsewhere: they are what the copy begins with, under a history of its own. The caller
 * enters FINALIZE when it has done what else belongs to it.
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
  await engine.translog.sync();
  await beginWith(copy, commit);
  await saveShardState(copy);
  startAsPrimary(copy, engine);
}

/** What a recovery brought is the only commit of the folder from now on. */
export async function beginWith(copy: ShardCopy, commit: Commit): Promise<void> {
  const { worker, paths } = copy;
  checkOpen(copy);
  await writeCommit(worker.disk, paths.index, commit, () => copy.state === "CLOSED");
  checkOpen(copy);
  removeUnneeded(worker.disk, paths.index, [commit]);
}

/** A recovery that was called off must write nothing any more: another copy may own the folder by now. */
export function checkOpen(copy: ShardCopy): void {
  if (copy.state !== "CLOSED") return;
  throw new OperationError(cancelled(copy.closedBecause ?? "shard closed"));
}

export function startAsPrimary(copy: ShardCopy, engine: EngineState): void {
  copy.opening = undefined;
  copy.engine = engine;
  activateAsPrimary(copy, false);
}

export async function saveShardState(copy: ShardCopy): Promise<void> {
  checkOpen(copy);
  const { indexUuid, allocationId, routing } = copy;
  const state = { indexUuid, allocationId, primary: routing.primary };
  await writeShardState(copy.worker.disk, copy.paths.state, state, () => copy.state === "CLOSED");
  checkOpen(copy);
}

/** The in-sync set names the copy that was here; what another recovery has put in its place is not that copy. */
function checkAllocation(copy: ShardCopy): void {
  const { allocationId = "none" } = readShardState(copy.worker.disk, copy.paths.state) ?? {};
  if (allocationId === copy.allocationId) return;
  const reason = `shard has allocation id [${allocationId}] on disk, expected [${copy.allocationId}]`;
  throw new OperationError({ type: "index_shard_recovery_exception", reason, status: 500 });
}

function checkMarker(copy: ShardCopy): void {
  const problem = readCorruptionMarker(copy.worker.disk, copy.paths.state);
  if (problem === undefined) return;
  throw new CorruptStoreError(
    "corrupt_index_exception",
    problem.reason ?? "the store is marked as corrupted",
  );
}
