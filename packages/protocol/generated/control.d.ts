/** Generated from proto/control.proto. */
import type { JsonValue } from "./json.js";
import type { Problem } from "./problem.js";
import type { Message } from "@orrery/stdx/codec";

export interface ShardAdminRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly parameters: JsonValue | null;
}
export const ShardAdminRequest: Message<ShardAdminRequest>;

export interface ShardAdminResponse {
  readonly body: JsonValue | null;
}
export const ShardAdminResponse: Message<ShardAdminResponse>;

export interface ReplicatedAdminResponse {
  readonly total: number;
  readonly successful: number;
  readonly failures: readonly Problem[];
}
export const ReplicatedAdminResponse: Message<ReplicatedAdminResponse>;

export interface NodeRequest {
  readonly parameters: JsonValue | null;
}
export const NodeRequest: Message<NodeRequest>;

export interface NodeResponse {
  readonly body: JsonValue | null;
}
export const NodeResponse: Message<NodeResponse>;
