/**
 * Prints a tree as JSON: literal numbers, keys in order, no blanks, and one way to escape strings.
 */
import { jsonKey } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "./exact-json.ts";
import { keysOf, type TreeObject } from "./key-order.ts";

export function treeJson(tree: JsonTree): string {
  if (typeof tree === "string") return JSON.stringify(tree);
  if (typeof tree !== "object" || tree === null) return String(tree);
  if (tree instanceof JsonLiteral) return tree.text;
  if (Array.isArray(tree)) return `[${(tree as readonly JsonTree[]).map(treeJson).join(",")}]`;
  let text = "";
  const object = tree as TreeObject;
  for (const key of keysOf(object)) {
    const value = object[key] as JsonTree; // oxlint-disable-line orrery/client-keys -- one of its own keys, of every document that is merged
    text += (text === "" ? "" : ",") + jsonKey(key) + treeJson(value);
  }
  return `{${text}}`;
}
