/**
 * The settings `indices.recovery.*` of the cluster (`RecoverySettings`), read when a step of a recovery begins: a
 * change concerns the next step.
 */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";

export interface RecoverySettings {
  /** 0 or less: no limit. */
  readonly bytesPerSecond: number;
  readonly concurrentChunks: number;
  readonly chunkBytes: number;
  /** Pause before a retry while the source's cluster state is older. */
  readonly retryStateSyncMs: number;
  readonly retryNetworkMs: number;
  /** Time-out of one message. */
  readonly actionTimeoutMs: number;
  /** Period in which a message is retried. */
  readonly actionRetryMs: number;
  /** Time without a step after which a target gives up. */
  readonly activityMs: number;
}

/** Settings as applied; the product's defaults before the first state. */
export function recoverySettings(state: ClusterState | undefined): RecoverySettings {
  const number = (key: string, otherwise: number): number =>
    state === undefined ? otherwise : Number(clusterSetting(state, key));
  return {
    bytesPerSecond: number("indices.recovery.max_bytes_per_sec", 40 * 1024 * 1024),
    concurrentChunks: number("indices.recovery.max_concurrent_file_chunks", 2),
    chunkBytes: number("indices.recovery.chunk_size", 524_272),
    retryStateSyncMs: number("indices.recovery.retry_delay_state_sync", 500),
    retryNetworkMs: number("indices.recovery.retry_delay_network", 5000),
    actionTimeoutMs: number("indices.recovery.internal_action_timeout", 900_000),
    actionRetryMs: number("indices.recovery.internal_action_retry_timeout", 60_000),
    activityMs: number("indices.recovery.recovery_activity_timeout", 1_800_000),
  };
}
