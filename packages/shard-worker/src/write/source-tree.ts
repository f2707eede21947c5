/**
 * A document as a tree that prints as it was written: numbers keep their digits, objects the order of their keys.
 *
 * Partial updates merge into it. Source of the merge rule: `XContentHelper.update`.
 */
import { parseJson, scanJson } from "@orrery/query";
import { OperationError, utf8Decode, utf8Encode, type Problem } from "@orrery/stdx";

export type SourceTree =
  | { readonly kind: "leaf"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly SourceTree[] }
  | SourceObject;

export interface SourceObject {
  readonly kind: "object";
  readonly entries: ReadonlyMap<string, SourceTree>;
}

/** Throws `OperationError` (`mapper_parsing_exception`) unless the bytes are one JSON object. */
export function parseSource(bytes: Uint8Array): SourceObject {
  const text = utf8Decode(bytes);
  check(text, bytes);
  const { tree } = readValue(text, skipSpace(text, 0));
  if (tree.kind !== "object") throw notAnObject("not an object");
  return tree;
}

/** The engine's own parser judges; the tree is only built from text that it took, and that is not too deep to recurse. */
function check(text: string, bytes: Uint8Array): void {
  try {
    if (!scanJson(bytes).isTooDeep) {
      JSON.parse(text);
      return;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    // In the product's words.
    parseJson(bytes);
  } catch (error) {
    if (error instanceof OperationError) throw failedToParse(error.problem);
    throw error;
  }
  throw notAnObject("not an object");
}

export function printSource(tree: SourceTree): Uint8Array {
  return utf8Encode(print(tree));
}

export function print(tree: SourceTree): string {
  if (tree.kind === "leaf") return tree.text;
  if (tree.kind === "array") return `[${tree.items.map(print).join(",")}]`;
  const entries = [...tree.entries].map(([key, value]) => `${JSON.stringify(key)}:${print(value)}`);
  return `{${entries.join(",")}}`;
}

/** Objects merge key by key, anything else is replaced. `changed` is false when all was so already. */
export function mergeSource(
  before: SourceObject,
  update: SourceObject,
): { readonly merged: SourceObject; readonly changed: boolean } {
  const entries = new Map(before.entries);
  let changed = false;
  for (const [key, value] of update.entries) {
    const old = entries.get(key);
    if (old?.kind === "object" && value.kind === "object") {
      const inner = mergeSource(old, value);
      entries.set(key, inner.merged);
      changed ||= inner.changed;
    } else {
      changed ||= old === undefined || print(old) !== print(value);
      entries.set(key, value);
    }
  }
  return { merged: { kind: "object", entries }, changed };
}

interface Read {
  readonly tree: SourceTree;
  readonly end: number;
}

function readValue(text: string, at: number): Read {
  const first = text[at];
  if (first === "{") return readObject(text, at);
  if (first === "[") return readArray(text, at);
  if (first === '"') {
    const end = stringEnd(text, at);
    // Escapes are printed one way, so that equal strings are equal texts.
    const leaf = JSON.stringify(JSON.parse(text.slice(at, end)));
    return { tree: { kind: "leaf", text: leaf }, end };
  }
  let end = at;
  while (end < text.length && !",]} \t\r\n".includes(text[end] ?? ",")) end += 1;
  return { tree: { kind: "leaf", text: text.slice(at, end) }, end };
}

function readObject(text: string, start: number): Read {
  const entries = new Map<string, SourceTree>();
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}") {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const { tree, end } = readValue(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
    entries.set(key, tree);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { tree: { kind: "object", entries }, end: at + 1 };
}

function readArray(text: string, start: number): Read {
  const items: SourceTree[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "]") {
    const { tree, end } = readValue(text, at);
    items.push(tree);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { tree: { kind: "array", items }, end: at + 1 };
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  return at;
}

function notAnObject(reason: string): OperationError {
  return failedToParse({ type: "not_x_content_exception", reason, status: 400 });
}

function failedToParse(causedBy: Problem): OperationError {
  const reason = "failed to parse";
  return new OperationError({ type: "mapper_parsing_exception", reason, status: 400, causedBy });
}
