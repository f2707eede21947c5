/**
 * The char filter `html_strip`: removes tags, comments, scripts and styles and decodes character references. Block
 * elements become a line break, which separates the words around them; inline elements become nothing.
 */
import { createOffsetMap } from "../offsets.ts";
import { readList } from "../settings.ts";
import type { FilteredText } from "../types.ts";
import { HTML_ENTITIES } from "./html-entities.ts";
import { findMarkup, type Markup } from "./html-markup.ts";
import type { CharFilterFactory } from "./table.ts";

const INLINE = new Set(
  (
    "a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select " +
    "small span strike strong sub sup textarea tt u var"
  ).split(" "),
);

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
  for (const markup of findMarkup(text)) {
    const replacement = replacementOf(markup, escapedTags);
    if (replacement === undefined) continue;
    out += text.slice(at, markup.start) + replacement;
    at = markup.end;
    if (replacement.length !== at - markup.start) offsets.add(out.length, at - out.length);
  }
  return { text: out + text.slice(at), correct: offsets.finish() };
}

/** Replacement of a piece of markup; `undefined`: it stays. */
function replacementOf(markup: Markup, escapedTags: ReadonlySet<string>): string | undefined {
  switch (markup.kind) {
    case "comment":
      return "";
    case "declaration":
      return "\n";
    case "cdata":
      return markup.text;
    case "raw":
      return escapedTags.has(markup.tag.toLowerCase()) ? undefined : "\n";
    case "tag": {
      const name = markup.tag.toLowerCase();
      if (escapedTags.has(name)) return undefined;
      return INLINE.has(name) ? "" : "\n";
    }
    case "code-point":
      return characterOf(markup.code);
    case "entity":
      return HTML_ENTITIES.get(markup.name);
  }
}

function characterOf(codePoint: number): string | undefined {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}
