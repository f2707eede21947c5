/**
 * Keys of an object in the order of its text.
 *
 * JavaScript moves keys that look like array indices to the front. An object with such keys stores
 * the original order under a symbol.
 */
import { setKey } from "@orrery/stdx";
import type { JsonTree } from "./exact-json.ts";

export type TreeObject = { readonly [key: string]: JsonTree };

/** The property that holds the order. */
const ORDER: unique symbol = Symbol("order of keys");

interface Ordered {
  readonly [ORDER]?: readonly string[];
}

/** Returns the keys in the order of the text. Keys added after parsing come last. */
export function keysOf(object: TreeObject): readonly string[] {
  const order = (object as Ordered)[ORDER];
  const keys = Object.keys(object);
  if (order === undefined) return keys;
  const read = new Set(order);
  return [
    ...order.filter((key) => Object.hasOwn(object, key)),
    ...keys.filter((key) => !read.has(key)),
  ];
}

/** Returns an object with these members in order. */
export function objectOf(members: ReadonlyMap<string, JsonTree>): TreeObject {
  const object: Record<string, JsonTree> = {};
  for (const [key, value] of members) setKey(object, key, value);
  const keys = [...members.keys()];
  return keys.some(isPlace) ? inOrder(object, keys) : object;
}

/** Stores the order of the keys. Needed only if `isPlace` is true for one of them. */
export function inOrder(object: TreeObject, keys: readonly string[]): TreeObject {
  return Object.defineProperty(object, ORDER, { value: keys });
}

/** True for keys that JavaScript may reorder. False positives cost little. */
export function isPlace(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && key.length <= MOST_DIGITS;
}

/** The digits of the greatest array index, 2^32 - 2. */
const MOST_DIGITS = 10;
