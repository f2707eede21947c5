/** Generated from proto/control.proto. */
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

export interface ShardAdminRequest {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly parameters: string;
}
export const ShardAdminRequest: Message<ShardAdminRequest>;

export interface ShardAdminResponse {
  readonly body: string;
}
export const ShardAdminResponse: Message<ShardAdminResponse>;

export interface NodeRequest {
  readonly parameters: string;
}
export const NodeRequest: Message<NodeRequest>;

export interface NodeResponse {
  readonly body: string;
}
export const NodeResponse: Message<NodeResponse>;
