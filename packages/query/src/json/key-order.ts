/**
 * Keys of an object in the order of its text. The language puts keys that look like places of a list first, whatever came before them;
 * an object with such keys keeps the order beside its members.
 */
import { setKey } from "@orrery/stdx";
import type { JsonTree } from "./exact-json.ts";

export type TreeObject = { readonly [key: string]: JsonTree };

const ORDER: unique symbol = Symbol("order of keys");

interface Ordered {
  readonly [ORDER]?: readonly string[];
}

/** Also of an object that was changed since it was read: keys that came later follow. */
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

/** An object with these members, in their order. */
export function objectOf(members: ReadonlyMap<string, JsonTree>): TreeObject {
  const object: Record<string, JsonTree> = {};
  for (const [key, value] of members) setKey(object, key, value);
  const keys = [...members.keys()];
  return keys.some(isPlace) ? inOrder(object, keys) : object;
}

/** The object, with the order that its keys have. Needed only where one of them `isPlace`. */
export function inOrder(object: TreeObject, keys: readonly string[]): TreeObject {
  return Object.defineProperty(object, ORDER, { value: keys });
}

/** A superset of the keys that the language reorders: it costs little to be wrong. */
export function isPlace(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 48 && first <= 57 && key.length <= MOST_DIGITS;
}

/** Of 2^32 - 2. */
const MOST_DIGITS = 10;
