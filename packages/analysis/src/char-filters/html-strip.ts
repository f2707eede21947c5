/**
 * Text of an HTML document: tags, comments, scripts and styles go, entities become characters. Block elements leave
 * a line break, so that the words around them stay apart; inline elements leave nothing.
 */
import { createOffsetMap } from "../offsets.ts";
import { readList } from "../settings.ts";
import type { FilteredText } from "../types.ts";
import { HTML_ENTITIES } from "./html-entities.ts";
import type { CharFilterFactory } from "./table.ts";

const INLINE = new Set(
  (
    "a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select " +
    "small span strike strong sub sup textarea tt u var"
  ).split(" "),
);

const MARKUP =
  /<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<(script|style)\b[^>]*>.*?<\/\2\s*>|<[!?][^>]*>|<\/?([A-Za-z][\w:.-]*)(?:\s+(?:"[^"]*"|'[^']*'|[^'">])*)?\/?>|&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|([A-Za-z][A-Za-z0-9]*));?/gs;

export const htmlStrip: CharFilterFactory = (definition) => {
  const escaped = new Set(
    (readList(definition, "escaped_tags") ?? []).map((tag) => tag.toLowerCase()),
  );
  return (text) => stripHtml(text, escaped);
};

function stripHtml(text: string, escapedTags: ReadonlySet<string>): FilteredText {
  const offsets = createOffsetMap();
  let out = "";
  let at = 0;
  for (const match of text.matchAll(MARKUP)) {
    const replacement = replacementOf(match, escapedTags);
    if (replacement === undefined) continue;
    out += text.slice(at, match.index) + replacement;
    at = match.index + match[0].length;
    if (replacement.length !== match[0].length) offsets.add(out.length, at - out.length);
  }
  return { text: out + text.slice(at), correct: offsets.finish() };
}

/** `undefined`: leave the text as it is. */
function replacementOf(
  match: RegExpExecArray,
  escapedTags: ReadonlySet<string>,
): string | undefined {
  const [, cdata, raw, tag, hex, decimal, entity] = match;
  if (cdata !== undefined) return cdata;
  if (raw !== undefined) return escapedTags.has(raw.toLowerCase()) ? undefined : "\n";
  if (tag !== undefined) {
    const name = tag.toLowerCase();
    if (escapedTags.has(name)) return undefined;
    return INLINE.has(name) ? "" : "\n";
  }
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  if (decimal !== undefined) return characterOf(Number(decimal));
  if (entity !== undefined) return HTML_ENTITIES.get(entity);
  return match[0].startsWith("<!--") ? "" : "\n";
}

function characterOf(codePoint: number): string | undefined {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}
