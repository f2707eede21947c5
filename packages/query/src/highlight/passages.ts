/**
 * Cuts a text into passages around its matches. Source: `BoundedBreakIteratorScanner`, Lucene's
 * `PassageScorer`.
 */

/** A range of the text that matches `term`. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** A range of the text with the matches in it. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly matches: readonly Match[];
  readonly score: number;
}

/** How to cut a text, and how many passages to return. */
export interface PassageOptions {
  readonly fragmentSize: number;
  readonly limit: number;
  readonly isByScore: boolean;
  /** `boundary_scanner: word`, where each match is a passage. */
  readonly isByWord: boolean;
}

/** Returns the best passages, sorted by score if `isByScore`, else in the order of the text. */
export function passagesOf(
  text: string,
  matches: readonly Match[],
  options: PassageOptions,
): Passage[] {
  const passages = options.isByWord
    ? wordPassages(matches)
    : sentencePassages(text, matches, options.fragmentSize);
  const scoreOf = passageScorer(text, matches);
  const scored = passages.map((passage) => ({ ...passage, score: scoreOf(passage) }));
  const best = scored
    .toSorted((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, options.limit);
  return options.isByScore ? best : best.toSorted((a, b) => a.start - b.start);
}

type Unscored = Omit<Passage, "score">;

function wordPassages(matches: readonly Match[]): Unscored[] {
  return matches.map((match) => ({ start: match.start, end: match.end, matches: [match] }));
}

/** A match inside the last passage is added to it. One that crosses its end is dropped. */
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

/** `window` is the range of the sentences around the last match. */
interface Around {
  readonly breaks: readonly number[];
  readonly offset: number;
  readonly size: number;
  readonly window: { readonly start: number; readonly end: number };
  readonly previousEnd: number;
}

/** Returns the sentences around a match, joined or cut to about `size` characters. */
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
    if (offset - size > start) start = wordBreakBefore(text, offset - size, start);
    const remaining = Math.max(0, size - (offset - start));
    if (offset + remaining < window.end)
      end = Math.min(window.end, wordBreakAfter(text, offset + remaining));
  }
  return { start, end, window };
}

function lastAtOrBefore(breaks: readonly number[], offset: number): number {
  return breaks[indexAfter(breaks, offset) - 1] ?? 0;
}

function firstAfter(breaks: readonly number[], offset: number, fallback: number): number {
  return breaks[indexAfter(breaks, offset)] ?? fallback;
}

/** Returns the index of the first break after `offset`, by binary search. */
function indexAfter(breaks: readonly number[], offset: number): number {
  let from = 0;
  let to = breaks.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((breaks[middle] as number) <= offset) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the starts of sentences, and the end of the text. */
function sentenceBreaks(text: string): number[] {
  const breaks = [0];
  const pattern = /(?<![.!?。！？])[.!?。！？]+["')\]»”’]*\s+|\n+/gu;
  for (const found of text.matchAll(pattern)) {
    const at = found.index + found[0].length;
    // A lower-case letter follows an abbreviation.
    if (at < text.length && (!found[0].startsWith(".") || !isLowerCase(text, at))) breaks.push(at);
  }
  breaks.push(text.length);
  return breaks;
}

function isLowerCase(text: string, at: number): boolean {
  return /^\p{Ll}/u.test(String.fromCodePoint(text.codePointAt(at) as number));
}

export function wordBreakAfter(text: string, offset: number): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_']/u.test(text.charAt(at));
  let at = offset + 1;
  while (at < text.length && isWord(at - 1) && isWord(at)) at += 1;
  return Math.min(at, text.length);
}

/** Returns a word break at `least` or later. */
function wordBreakBefore(text: string, offset: number, least: number): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}_']/u.test(text.charAt(at));
  let at = offset - 1;
  while (at > least && isWord(at - 1) && isWord(at)) at -= 1;
  return Math.max(least, at);
}

/** BM25 parameters of the passage score, with Lucene's values. */
const K1 = 1.2;
const B = 0.75;
const PIVOT = 87;

/**
 * Scores a passage by BM25 as if it were a document; passages at the start of the text get a bonus.
 */
function passageScorer(text: string, all: readonly Match[]): (passage: Unscored) => number {
  const totals = frequencies(all);
  const documents = 1 + text.length / PIVOT;
  return ({ start, end, matches }) => {
    const norm = K1 * (1 - B + B * ((end - start) / PIVOT));
    const scoreOf = (term: string, freq: number): number => {
      const weight = (K1 + 1) * Math.log(1 + (documents + 0.5) / ((totals.get(term) ?? 0) + 0.5));
      return (freq / (freq + norm)) * weight;
    };
    const [first] = matches;
    let score = 0;
    if (first !== undefined && matches.length === 1) score = scoreOf(first.term, 1);
    else for (const [term, freq] of frequencies(matches)) score += scoreOf(term, freq);
    return score * (1 + 1 / Math.log(PIVOT + start));
  };
}

function frequencies(matches: readonly Match[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { term } of matches) found.set(term, (found.get(term) ?? 0) + 1);
  return found;
}
