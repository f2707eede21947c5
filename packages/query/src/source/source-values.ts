/**
 * Reads the values of a field from a document's source: all values at the dotted path, with arrays
 * flattened.
 */
import { lookup } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "../json/exact-json.ts";

/** All values at a path of a document, through objects and arrays; nulls are left out. */
export function valuesAt(tree: JsonTree, path: string): readonly JsonTree[] {
  const found: JsonTree[] = [];
  collect(tree, path, found);
  return found;
}

/** Adds the values at `path` below `tree`. */
function collect(tree: JsonTree, path: string, found: JsonTree[]): void {
  if (Array.isArray(tree)) {
    for (const item of tree as readonly JsonTree[]) collect(item, path, found);
    return;
  }
  if (path === "") {
    if (tree !== null) found.push(tree);
    return;
  }
  if (tree === null || typeof tree !== "object" || tree instanceof JsonLiteral) return;
  const members = tree as { readonly [key: string]: JsonTree };
  // A name with dots may be one key, a path through several objects, or both. All splits are looked
  // up, shortest key first. Objects may have many members, so they are not scanned for every
  // requested field.
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const inner = lookup(members, path.slice(0, dot));
    if (inner !== undefined) collect(inner, path.slice(dot + 1), found);
  }
  const value = lookup(members, path);
  if (value !== undefined) collect(value, "", found);
}
