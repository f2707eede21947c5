/**
 * Where in a JSON text a value stands: line and column for error messages. Used only once something is wrong.
 *
 * The product reports the location of its parser's current token: the start of a value or key, or the place of a closing
 * brace. Lines and columns count from 1.
 */

export type JsonPath = readonly (string | number)[];

/** Which token of the value at a path is meant. `after-key`: the token that follows the key, that is the value's start. */
export type TokenSide = "key" | "value" | "end";

export interface JsonPosition {
  readonly line: number;
  readonly col: number;
  /** The literal text of the value. */
  readonly text: string;
}

/** Position of the value at `path`; of the deepest existing ancestor when the path leads nowhere. */
export function locate(text: string, path: JsonPath, side: TokenSide): JsonPosition {
  const walker = { text, at: 0 };
  let keyAt = 0;
  skipBlanks(walker);
  for (const step of path) {
    const found = enter(walker, step);
    if (found === undefined) break;
    keyAt = found;
  }
  const start = walker.at;
  const end = endOf({ text, at: start });
  const offset = side === "key" ? keyAt : side === "end" ? end - 1 : start;
  return { ...lineAndColumn(text, offset), text: text.slice(start, end) };
}

interface Walker {
  readonly text: string;
  at: number;
}

/** Moves to the member's value; returns where its key (or item) starts, `undefined` if there is none. */
function enter(walker: Walker, step: string | number): number | undefined {
  const { text } = walker;
  const start = walker.at;
  const open = text.charAt(start);
  if (open !== "{" && open !== "[") return undefined;
  walker.at += 1;
  let index = 0;
  for (;;) {
    skipBlanks(walker);
    const char = text.charAt(walker.at);
    if (char === "}" || char === "]" || char === "") break;
    const keyAt = walker.at;
    let name: string | number = index;
    if (open === "{") {
      const keyEnd = endOf({ text, at: keyAt });
      name = decodeKey(text.slice(keyAt, keyEnd));
      walker.at = keyEnd;
      skipBlanks(walker);
      walker.at += 1;
      skipBlanks(walker);
    }
    if (name === step) return keyAt;
    walker.at = endOf({ text, at: walker.at });
    skipBlanks(walker);
    if (text.charAt(walker.at) === ",") walker.at += 1;
    index += 1;
  }
  walker.at = start;
  return undefined;
}

function decodeKey(raw: string): string {
  try {
    return JSON.parse(raw) as string;
  } catch {
    // A broken key cannot be the one that is looked for.
    return raw;
  }
}

/** First offset after the value that starts at `walker.at`. */
function endOf(walker: Walker): number {
  const { text } = walker;
  let depth = 0;
  for (let at = walker.at; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      at += 1;
      while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
      if (depth === 0) return at + 1;
    } else if (char === "{" || char === "[") {
      depth += 1;
    } else if (char === "}" || char === "]") {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && /[,\s:]/.test(char)) {
      return at;
    }
  }
  return text.length;
}

function skipBlanks(walker: Walker): void {
  while (/\s/.test(walker.text.charAt(walker.at))) walker.at += 1;
}

function lineAndColumn(text: string, offset: number): { line: number; col: number } {
  const before = text.slice(0, offset);
  const lines = before.split("\n");
  return { line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
}
