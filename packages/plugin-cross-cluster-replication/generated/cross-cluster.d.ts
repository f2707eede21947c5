/** Generated from packages/plugin-cross-cluster-replication/proto/cross-cluster.proto. */
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
