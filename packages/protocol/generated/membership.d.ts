/** Generated from proto/membership.proto. */
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

export interface PeersRequest {
  readonly node: string;
  readonly knownNodes: readonly string[];
}
export const PeersRequest: Message<PeersRequest>;

export interface PeersResponse {
  readonly node: string;
  readonly managerNode: string;
  readonly knownNodes: readonly string[];
  readonly hasCluster: boolean;
  readonly clusterUuid: string;
  readonly term: number;
  readonly isLogLost: boolean;
}
export const PeersResponse: Message<PeersResponse>;

export interface ManagerElected {
  readonly node: string;
}
export const ManagerElected: Message<ManagerElected>;

export interface JoinRequest {
  readonly node: string;
  readonly clusterUuid: string;
  readonly raftId: number;
  readonly hasLog: boolean;
  readonly isLogLost: boolean;
  readonly skipped: readonly number[];
  readonly appliedIndex: number;
  readonly startedIndex: number;
  readonly startedTerm: number;
}
export const JoinRequest: Message<JoinRequest>;

export interface JoinResponse {
  readonly raftId: number;
  readonly managerRaftId: number;
  readonly isRolledBack: boolean;
  readonly clusterUuid: string;
}
export const JoinResponse: Message<JoinResponse>;

export interface FollowerCheckRequest {
  readonly term: number;
}
export const FollowerCheckRequest: Message<FollowerCheckRequest>;

export interface FollowerCheckResponse {
  readonly appliedIndex: number;
  readonly ephemeralId: string;
  readonly diskTotalBytes: number;
  readonly diskFreeBytes: number;
  readonly dataPath: string;
}
export const FollowerCheckResponse: Message<FollowerCheckResponse>;

export interface LeaderCheckRequest {
  readonly node: string;
}
export const LeaderCheckRequest: Message<LeaderCheckRequest>;
