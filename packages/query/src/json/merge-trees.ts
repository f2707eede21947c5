/**
 * Merges a partial document into a document: objects member by member, other values are replaced.
 * Source: `XContentHelper.update`.
 */
import { lookup } from "@orrery/stdx";
import { equalTrees } from "./equal-trees.ts";
import { JsonLiteral, type JsonTree } from "./exact-json.ts";
import { keysOf, objectOf, type TreeObject } from "./key-order.ts";

/** The result of a merge. */
export interface MergedTree {
  readonly merged: TreeObject;
  /** False if the document already had all values. */
  readonly changed: boolean;
}

/** Returns the merged tree and leaves both arguments unchanged. New members come last. */
export function mergeTrees(before: TreeObject, update: TreeObject): MergedTree {
  const members = new Map(keysOf(before).map((key) => [key, lookup(before, key) as JsonTree]));
  let changed = false;
  for (const key of keysOf(update)) {
    const old = members.get(key);
    const value = lookup(update, key) as JsonTree;
    if (isTreeObject(old) && isTreeObject(value)) {
      const inner = mergeTrees(old, value);
      members.set(key, inner.merged);
      changed ||= inner.changed;
    } else {
      changed ||= old === undefined || !equalTrees(old, value);
      members.set(key, value);
    }
  }
  return { merged: objectOf(members), changed };
}

export function isTreeObject(tree: JsonTree | undefined): tree is TreeObject {
  return (
    typeof tree === "object" &&
    tree !== null &&
    !Array.isArray(tree) &&
    !(tree instanceof JsonLiteral)
  );
}
