/** Generated from proto/replication.proto. */
/** What may be left out when a message is written: everything has proto3's default. */
type Draft<T> = T extends Uint8Array
  ? Uint8Array
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Draft<T[Key]> | undefined }
      : T;
interface Message<T> {
  encode(message: Draft<T>): { finish(): Uint8Array<ArrayBuffer> };
  /** Throws `OperationError` on malformed bytes. Byte fields are views into `bytes`. */
  decode(bytes: Uint8Array): T;
}

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
  readonly parameters: string;
}
export const ReplicaAdminRequest: Message<ReplicaAdminRequest>;

export interface GlobalCheckpointSyncRequest {
  readonly header: ReplicaHeader | null;
}
export const GlobalCheckpointSyncRequest: Message<GlobalCheckpointSyncRequest>;

export interface RetentionLeaseSyncRequest {
  readonly header: ReplicaHeader | null;
  readonly leases: string;
}
export const RetentionLeaseSyncRequest: Message<RetentionLeaseSyncRequest>;
