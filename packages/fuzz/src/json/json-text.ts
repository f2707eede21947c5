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

/** `undefined` if the text is no JSON. */
export function readTree(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
