/**
 * The suggester `term`: terms of the index within an edit distance of each word of a text. Source:
 * `TermSuggester`, Lucene's `DirectSpellChecker`.
 */
import { illegalArgument, utf8Encode } from "@orrery/stdx";
import { intOf, members, scalarText } from "../body/cursor.ts";
import { float } from "../json/json-text.ts";
import type { PrintedJson } from "../json/printable.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Prepared } from "../language/query.ts";
import type { Suggestion, SuggestionHead } from "../language/suggester.ts";
import { nearTermsSteps } from "../queries/near-terms.ts";
import type { Rest } from "../work/steps.ts";
import { defineSuggestion } from "./define-suggestion.ts";

/** A parsed suggestion. */
interface TermRequest {
  readonly text: string;
  readonly field: string;
  readonly size: number;
  readonly analyzer: string | undefined;
  /**
   * `missing`: only for words that the index lacks; `popular`: only terms more frequent than the
   * word; `always`: for every word.
   */
  readonly mode: "missing" | "popular" | "always";
  readonly sort: "score" | "frequency";
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
}

/** A suggested term, with its document frequency. */
type Option = { readonly text: string; readonly score: number; readonly freq: number };

/** A word of the text, at its offset in UTF-16 units, with its suggestions. */
type Entry = {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly freq: number;
  readonly options: readonly Option[];
};

/**
 * Parses a `term` suggestion.
 * @throws BodyError or OperationError 400
 */
export function parseTerm(head: SuggestionHead, at: Cursor): Suggestion {
  const options = new Map(members(at));
  const word = (key: string): string | undefined => {
    const option = options.get(key);
    return option === undefined ? undefined : scalarText(option);
  };
  const number = (key: string, fallback: number): number => {
    const option = options.get(key);
    return option === undefined ? fallback : intOf(option);
  };
  const field = word("field");
  if (field === undefined) throw illegalArgument("the required field option is missing");
  const mode = word("suggest_mode") ?? "missing";
  if (mode !== "missing" && mode !== "popular" && mode !== "always") {
    throw illegalArgument(
      `No enum constant org.opensearch.search.suggest.term.TermSuggestionBuilder.SuggestMode.${mode.toUpperCase()}`,
    );
  }
  const size = number("size", 5);
  if (size <= 0) throw illegalArgument("size must be positive");
  const maxEdits = number("max_edits", 2);
  if (maxEdits < 1 || maxEdits > 2) throw illegalArgument("maxEdits must be between 1 and 2");
  const request: TermRequest = {
    text: head.text,
    field,
    size,
    analyzer: word("analyzer"),
    mode,
    sort: word("sort") === "frequency" ? "frequency" : "score",
    maxEdits,
    prefixLength: number("prefix_length", 1),
    minWordLength: number("min_word_length", 4),
  };
  return defineSuggestion<readonly Entry[]>(head, {
    suggest: (prepared, rest) => suggest(request, prepared, rest),
    reduce: (partials) => reduce(request, partials),
  });
}

/** Bytes of a word and of a suggestion, without their texts. */
const ENTRY_BYTES = 256;
const OPTION_BYTES = 128;

/** Analyzes the text and finds terms for each of its words. */
function* suggest(
  request: TermRequest,
  { context, searcher }: Prepared,
  rest: Rest,
): Generator<undefined, Entry[]> {
  const field = context.mapping.compiledField(request.field);
  if (field === undefined) throw illegalArgument(`no mapping found for field [${request.field}]`);
  const analyzer =
    request.analyzer === undefined
      ? field.searchAnalyzer
      : context.mapping.analysis.analyzer(request.analyzer);
  const tokens =
    analyzer === undefined
      ? [{ term: request.text, startOffset: 0, endOffset: request.text.length }]
      : analyzer.analyze(request.text);
  const name = field.aliasOf ?? field.name;
  const entries: Entry[] = [];
  for (const { term, startOffset, endOffset } of tokens) {
    yield* rest();
    const freq = searcher.term(name, utf8Encode(term)).docFreq;
    const entry = { text: term, offset: startOffset, length: endOffset - startOffset, freq };
    const isSkipped = request.mode === "missing" && freq > 0;
    const options: readonly Option[] =
      isSkipped || [...term].length < request.minWordLength
        ? []
        : yield* near(request, name, { term, freq, searcher, rest });
    searcher.budget.hold(ENTRY_BYTES + 2 * term.length);
    for (const { text } of options) searcher.budget.hold(OPTION_BYTES + 2 * text.length);
    entries.push({ ...entry, options });
  }
  return entries;
}

/** A word with its document frequency. */
interface Word {
  readonly term: string;
  readonly freq: number;
  readonly searcher: Prepared["searcher"];
  readonly rest: Rest;
}

/** Steps of the budget for looking up a term in a segment. */
const LOOK_UP_STEPS = 50;

/** The best terms near the word, the word itself left out. */
function* near(
  request: TermRequest,
  field: string,
  { term, freq, searcher, rest }: Word,
): Generator<undefined, Option[]> {
  const { budget } = searcher;
  const found = new Map<string, number>();
  const within = {
    edits: request.maxEdits,
    prefixLength: request.prefixLength,
    transpositions: true,
  };
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(field);
    if (terms === undefined) continue;
    for (const { text, similarity } of yield* nearTermsSteps(terms, term, within, rest))
      found.set(text, similarity);
  }
  found.delete(term);
  const options: Option[] = [];
  for (const [text, score] of found) {
    budget.step(LOOK_UP_STEPS * searcher.segments.length);
    if (budget.isRestDue) yield* rest();
    options.push({ text, score, freq: searcher.term(field, utf8Encode(text)).docFreq });
  }
  const popular =
    request.mode === "popular" ? options.filter((option) => option.freq > freq) : options;
  return order(request, popular).slice(0, request.size);
}

/** By score or frequency, then by the other, then by text. */
function order(request: Pick<TermRequest, "sort">, options: readonly Option[]): Option[] {
  return options.toSorted((a, b) => {
    const byScore = b.score - a.score;
    const byFrequency = b.freq - a.freq;
    const [first, second] =
      request.sort === "score" ? [byScore, byFrequency] : [byFrequency, byScore];
    return first || second || (a.text < b.text ? -1 : 1);
  });
}

/** Merges the shards' entries by position: all shards analyze the text in the same way. */
function reduce(request: TermRequest, lists: readonly (readonly Entry[])[]): PrintedJson {
  return (lists[0] ?? []).map((entry, i) => ({
    text: entry.text,
    offset: entry.offset,
    length: entry.length,
    options: mergeOptions(
      request,
      lists.map((list) => list[i]?.options ?? []),
    ).map((option) => ({
      text: option.text,
      score: float(Math.fround(option.score)),
      freq: option.freq,
    })),
  }));
}

/** Merges equal terms, adds their frequencies and cuts the list. */
function mergeOptions(request: TermRequest, lists: readonly (readonly Option[])[]): Option[] {
  const merged = new Map<string, Option>();
  for (const option of lists.flat()) {
    const known = merged.get(option.text);
    merged.set(
      option.text,
      known === undefined ? option : { ...known, freq: known.freq + option.freq },
    );
  }
  return order(request, [...merged.values()]).slice(0, request.size);
}
