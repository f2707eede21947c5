/** JSON text that no serializer writes: numbers beyond every type, duplicate keys, malformed text. */
import type { Json } from "@orrery/stdx";

const MARK = "\ue000literal:";
const marked = new RegExp(`"${MARK}((?:[^"\\\\]|\\\\.)*)"`, "g");

/** Value that is written verbatim. */
export function literal(text: string): Json {
  return MARK + text;
}

/** Text of a tree, with its literals verbatim. */
export function writeTree(tree: Json): string {
  return JSON.stringify(tree).replaceAll(
    marked,
    (_, text: string) => JSON.parse(`"${text}"`) as string,
  );
}

/** Depth limit: deeper trees are handled as text, because the code here is recursive. */
const DEEPEST = 500;

/** Parsed tree; `undefined` if the text is no JSON, or too deep. */
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
