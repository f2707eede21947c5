/** Where in a JSON text a value stands, for messages. Used only when something is wrong with it. */
import { utf8Encode } from "@orrery/stdx";

export type Path = readonly (string | number)[];

/** The key, the value's first character, or the bracket that ends it. */
export type Side = "key" | "value" | "end";

export interface Location {
  readonly line: number;
  /** In bytes. */
  readonly col: number;
}

/** Of the value at `path`; of its deepest ancestor that exists when it does not. */
export function locate(text: string, path: Path, side: Side): Location {
  const [keyAt, at] = find(text, path);
  const offset = side === "key" ? keyAt : side === "end" ? endOf(text, at) - 1 : at;
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, col: utf8Encode(before.at(-1) ?? "").length + 1 };
}

/** Of the first character after the value. */
export function offsetAfter(text: string, path: Path): number {
  const [, at] = find(text, path);
  return endOf(text, at);
}

/** Offsets of the key and the value at the path. */
function find(text: string, path: Path): [number, number] {
  let at = skipBlanks(text, 0);
  let keyAt = at;
  for (const step of path) {
    const found = member(text, at, step);
    if (found === undefined) break;
    [keyAt, at] = found;
  }
  return [keyAt, at];
}

/** `[1:14]`, as parser messages begin. */
export function printed({ line, col }: Location): string {
  return `[${line}:${col}]`;
}

/** Offsets of the member's key and value. */
function member(text: string, start: number, step: string | number): [number, number] | undefined {
  const isObject = text.charAt(start) === "{";
  if (!isObject && text.charAt(start) !== "[") return undefined;
  let at = skipBlanks(text, start + 1);
  for (let index = 0; at < text.length && !/[}\]]/.test(text.charAt(at)); index += 1) {
    const keyAt = at;
    let name: string | number = index;
    if (isObject) {
      const keyEnd = endOf(text, at);
      name = JSON.parse(text.slice(at, keyEnd)) as string;
      at = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    }
    if (name === step) return [keyAt, at];
    at = skipBlanks(text, endOf(text, at));
    if (text.charAt(at) === ",") at = skipBlanks(text, at + 1);
  }
  return undefined;
}

/** First offset after the value that starts here. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfString(text, at);
      if (depth === 0) return at + 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && /[,\s]/.test(char)) return at;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}
