/** Generated from proto/transport.proto. */
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

export interface Packet {
  readonly frame: readonly Uint8Array[];
  readonly piece: Uint8Array;
  readonly size: number;
}
export const Packet: Message<Packet>;
