/** Plain data, which the compact codec carries between nodes. */
import type { Decimal } from "./printable.ts";

/** A value that the compact codec can write. */
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

/**
 * The constraint of the types that the codec carries: `Shape extends PlainShape<Shape>` holds if it
 * can carry all members of `Shape`. `Shape extends Plain` would reject interfaces, because they have
 * no index signature.
 */
export type PlainShape<Value> = Plain | { readonly [Key in keyof Value]: PlainMember<Value[Key]> };

/**
 * The constraint of one member: `never` for symbols and functions, which the codec cannot carry.
 */
export type PlainMember<Value> = Value extends Plain
  ? Value
  : Value extends symbol | ((...parameters: never) => unknown)
    ? never
    : PlainShape<Value>;
