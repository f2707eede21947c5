/** JSON values that are written as no writer would: numbers beyond every type, keys that come twice, text that is broken. */
import type { Json } from "@orrery/stdx";

const MARK = "\ue000literal:";
const marked = new RegExp(`"${MARK}((?:[^"\\\\]|\\\\.)*)"`, "g");

/** A value that stands in the text exactly so. */
export function literal(text: string): Json {
  return MARK + text;
}

/** A tree as text, with its literals as they are. */
export function writeTree(tree: Json): string {
  return JSON.stringify(tree).replaceAll(
    marked,
    (_, text: string) => JSON.parse(`"${text}"`) as string,
  );
}

/** Deeper trees are texts to the fuzzer: what handles them here calls itself. */
const DEEPEST = 500;

/** `undefined` if the text is no JSON, or too deep. */
export function readTree(text: string): Json | undefined {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const char of text) {
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
