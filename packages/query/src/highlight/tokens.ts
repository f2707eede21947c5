/**
 * Finds the tokens of a text to mark: terms, terms that match patterns, and the words of matching
 * phrases.
 */
import type { HitWork } from "../work/hit-work.ts";
import type { CompiledField } from "../language/field-type.ts";
import { Budget } from "../work/budget.ts";
import type { Match } from "./passages.ts";
import type { Phrase, PhrasePosition, Wanted } from "./terms.ts";

/** A token of the analyzed text. */
interface Token {
  readonly term: string;
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The budget steps of analysing one character. */
const CHAR_STEPS = 4;

/** The number of tokens between two checks of the budget. */
const TOKENS_A_LOOK = 4096;

/**
 * Returns matches in the order of the text, without overlaps. Yields when the budget asks for a
 * rest.
 */
export function* matchesIn(
  text: string,
  field: CompiledField,
  wanted: Wanted,
  work: HitWork,
): Generator<undefined, Match[]> {
  work.budget.step(text.length * CHAR_STEPS);
  const tokens = tokensOf(text, field);
  const marked = new Uint8Array(tokens.length);
  yield* markTerms(tokens, wanted, { marked, work });
  if (wanted.phrases.length > 0) {
    const words = new WordIndex(tokens);
    const placing = new Budget();
    for (const phrase of wanted.phrases)
      yield* markPhrase(words, phrase, { marked, work, placing });
  }
  const matches: Match[] = [];
  let end = 0;
  for (let i = 0; i < tokens.length; i += 1) {
    if (marked[i] === 0) continue;
    const { startOffset, endOffset, term } = tokens[i] as Token;
    if (startOffset < end) continue;
    matches.push({ start: startOffset, end: endOffset, term });
    end = endOffset;
  }
  return matches;
}

/** A field without analyzer is a single token. */
function tokensOf(text: string, field: CompiledField): readonly Token[] {
  if (field.analyzer !== undefined) return field.analyzer.analyze(text);
  return [{ term: field.normalize(text), position: 0, startOffset: 0, endOffset: text.length }];
}

interface Marking {
  /** By token, 1 if it is marked. */
  readonly marked: Uint8Array;
  readonly work: HitWork;
}

interface PhraseMarking extends Marking {
  /** Limits the phrase search of one text, which could otherwise take hours. */
  readonly placing: Budget;
}

/** Marks the tokens of single terms and patterns. */
function* markTerms(
  tokens: readonly Token[],
  { terms, tests }: Wanted,
  { marked, work }: Marking,
): Generator<undefined, void> {
  const { budget, rest } = work;
  /** The results of `tests` by term, so that each term is tested once. */
  const tested = new Map<string, boolean>();
  for (let i = 0; i < tokens.length; i += 1) {
    const { term } = tokens[i] as Token;
    let isWanted = terms.has(term);
    if (!isWanted && tests.length > 0) {
      let known = tested.get(term);
      if (known === undefined) {
        known = yield* passesAny(term, tests, work);
        tested.set(term, known);
      }
      isWanted = known;
    }
    if (isWanted) marked[i] = 1;
    if (i % TOKENS_A_LOOK !== 0) continue;
    budget.step(TOKENS_A_LOOK);
    if (budget.isRestDue) yield* rest();
  }
}

/** True if a test accepts the term. */
function* passesAny(
  term: string,
  tests: Wanted["tests"],
  { budget, rest }: HitWork,
): Generator<undefined, boolean> {
  for (const test of tests) {
    budget.step(1 + term.length);
    if (budget.isRestDue) yield* rest();
    if (test(term)) return true;
  }
  return false;
}

// ----------------------------------------------------------------------------------------- phrases

/** Indices of tokens, ascending. */
type TokenList = ArrayLike<number> & Iterable<number>;

/** The tokens of each term. Indices ascend, and so do their positions. */
class WordIndex {
  readonly tokens: readonly Token[];
  /** By token, the last attempt that chose it, so that an attempt uses each token once. */
  readonly takenBy: Int32Array;
  attempts = 0;
  private readonly byWord = new Map<string, number[]>();
  /** The tokens of phrase positions with alternatives. */
  private readonly byPlace = new Map<string, TokenList>();

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.takenBy = new Int32Array(tokens.length);
    for (let i = 0; i < tokens.length; i += 1) {
      const { term } = tokens[i] as Token;
      const list = this.byWord.get(term);
      if (list === undefined) this.byWord.set(term, [i]);
      else list.push(i);
    }
  }

