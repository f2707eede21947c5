/**
 * Starts the recovery that the routing table asks for, and reports its end to the elected cluster manager:
 * `shard-started`, or `shard-failed`.
 */
import { OperationError, unreachable, type Problem } from "@orrery/stdx";
import { setState } from "../copy/create-copy.ts";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { engineProblem, guarded, isCorruption } from "../engine/failure.ts";
import { isRefreshNeeded, refresh } from "../engine/refresh.ts";
import { sendStarted } from "../manager.ts";
import { dropFiles } from "../store/drop-files.ts";
import { recoverFromSnapshot } from "./snapshot-recovery.ts";
import { enterStage, newProgress } from "./stages.ts";
import { recoverEmpty, recoverExisting } from "./store-recovery.ts";
import { discard, recoverFromPeer } from "./target.ts";

/**
 * Starts the recovery of a copy in the background. The copy is then POST_RECOVERY if the recovery succeeds, else failed
 * and closed.
 */
export function startRecovery(copy: ShardCopy): void {
  setState(copy, "RECOVERING");
  void recover(copy)
    .then(() => refreshRecovered(copy))
    .then(
      () => finish(copy),
      (error: unknown) => failRecovery(copy, engineProblem(error)),
    );
}

/**
 * INV-REPL-11: a refresh that ended before this copy received operations did not reach it
 * (`IndexShard.postRecovery`).
 */
function refreshRecovered({ engine }: ShardCopy): void {
  if (engine === undefined || engine.isClosed || !isRefreshNeeded(engine)) return;
  guarded(engine, () => refresh(engine, "external"));
}

/**
 * The recovery source of the routing decides: own files, the primary, a repository. A plugin's repository comes
 * before the core's.
 */
async function recover(copy: ShardCopy): Promise<void> {
  const source = copy.routing.recoverySource ?? { type: "PEER" };
  if (source.type !== "PEER") copy.recovery = newProgress(copy, 0, source.type);
  switch (source.type) {
    case "EMPTY_STORE":
      return recoverEmpty(copy);
    case "EXISTING_STORE":
      return recoverExisting(copy, { newHistory: source.bootstrapNewHistoryUuid });
    case "PEER":
      return recoverFromPeer(copy);
    case "SNAPSHOT": {
      const { restore } =
        copy.worker.plugins.find((plugin) => plugin.restore?.isOwn(source.repository)) ?? {};
      if (restore !== undefined) return restore.recover(copy, source);
      return recoverFromSnapshot(copy, source);
    }
    case "LOCAL_SHARDS":
      throw new OperationError(notHosted(source.type));
    default:
      return unreachable(source);
  }
}

/** The copy serves reads from POST_RECOVERY on; it is STARTED when the routing table says so. */
function finish(copy: ShardCopy): void {
  if (copy.state === "CLOSED") return;
  enterStage(copy, "DONE");
  const { worker, index, shard, recovery } = copy;
  worker.trace({
    kind: "shard-recovered",
    nodeId: worker.nodeId,
    index,
    shard,
    mode: recovery.type,
  });
  setState(copy, "POST_RECOVERY");
  sendStarted(
    copy,
    `after ${recovery.type === "PEER" ? "peer recovery" : recovery.type.toLowerCase()}`,
  );
}

/**
 * Fails the copy. After a peer recovery damaged files are removed: the next attempt gets all of them from the
 * primary.
 */
function failRecovery(copy: ShardCopy, problem: Problem): void {
  if (copy.state === "CLOSED") return;
  if (copy.recovery.type === "PEER") {
    discard(copy);
    if (isCorruption(problem)) dropFiles(copy.worker, copy.paths.root);
  }
  copy.fail(`failed recovery of ${shardName(copy)}`, problem);
}

function notHosted(type: string): Problem {
  const reason = `recovery source [${type}] is not available on this node`;
  return { type: "index_shard_recovery_exception", reason, status: 500 };
}
