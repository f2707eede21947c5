/** Cutting a text into passages around its matches. Source: `BoundedBreakIteratorScanner`, Lucene's `PassageScorer`. */

export interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly matches: readonly Match[];
  readonly score: number;
}

export interface PassageOptions {
  readonly fragmentSize: number;
  readonly limit: number;
  readonly isByScore: boolean;
  /** Every word is a passage: `boundary_scanner: word`. */
  readonly isByWord: boolean;
}

/** The best passages, in the order of the text unless scores are to order them. */
export function passagesOf(
  text: string,
  matches: readonly Match[],
  options: PassageOptions,
): Passage[] {
  const passages = options.isByWord
    ? wordPassages(matches)
    : sentencePassages(text, matches, options.fragmentSize);
  const scored = passages.map((passage) => ({
    ...passage,
    score: scoreOf(passage, text, matches),
  }));
  const best = scored
    .toSorted((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, options.limit);
  return options.isByScore ? best : best.toSorted((a, b) => a.start - b.start);
}

type Unscored = Omit<Passage, "score">;

function wordPassages(matches: readonly Match[]): Unscored[] {
  return matches.map((match) => ({ start: match.start, end: match.end, matches: [match] }));
}

function sentencePassages(text: string, matches: readonly Match[], size: number): Unscored[] {
  const breaks = sentenceBreaks(text);
  const passages: { start: number; end: number; matches: Match[] }[] = [];
  let window = { start: -1, end: -1 };
  for (const match of matches) {
    const last = passages.at(-1);
    if (last !== undefined && match.start < last.end) {
      if (match.end <= last.end) last.matches.push(match);
      continue;
    }
    const bounds = boundsAround(text, {
      breaks,
      offset: match.start,
      size,
      window,
      previousEnd: last?.end ?? 0,
    });
    window = bounds.window;
    passages.push({ start: bounds.start, end: Math.max(bounds.end, match.end), matches: [match] });
  }
  return passages;
}

interface Around {
  readonly breaks: readonly number[];
  readonly offset: number;
  readonly size: number;
  readonly window: { readonly start: number; readonly end: number };
  readonly previousEnd: number;
}

function boundsAround(
  text: string,
  around: Around,
): { start: number; end: number; window: { start: number; end: number } } {
  const { breaks, offset, size } = around;
  let { window } = around;
  let start: number;
  let end: number;
  if (offset > window.start && offset < window.end) {
    start = around.previousEnd;
    ({ end } = window);
  } else {
    start = lastAtOrBefore(breaks, offset);
    end = firstAfter(breaks, offset, text.length);
    while (end - start < size) {
      const next = firstAfter(breaks, end, text.length);
      if (next <= end || next - start > size) break;
      end = next;
    }
    window = { start, end };
  }
  if (end - start > size) {
    if (offset - size > start) start = Math.max(start, wordBreakBefore(text, offset - size));
    const remaining = Math.max(0, size - (offset - start));
    if (offset + remaining < window.end)
      end = Math.min(window.end, wordBreakAfter(text, offset + remaining));
  }
  return { start, end, window };
}

function lastAtOrBefore(breaks: readonly number[], offset: number): number {
  return breaks.findLast((at) => at <= offset) ?? 0;
}

function firstAfter(breaks: readonly number[], offset: number, fallback: number): number {
  return breaks.find((at) => at > offset) ?? fallback;
}

/** Starts of sentences, and the end of the text. */
function sentenceBreaks(text: string): number[] {
  const breaks = [0];
  const pattern = /(?<![.!?。！？])[.!?。！？]+["')\]»”’]*\s+|\n+/gu;
  for (const found of text.matchAll(pattern)) {
    const at = found.index + found[0].length;
    // An abbreviation goes on in lower case.
    if (at < text.length && (!found[0].startsWith(".") || !/^\p{Ll}/u.test(text.slice(at))))
      breaks.push(at);
  }
  breaks.push(text.length);
  return breaks;
}

export function wordBreakAfter(text: string, offset: number): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_']/u.test(text.charAt(at));
  let at = offset + 1;
  while (at < text.length && isWord(at - 1) && isWord(at)) at += 1;
  return Math.min(at, text.length);
}

function wordBreakBefore(text: string, offset: number): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_']/u.test(text.charAt(at));
  let at = offset - 1;
  while (at > 0 && isWord(at - 1) && isWord(at)) at -= 1;
  return Math.max(0, at);
}

const K1 = 1.2;
const B = 0.75;
const PIVOT = 87;

function scoreOf(passage: Unscored, text: string, all: readonly Match[]): number {
  const length = passage.end - passage.start;
  const totals = new Map<string, number>();
  for (const { term } of all) totals.set(term, (totals.get(term) ?? 0) + 1);
  const own = new Map<string, number>();
  for (const { term } of passage.matches) own.set(term, (own.get(term) ?? 0) + 1);
  let score = 0;
  for (const [term, freq] of own) {
    const documents = 1 + text.length / PIVOT;
    const weight = (K1 + 1) * Math.log(1 + (documents + 0.5) / ((totals.get(term) ?? 0) + 0.5));
    const norm = K1 * (1 - B + B * (length / PIVOT));
    score += (freq / (freq + norm)) * weight;
  }
  return score * (1 + 1 / Math.log(PIVOT + passage.start));
}
