/**
 * The source of one document, and its tree where that is known. A document that brings new fields is parsed once with each mapping that
 * grows by it, and an updated document is a tree before it is bytes: neither is read again.
 */
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { losslessText, readJson, type JsonTree } from "../json/exact-json.ts";
import { needsExactText } from "../json/parse-json.ts";
import type { DocumentSource } from "../language/mapping.ts";
import { treeJson } from "../json/tree-text.ts";

export function sourceOfBytes(bytes: Uint8Array): DocumentSource {
  return { bytes, tree: undefined };
}

/** A tree with halves of characters, which no field may have in its name or its terms, is not the one that is parsed. */
export function sourceOfTree(tree: JsonTree): DocumentSource {
  const text = treeJson(tree);
  return { bytes: utf8Encode(text), tree: needsExactText(text) ? undefined : tree };
}

/**
 * The tree of a text that is to be merged and printed again: halves of characters stay as they are. Throws `OperationError` in the
 * parser's words.
 */
export function readTree(bytes: Uint8Array): JsonTree {
  return readJson(utf8Decode(bytes), bytes, losslessText);
}

/** The same of what an index holds: broken characters got there with the document, and stand as U+FFFD. */
export function readStoredTree(bytes: Uint8Array): JsonTree {
  const text = utf8Decode(bytes);
  return readJson(text, text.includes("\ufffd") ? utf8Encode(text) : bytes, losslessText);
}
