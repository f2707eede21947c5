/** Generated from proto/publication.proto. */
import type { JsonValue } from "./json.js";
import type { Problem } from "./problem.js";
import type { Message } from "@orrery/stdx/codec";

export interface SubmitTaskRequest {
  readonly id: string;
  readonly task: Uint8Array;
  readonly source: string;
  readonly priority: string;
  readonly managerTimeoutMs: number;
  readonly ackTimeoutMs: number;
}
export const SubmitTaskRequest: Message<SubmitTaskRequest>;

export interface SubmitTaskResponse {
  readonly acknowledged: boolean;
  readonly index: number;
  readonly version: number;
}
export const SubmitTaskResponse: Message<SubmitTaskResponse>;

export interface ShardStartedRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly message: string;
}
export const ShardStartedRequest: Message<ShardStartedRequest>;

export interface ShardFailedRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly markAsStale: boolean;
  readonly message: string;
  readonly problem: Problem | null;
}
export const ShardFailedRequest: Message<ShardFailedRequest>;

export interface StoredShardRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
}
export const StoredShardRequest: Message<StoredShardRequest>;

export interface StoredShardResponse {
  readonly exists: boolean;
  readonly allocationId: string;
  readonly wasPrimary: boolean;
  readonly storeException: string;
  readonly files: readonly StoredFile[];
  readonly syncId: string;
  readonly sizeBytes: number;
  readonly nextSeqNo: number | null;
}
export const StoredShardResponse: Message<StoredShardResponse>;

export interface StoredFile {
  readonly name: string;
  readonly lengthBytes: number;
  readonly checksum: string;
}
export const StoredFile: Message<StoredFile>;

export interface StateApplied {
  readonly index: number;
  readonly version: number;
}
export const StateApplied: Message<StateApplied>;

export interface ReadIndexResponse {
  readonly index: number;
}
export const ReadIndexResponse: Message<ReadIndexResponse>;

export interface ManagerRequest {
  readonly body: JsonValue | null;
}
export const ManagerRequest: Message<ManagerRequest>;

export interface ManagerResponse {
  readonly body: JsonValue | null;
  readonly state: Uint8Array;
  readonly acknowledged: boolean;
  readonly index: number;
}
export const ManagerResponse: Message<ManagerResponse>;
