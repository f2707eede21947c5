/** Term suggestions on one shard, and their reduction. Source: `TermSuggester`, Lucene's `DirectSpellChecker`. */
import { illegalArgument, lookup, setKey, utf8Encode } from "@orrery/stdx";
import { float } from "../json/json-text.ts";
import { nearTermsSteps } from "../queries/near-terms.ts";
import type { Prepared } from "../language/query.ts";
import type { Rest } from "../work/steps.ts";
import type { PrintedJson } from "../json/printable.ts";
import type { SuggestRequest, TermSuggestion } from "./request.ts";

interface Option {
  readonly text: string;
  readonly score: number;
  readonly freq: number;
}

interface Entry {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly freq: number;
  readonly options: readonly Option[];
}

export type SuggestPartial = Readonly<Record<string, readonly Entry[]>>;

/** Suggestions of one shard. Rests between words, and where many terms were looked at for one. */
export function* suggestSteps(
  request: SuggestRequest,
  prepared: Prepared,
  rest: Rest,
): Generator<undefined, SuggestPartial> {
  const partial: Record<string, readonly Entry[]> = {};
  for (const suggestion of request.suggestions)
    setKey(partial, suggestion.name, yield* suggest(suggestion, prepared, rest));
  return partial;
}

/** Of a word, and of an option of it, without their texts. */
const ENTRY_BYTES = 256;
const OPTION_BYTES = 128;

function* suggest(
  suggestion: TermSuggestion,
  { context, searcher }: Prepared,
  rest: Rest,
): Generator<undefined, Entry[]> {
  const field = context.mapping.compiledField(suggestion.field);
  if (field === undefined)
    throw illegalArgument(`no mapping found for field [${suggestion.field}]`);
  const analyzer =
    suggestion.analyzer === undefined
      ? field.searchAnalyzer
      : context.mapping.analysis.analyzer(suggestion.analyzer);
  const tokens =
    analyzer === undefined
      ? [{ term: suggestion.text, startOffset: 0, endOffset: suggestion.text.length }]
      : analyzer.analyze(suggestion.text);
  const name = field.aliasOf ?? field.name;
  const entries: Entry[] = [];
  for (const { term, startOffset, endOffset } of tokens) {
    yield* rest();
    const freq = searcher.term(name, utf8Encode(term)).docFreq;
    const entry = { text: term, offset: startOffset, length: endOffset - startOffset, freq };
    const isSkipped = suggestion.mode === "missing" && freq > 0;
    const options: readonly Option[] =
      isSkipped || [...term].length < suggestion.minWordLength
        ? []
        : yield* near(suggestion, name, { term, freq, searcher, rest });
    searcher.budget.hold(ENTRY_BYTES + 2 * term.length);
    for (const { text } of options) searcher.budget.hold(OPTION_BYTES + 2 * text.length);
    entries.push({ ...entry, options });
  }
  return entries;
}

interface Word {
  readonly term: string;
  readonly freq: number;
  readonly searcher: Prepared["searcher"];
  readonly rest: Rest;
}

/** A term is looked up in all segments. */
const LOOK_UP_STEPS = 50;

function* near(
  suggestion: TermSuggestion,
  field: string,
  { term, freq, searcher, rest }: Word,
): Generator<undefined, Option[]> {
  const { budget } = searcher;
  const found = new Map<string, number>();
  const within = {
    edits: suggestion.maxEdits,
    prefixLength: suggestion.prefixLength,
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
    suggestion.mode === "popular" ? options.filter((option) => option.freq > freq) : options;
  return order(suggestion, popular).slice(0, suggestion.size);
}

function order(suggestion: Pick<TermSuggestion, "sort">, options: readonly Option[]): Option[] {
  return options.toSorted((a, b) => {
    const byScore = b.score - a.score;
    const byFrequency = b.freq - a.freq;
    const [first, second] =
      suggestion.sort === "score" ? [byScore, byFrequency] : [byFrequency, byScore];
    return first || second || (a.text < b.text ? -1 : 1);
  });
}

/** The `suggest` section, by name. */
export function reduceSuggest(
  request: SuggestRequest,
  partials: readonly SuggestPartial[],
): { readonly [name: string]: PrintedJson } {
  const json: Record<string, PrintedJson> = {};
  for (const suggestion of request.suggestions) {
    const lists = partials.map((partial) => lookup(partial, suggestion.name) ?? []);
    setKey(
      json,
      suggestion.name,
      (lists[0] ?? []).map((entry, i) => ({
        text: entry.text,
        offset: entry.offset,
        length: entry.length,
        options: mergeOptions(
          suggestion,
          lists.map((list) => list[i]?.options ?? []),
        ).map((option) => ({
          text: option.text,
          score: float(Math.fround(option.score)),
          freq: option.freq,
        })),
      })),
    );
  }
  return json;
}

function mergeOptions(suggestion: TermSuggestion, lists: readonly (readonly Option[])[]): Option[] {
  const merged = new Map<string, Option>();
  for (const option of lists.flat()) {
    const known = merged.get(option.text);
    merged.set(
      option.text,
      known === undefined ? option : { ...known, freq: known.freq + option.freq },
    );
  }
  return order(suggestion, [...merged.values()]).slice(0, suggestion.size);
}
