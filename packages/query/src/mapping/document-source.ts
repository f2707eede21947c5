/**
 * The source of a document, with its tree where that is known. A document that introduces fields is
 * parsed again with each mapping that grows by it, and an updated document is a tree before it is
 * bytes: neither is read twice.
 */
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { losslessText, readJson, type JsonTree } from "../json/exact-json.ts";
import { needsExactText } from "../json/parse-json.ts";
import type { DocumentSource } from "../language/mapping.ts";
import { treeJson } from "../json/tree-text.ts";

/** The source of a document whose bytes have not been parsed. */
export function sourceOfBytes(bytes: Uint8Array): DocumentSource {
  return { bytes, tree: undefined };
}

/**
 * The source of a tree, printed once. Lone surrogates become U+FFFD in the bytes; a tree that may
 * contain one is dropped, since the bytes differ from it.
 */
export function sourceOfTree(tree: JsonTree): DocumentSource {
  const text = treeJson(tree);
  return { bytes: utf8Encode(text), tree: needsExactText(text) ? undefined : tree };
}

/**
 * The tree of a text that is merged and printed again: lone surrogates stay.
 * @throws OperationError in the parser's words
 */
export function readTree(bytes: Uint8Array): JsonTree {
  return readJson(utf8Decode(bytes), bytes, losslessText);
}

/**
 * The tree of a stored source, whose broken characters were replaced by U+FFFD when it was indexed.
 */
export function readStoredTree(bytes: Uint8Array): JsonTree {
  const text = utf8Decode(bytes);
  return readJson(text, text.includes("\ufffd") ? utf8Encode(text) : bytes, losslessText);
}
