/**
 * Scanner for tags, comments and character references, from left to right in linear time. The result of each search
 * for a closing text is cached, so that a text with many unclosed openings does not search its rest again for each of
 * them.
 */

/** A piece of markup. `code-point` and `entity` are character references by number and by name. */
export type Markup =
  | { readonly kind: "comment" | "declaration" }
  | { readonly kind: "cdata"; readonly text: string }
  /** A script or style element with its contents. */
  | { readonly kind: "raw"; readonly tag: string }
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "code-point"; readonly code: number }
  | { readonly kind: "entity"; readonly name: string };

/** A piece of markup and its range in the text. */
export type Found = Markup & { readonly start: number; readonly end: number };

/** All markup of a text, in order and without overlaps. */
export function* findMarkup(text: string): Iterable<Found> {
  const scan = new MarkupScan(text);
  for (let at = scan.next(0); at >= 0;) {
    const found = scan.at(at);
    if (found !== undefined) yield found;
    at = scan.next(found?.end ?? at + 1);
  }
}

interface SearchResult {
  readonly from: number;
  /** Position of the match; -1: no match after `from`. */
  readonly at: number;
}

const ENTITY = /&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|([A-Za-z][A-Za-z0-9]*));?/y;
const TAG_NAME = /<\/?([A-Za-z][\w:.-]*)/y;
const RAW_START = /<(script|style)\b/y;
const OPENING = /[<&]/g;
const QUOTE_OR_END = /["'>]/g;
const BLANK = /\s/;

class MarkupScan {
  private readonly text: string;
  /** For each searched text the last search: where it started and what it found. */
  private readonly known = new Map<string, SearchResult>();
  /** Quotes from which a tag was found not to end; another tag that reaches one cannot end either. */
  private readonly deadQuotes = new Set<number>();
  /** The last search for a quote or `>`. */
  private special: SearchResult = { from: 1, at: 0 };

  constructor(text: string) {
    this.text = text;
  }

  /** The next position at which markup may begin; -1: none. */
  next(from: number): number {
    OPENING.lastIndex = from;
    return OPENING.exec(this.text)?.index ?? -1;
  }

  at(start: number): Found | undefined {
    const { text } = this;
    if (text.charCodeAt(start) === 38) return this.entity(start);
    if (text.startsWith("<!--", start)) {
      const end = this.find("-->", start + 4);
      if (end >= 0) return { kind: "comment", start, end: end + 3 };
    }
    if (text.startsWith("<![CDATA[", start)) {
      const end = this.find("]]>", start + 9);
      if (end >= 0) return { kind: "cdata", text: text.slice(start + 9, end), start, end: end + 3 };
    }
    const raw = this.raw(start);
    if (raw !== undefined) return raw;
    if (text.charAt(start + 1) === "!" || text.charAt(start + 1) === "?") {
      const end = this.find(">", start + 2);
      const kind = text.startsWith("<!--", start) ? "comment" : "declaration";
      if (end >= 0) return { kind, start, end: end + 1 };
    }
    return this.tag(start);
  }

  private entity(start: number): Found | undefined {
    ENTITY.lastIndex = start;
    const match = ENTITY.exec(this.text);
    if (match === null) return undefined;
    const [, hexadecimal, decimal, name] = match;
    const place = { start, end: ENTITY.lastIndex };
    if (name !== undefined) return { kind: "entity", name, ...place };
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return { kind: "code-point", code, ...place };
  }

  private raw(start: number): Found | undefined {
    RAW_START.lastIndex = start;
    const tag = RAW_START.exec(this.text)?.[1];
    if (tag === undefined) return undefined;
    const inside = this.find(">", RAW_START.lastIndex);
    if (inside < 0) return undefined;
    const end = this.closing(tag, inside + 1);
    return end < 0 ? undefined : { kind: "raw", tag, start, end };
  }

  /** End of the closing tag `</script >`; -1: there is none. */
  private closing(tag: string, from: number): number {
    const { text, known } = this;
    if (isCovered(known.get(`/${tag}`), from)) return -1;
    const opening = `</${tag}`;
    for (let at = text.indexOf(opening, from); at >= 0;) {
      let end = at + opening.length;
      while (BLANK.test(text.charAt(end))) end += 1;
      if (text.charAt(end) === ">") return end + 1;
      at = text.indexOf(opening, end);
    }
    known.set(`/${tag}`, { from, at: -1 });
    return -1;
  }

  private tag(start: number): Found | undefined {
    TAG_NAME.lastIndex = start;
    const tag = TAG_NAME.exec(this.text)?.[1];
    if (tag === undefined) return undefined;
    const after = TAG_NAME.lastIndex;
    const end = this.tagEnd(after);
    return end < 0 ? undefined : { kind: "tag", tag, start, end };
  }

  /**
   * End of a tag, from behind its name: `>`, `/>`, or a blank and attributes, in which `>` may be quoted; -1: the tag
   * does not end.
   */
  private tagEnd(from: number): number {
    const { text } = this;
    if (text.charAt(from) === ">") return from + 1;
    if (text.startsWith("/>", from)) return from + 2;
    if (!BLANK.test(text.charAt(from))) return -1;
    const passed: number[] = [];
    for (let at = this.quoteOrEnd(from); at >= 0;) {
      if (text.charAt(at) === ">") return at + 1;
      if (this.deadQuotes.has(at)) break;
      passed.push(at);
      const close = this.find(text.charAt(at), at + 1);
      if (close < 0) break;
      at = this.quoteOrEnd(close + 1);
    }
    for (const quote of passed) this.deadQuotes.add(quote);
    return -1;
  }

  private quoteOrEnd(from: number): number {
    if (isCovered(this.special, from)) return this.special.at;
    QUOTE_OR_END.lastIndex = from;
    const at = QUOTE_OR_END.exec(this.text)?.index ?? -1;
    this.special = { from, at };
    return at;
  }

  private find(what: string, from: number): number {
    const known = this.known.get(what);
    if (isCovered(known, from)) return known.at;
    const at = this.text.indexOf(what, from);
    this.known.set(what, { from, at });
    return at;
  }
}

function isCovered(result: SearchResult | undefined, from: number): result is SearchResult {
  return result !== undefined && from >= result.from && (result.at < 0 || from <= result.at);
}
