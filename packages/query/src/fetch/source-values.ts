/** Values of a field in a document's source: every value below the dotted path, arrays flattened. */
import { JsonLiteral, type JsonTree } from "../json/parse-json.ts";

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
  // A name with dots may be one key, or a way through several objects, or both.
  for (const [key, value] of Object.entries(members)) {
    if (key === path) collect(value, "", found);
    else if (path.startsWith(`${key}.`)) collect(value, path.slice(key.length + 1), found);
  }
}
