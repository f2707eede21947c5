/** Values of a field in a document's source: every value below the dotted path, arrays flattened. */
import { lookup } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "../json/exact-json.ts";

export function valuesAt(tree: JsonTree, path: string): readonly JsonTree[] {
  const found: JsonTree[] = [];
  collect(tree, path, found);
  return found;
}

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
  // A name with dots may be one key, or a way through several objects, or both. Each way is looked up, the shortest key
  // first: an object of many members is not walked for every field that is asked for.
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const inner = lookup(members, path.slice(0, dot));
    if (inner !== undefined) collect(inner, path.slice(dot + 1), found);
  }
  const value = lookup(members, path);
  if (value !== undefined) collect(value, "", found);
}
