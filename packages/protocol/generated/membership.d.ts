/** Generated from proto/membership.proto. */
import type { JsonValue } from "./json.js";
import type { Message } from "@orrery/stdx/codec";

export interface PeersRequest {
  readonly node: JsonValue | null;
  readonly knownNodes: readonly JsonValue[];
}
export const PeersRequest: Message<PeersRequest>;

export interface PeersResponse {
  readonly node: JsonValue | null;
  readonly managerNode: JsonValue | null;
  readonly knownNodes: readonly JsonValue[];
  readonly hasCluster: boolean;
  readonly clusterUuid: string;
  readonly term: number;
  readonly isLogLost: boolean;
}
export const PeersResponse: Message<PeersResponse>;

export interface ManagerElected {
  readonly node: JsonValue | null;
}
export const ManagerElected: Message<ManagerElected>;

export interface JoinRequest {
  readonly node: JsonValue | null;
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
  readonly node: JsonValue | null;
}
export const LeaderCheckRequest: Message<LeaderCheckRequest>;