  positionOf(token: number): number {
    return (this.tokens[token] as Token).position;
  }

  /** Returns the tokens that can match a position of a phrase. */
  of(place: PhrasePosition, budget: Budget): TokenList {
    const { texts, isPrefix } = place;
    const [only] = texts;
    if (only !== undefined && texts.length === 1 && !isPrefix) return this.byWord.get(only) ?? [];
    const key = `${isPrefix}\0${texts.join("\0")}`;
    let tokens = this.byPlace.get(key);
    if (tokens === undefined) {
      tokens = this.union(place, budget);
      this.byPlace.set(key, tokens);
    }
    return tokens;
  }

  /** Returns the tokens of all alternatives. */
  private union({ texts, isPrefix }: PhrasePosition, budget: Budget): Int32Array {
    if (isPrefix) budget.step(this.byWord.size * texts.length);
    const words = isPrefix
      ? [...this.byWord.keys()].filter((word) => texts.some((text) => word.startsWith(text)))
      : [...new Set(texts)];
    const all = words.flatMap((word) => this.byWord.get(word) ?? []);
    return Int32Array.from(all).toSorted();
  }
}

/** One word of a phrase, after the first. */
interface Part {
  /** The number of positions after the first word. */
  readonly distance: number;
  readonly tokens: TokenList;
  /**
   * The index of the first token at or after the wanted position. It only grows, like the wanted
   * positions.
   */
  at: number;
}

/**
 * Marks the tokens of phrase matches. For each first word, it chooses for every other word the
 * token nearest to its position.
 */
function* markPhrase(
  words: WordIndex,
  { positions, slop }: Phrase,
  { marked, work, placing }: PhraseMarking,
): Generator<undefined, void> {
  const [first, ...others] = positions;
  if (first === undefined) return;
  const { budget, rest } = work;
  const firsts = words.of(first, budget);
  const parts: Part[] = [];
  for (const place of others) {
    const tokens = words.of(place, budget);
    if (tokens.length === 0) return;
    parts.push({ distance: place.position - first.position, tokens, at: 0 });
  }
  const chosen = new Int32Array(positions.length);
  for (const token of firsts) {
    words.attempts += 1;
    const position = words.positionOf(token);
    chosen[0] = token;
    words.takenBy[token] = words.attempts;
    let count = 1;
    const before = placing.stepsTaken;
    for (const part of parts) {
      const near = nearest(words, part, { wanted: position + part.distance, slop, placing });
      if (near < 0) break;
      words.takenBy[near] = words.attempts;
      chosen[count] = near;
      count += 1;
    }
    budget.step(1 + placing.stepsTaken - before);
    if (budget.isRestDue) yield* rest();
    if (count < positions.length) continue;
    for (let i = 0; i < count; i += 1) marked[chosen[i] as number] = 1;
  }
}

/** The wanted position, and the greatest distance from it. */
interface Near {
  readonly wanted: number;
  readonly slop: number;
  readonly placing: Budget;
}

/**
 * Returns the nearest unused token of the part, the earlier of two; -1 if none is within the slop.
 */
function nearest(words: WordIndex, part: Part, { wanted, slop, placing }: Near): number {
  const { tokens } = part;
  const { takenBy, attempts } = words;
  const before = part.at;
  while (part.at < tokens.length && words.positionOf(tokens[part.at] as number) < wanted)
    part.at += 1;
  let right = part.at;
  let left = right - 1;
  let looks = 1 + part.at - before;
  let found = -1;
  while (found < 0) {
    const behind = left < 0 ? Infinity : wanted - words.positionOf(tokens[left] as number);
    const ahead =
      right >= tokens.length ? Infinity : words.positionOf(tokens[right] as number) - wanted;
    if (Math.min(behind, ahead) > slop) break;
    looks += 1;
    if (ahead < behind) {
      const token = tokens[right] as number;
      if (takenBy[token] !== attempts) found = token;
      right += 1;
      continue;
    }
    // Of several tokens at one position, the first.
    const position = words.positionOf(tokens[left] as number);
    for (; left >= 0 && words.positionOf(tokens[left] as number) === position; left -= 1) {
      looks += 1;
      const token = tokens[left] as number;
      if (takenBy[token] !== attempts) found = token;
    }
  }
  placing.step(looks);
  return found;
}
