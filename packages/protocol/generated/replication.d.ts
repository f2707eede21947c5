/** Generated from proto/replication.proto. */
import type { JsonValue } from "./json.js";
import type { Message } from "@orrery/stdx/codec";

export interface ReplicaHeader {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly globalCheckpoint: number;
  readonly maxSeqNoOfUpdates: number;
  readonly mappingVersion: number;
}
export const ReplicaHeader: Message<ReplicaHeader>;

export interface ReplicaOperationsRequest {
  readonly header: ReplicaHeader | null;
  readonly operations: Uint8Array;
  readonly refresh: string;
  readonly trimAboveSeqNo: number;
  readonly isResync: boolean;
  readonly maxUnsafeAutoIdMs: number;
}
export const ReplicaOperationsRequest: Message<ReplicaOperationsRequest>;

export interface ReplicaResponse {
  readonly localCheckpoint: number;
  readonly globalCheckpoint: number;
}
export const ReplicaResponse: Message<ReplicaResponse>;

export interface ReplicaAdminRequest {
  readonly header: ReplicaHeader | null;
  readonly parameters: JsonValue | null;
}
export const ReplicaAdminRequest: Message<ReplicaAdminRequest>;

export interface GlobalCheckpointSyncRequest {
  readonly header: ReplicaHeader | null;
}
export const GlobalCheckpointSyncRequest: Message<GlobalCheckpointSyncRequest>;

export interface RetentionLeaseSyncRequest {
  readonly header: ReplicaHeader | null;
  readonly leases: RetentionLeases | null;
}
export const RetentionLeaseSyncRequest: Message<RetentionLeaseSyncRequest>;

export interface RetentionLeases {
  readonly primaryTerm: number;
  readonly version: number;
  readonly leases: readonly RetentionLease[];
}
export const RetentionLeases: Message<RetentionLeases>;

export interface RetentionLease {
  readonly id: string;
  readonly retainingSeqNo: number;
  readonly timestampMs: number;
  readonly source: string;
}
export const RetentionLease: Message<RetentionLease>;
