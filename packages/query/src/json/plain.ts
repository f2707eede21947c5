/** Plain data: what the compact codec carries between nodes. */
import type { Decimal } from "./printable.ts";

/** What the compact codec carries. */
export type Plain =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Decimal
  | readonly Plain[]
  | { readonly [key: string]: Plain };

/** A type extends this if the compact codec carries its members. An interface is no `Plain`: it has no index signature. */
export type PlainShape<Value> = Plain | { readonly [Key in keyof Value]: PlainMember<Value[Key]> };

export type PlainMember<Value> = Value extends Plain
  ? Value
  : Value extends symbol | ((...parameters: never) => unknown)
    ? never
    : PlainShape<Value>;
