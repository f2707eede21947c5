/** Puts tags around the matches of a passage. */
import type { HitWork } from "../work/hit-work.ts";
import { lookup } from "@orrery/stdx";
import type { Passage } from "./passages.ts";
import type { HighlightOptions } from "./request.ts";

/** The length of the longest HTML entity. */
const ENTITY_CHARS = 6;

/** `work` accounts for the memory. */
interface Marking {
  readonly options: HighlightOptions;
  readonly work: HitWork;
}

/**
 * Returns the marked text. Its memory is reserved before it is built, since tags may be long and
 * matches many.
 */
export function mark(text: string, passage: Passage, { options, work }: Marking): string {
  const { start, end, matches } = passage;
  const [pre = "<em>"] = options.preTags;
  const [post = "</em>"] = options.postTags;
  const growth = options.encoder === "html" ? ENTITY_CHARS : 1;
  const most = (end - start) * growth + matches.length * (pre.length + post.length);
  work.holdText(most);
  let marked = "";
  let at = start;
  for (const match of matches) {
    marked += encode(text.slice(at, match.start), options);
    marked += pre + encode(text.slice(match.start, match.end), options) + post;
    at = match.end;
  }
  marked = (marked + encode(text.slice(at, end), options)).trim();
  work.holdText(marked.length - most);
  return marked;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  "/": "&#x2F;",
};

/** Escapes HTML if the options ask for it. */
export function encode(text: string, { encoder }: HighlightOptions): string {
  return encoder === "html"
    ? text.replaceAll(/[&<>"'/]/g, (char) => lookup(ENTITIES, char) ?? char)
    : text;
}
