/** `_recovery` of one copy (`RecoveryState.toXContent`). */
import type { Json, JsonObject } from "@orrery/stdx";
import type { ShardCopy } from "../copy/shard-copy.ts";
import type { RecoveryProgress } from "../recovery/progress.ts";

/** The copy's last recovery, running or ended, as `_recovery` shows it. */
export function copyRecovery(copy: ShardCopy): JsonObject {
  const { recovery, worker } = copy;
  const isOver = recovery.stage === "DONE";
  const endMs = isOver ? recovery.stoppedMs : worker.clock.monotonicMs();
  return {
    id: copy.shard,
    type: recovery.type,
    stage: recovery.stage,
    primary: copy.routing.primary,
    start_time_in_millis: recovery.startedAtMs,
    ...(isOver ? { stop_time_in_millis: recovery.stoppedAtMs } : {}),
    total_time_in_millis: Math.round(endMs - recovery.startedMs),
    source: sourceOf(copy),
    target: node(copy, worker.nodeId),
    index: index(recovery),
    translog: {
      recovered: recovery.operationsRecovered,
      total: recovery.operationsTotal,
      percent: percent(recovery.operationsRecovered, recovery.operationsTotal, "100.0%"),
      total_on_start: recovery.operationsTotalOnStart,
      total_time_in_millis: Math.round(recovery.translogMs),
    },
    verify_index: {
      check_index_time_in_millis: 0,
      total_time_in_millis: Math.round(recovery.verifyMs),
    },
  };
}

function sourceOf(copy: ShardCopy): Json {
  const { recovery, snapshotSource } = copy;
  if (recovery.type !== "SNAPSHOT" || snapshotSource === undefined) {
    return node(copy, recovery.sourceNodeId);
  }
  const { repository, snapshot, index: name, snapshotUuid } = snapshotSource;
  return {
    repository,
    snapshot,
    version: "3.8.0",
    index: name,
    restoreUUID: snapshotUuid,
    isSearchableSnapshot: false,
    remoteStoreIndexShallowCopy: false,
    sourceRemoteStoreRepository: null,
    sourceRemoteTranslogRepository: null,
  };
}

function node(copy: ShardCopy, nodeId: string | undefined): Json {
  const found = nodeId === undefined ? undefined : copy.worker.state?.nodes.get(nodeId as never);
  if (found === undefined) return {};
  const { id, hostName, transportAddress, hostAddress, name } = found;
  return { id, host: hostName, transport_address: transportAddress, ip: hostAddress, name };
}

function index(recovery: RecoveryProgress): Json {
  const files = [...recovery.files];
  const reused = files.filter(([, file]) => file.isReused);
  const sent = files.filter(([, file]) => !file.isReused);
  const done = sent.filter(([, file]) => file.recoveredBytes === file.sizeBytes);
  const bytes = (list: typeof files, of: "sizeBytes" | "recoveredBytes"): number =>
    list.reduce((sum, [, file]) => sum + file[of], 0);
  return {
    size: {
      total_in_bytes: bytes(files, "sizeBytes"),
      reused_in_bytes: bytes(reused, "sizeBytes"),
      recovered_in_bytes: bytes(sent, "recoveredBytes"),
      percent: percent(
        bytes(sent, "recoveredBytes"),
        bytes(sent, "sizeBytes"),
        files.length === 0 ? "0.0%" : "100.0%",
      ),
    },
    files: {
      total: files.length,
      reused: reused.length,
      recovered: done.length,
      percent: percent(done.length, sent.length, files.length === 0 ? "0.0%" : "100.0%"),
      details: files.map(([name, file]) => ({
        name,
        length: file.sizeBytes,
        reused: file.isReused,
        recovered: file.isReused ? 0 : file.recoveredBytes,
      })),
    },
    total_time_in_millis: Math.round(recovery.indexMs),
    source_throttle_time_in_millis: Math.round(recovery.sourceThrottleMs),
    target_throttle_time_in_millis: Math.round(recovery.targetThrottleMs),
  };
}

function percent(part: number, whole: number, ofNothing: string): string {
  if (whole <= 0) return ofNothing;
  return `${((100 * part) / whole).toFixed(1)}%`;
}
