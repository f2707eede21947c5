/** Generated from packages/plugin-cross-cluster-replication/proto/cross-cluster.proto. */
import type { Message } from "@orrery/stdx/codec";

export interface RemoteShardRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}
export const RemoteShardRequest: Message<RemoteShardRequest>;

export interface RemoteRequest {
  readonly alias: string;
  readonly action: string;
  readonly payload: Uint8Array;
  readonly timeoutMs: number;
}
export const RemoteRequest: Message<RemoteRequest>;

export interface ChangesRequest {
  readonly fromSeqNo: number;
  readonly toSeqNo: number;
  readonly waitMs: number;
}
export const ChangesRequest: Message<ChangesRequest>;

export interface ChangesResponse {
  readonly operations: Uint8Array;
  readonly count: number;
  readonly lastSeqNo: number;
  readonly globalCheckpoint: number;
  readonly historyUuid: string;
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
}
export const ChangesResponse: Message<ChangesResponse>;

export interface ReplayRequest {
  readonly operations: Uint8Array;
}
export const ReplayRequest: Message<ReplayRequest>;

export interface ReplayResponse {
  readonly localCheckpoint: number;
  readonly globalCheckpoint: number;
  readonly mappingVersion: number;
  readonly mappingProblem: string;
  readonly leaderHistoryUuid: string;
}
export const ReplayResponse: Message<ReplayResponse>;

export interface LeaseRequest {
  readonly id: string;
  readonly retainingSeqNo: number;
  readonly source: string;
}
export const LeaseRequest: Message<LeaseRequest>;

export interface OpenFilesRequest {
  readonly session: string;
  readonly lease: LeaseRequest | null;
}
export const OpenFilesRequest: Message<OpenFilesRequest>;

export interface SessionFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}
export const SessionFile: Message<SessionFile>;

export interface OpenFilesResponse {
  readonly nodeId: string;
  readonly commit: Uint8Array;
  readonly files: readonly SessionFile[];
}
export const OpenFilesResponse: Message<OpenFilesResponse>;

export interface ReadFileRequest {
  readonly session: string;
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}
export const ReadFileRequest: Message<ReadFileRequest>;

export interface ReadFileResponse {
  readonly content: Uint8Array;
}
export const ReadFileResponse: Message<ReadFileResponse>;

export interface CloseFilesRequest {
  readonly session: string;
}
export const CloseFilesRequest: Message<CloseFilesRequest>;
