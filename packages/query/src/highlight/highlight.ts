/** Highlighting: passages of a hit's fields in which the words of the query are marked. */
import type { IndexSettings } from "../language/mapping.ts";
import { illegalArgument, lookup, setKey, utf8Decode } from "@orrery/stdx";
import type { HitWork } from "../work/hit-work.ts";
import { valuesAt } from "../source/source-values.ts";
import { JsonLiteral, readJson, type JsonTree } from "../json/exact-json.ts";
import type { CompiledField } from "../language/field-type.ts";
import { namesOf, valuePathOf } from "../language/field-paths.ts";
import { buildRoot } from "../queries/query.ts";
import type { Prepared } from "../language/query.ts";
import type { Rest } from "../work/steps.ts";
import { encode, mark } from "./mark.ts";
import { passagesOf, wordBreakAfter, type Passage } from "./passages.ts";
import type { HighlightOptions, HighlightRequest } from "./request.ts";
import { allWanted, wantedOf, type Wanted } from "./terms.ts";
import { matchesIn } from "./tokens.ts";

/** The highlighted fields of a request, prepared once for all hits. */
export interface PreparedHighlight {
  readonly fields: readonly PreparedField[];
}

interface PreparedField {
  readonly name: string;
  /** The path of the values in the source. A multi-field has its parent's. */
  readonly path: string;
  readonly field: CompiledField;
  readonly options: HighlightOptions;
  /** `undefined` if the query has no terms in this field. */
  readonly wanted: Wanted | undefined;
}

const TYPES = new Set(["unified", "plain", "fvh"]);

/**
 * Collects the terms to mark. Yields between the fields that a request names.
 * @throws OperationError `illegal_argument_exception` for bad options
 */
export function* prepareHighlight(
  request: HighlightRequest,
  prepared: Prepared,
  rest: Rest,
): Generator<undefined, PreparedHighlight> {
  const fields: PreparedField[] = [];
  const { context } = prepared;
  const main = searched(wantedOf(prepared.plan));
  for (const named of request.fields) {
    yield* rest();
    checkOptions(named, context.mapping.settings);
    const [, { query }] = named;
    const own = query === undefined ? main : searched(wantedOf(buildRoot(query, context)));
    for (const field of preparedFields(named, context.mapping, own)) fields.push(field);
  }
  return { fields };
}

function checkOptions(
  [pattern, { type, maxAnalyzerOffset }]: HighlightRequest["fields"][number],
  settings: IndexSettings,
): void {
  if (!TYPES.has(type))
    throw illegalArgument(`unknown highlighter type [${type}] for the field [${pattern}]`);
  checkOffset(maxAnalyzerOffset, settings);
}

/** The terms, tests and phrases of a query. */
interface Searched {
  readonly byField: ReadonlyMap<string, Wanted>;
  /** The terms of all fields together, for `require_field_match: false`. */
  readonly everything: Wanted;
}

function searched(byField: ReadonlyMap<string, Wanted>): Searched {
  return { byField, everything: allWanted(byField) };
}

type Mapping = Prepared["context"]["mapping"];

/** Returns the text fields that a name or pattern selects. */
function preparedFields(
  [pattern, options]: HighlightRequest["fields"][number],
  mapping: Mapping,
  { byField, everything }: Searched,
): PreparedField[] {
  return namesOf(mapping, pattern).flatMap((name): PreparedField[] => {
    const field = mapping.compiledField(name);
    if (field === undefined || field.text === undefined) return [];
    const target = field.aliasOf ?? name;
    const any = byField.size === 0 ? undefined : everything;
    const wanted = options.requireFieldMatch ? byField.get(target) : any;
    return [{ name, path: valuePathOf(mapping, target), field, options, wanted }];
  });
}

/** Returns the fragments by field. Yields between fields, and between the values of a field. */
export function* highlightDocument(
  { fields }: PreparedHighlight,
  source: Uint8Array,
  work: HitWork,
): Generator<undefined, { [field: string]: readonly string[] }> {
  const highlighted: { [field: string]: readonly string[] } = {};
  let tree: JsonTree | undefined;
  for (const field of fields) {
    if (field.wanted === undefined && field.options.noMatchSize === 0) continue;
    yield* work.rest();
    tree ??= readJson(utf8Decode(source), source);
    const texts = valuesAt(tree, field.path).flatMap((value) => textOf(value));
    const fragments = yield* highlightField(field, texts, work);
    if (fragments.length > 0) setKey(highlighted, field.name, fragments);
  }
  return highlighted;
}

const OFFSET_SETTING = "index.highlight.max_analyzed_offset";

/** Checks against the index setting. Source: `HighlightPhase`, `UnifiedHighlighter`. */
function checkOffset(given: number | undefined, settings: IndexSettings): void {
  if (given === undefined) return;
  if (given <= 0) throw illegalArgument(`the value [${given}] of max_analyzer_offset is invalid`);
  const setting = lookup(settings, OFFSET_SETTING);
  const most = typeof setting === "string" ? Number(setting) : 1_000_000;
  if (given <= most) return;
  throw illegalArgument(
    `max_analyzer_offset has exceeded [${most}] - maximum allowed to be analyzed for highlighting. This maximum can be set by changing the [${OFFSET_SETTING}] index level setting. For large texts, indexing with offsets or term vectors is recommended!`,
  );
}

function textOf(value: JsonTree): string[] {
  if (value instanceof JsonLiteral) return [value.text];
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [String(value)]
    : [];
}

/** A passage with the value it is from. */
interface Fragment {
  readonly text: string;
  readonly passage: Passage;
}

/** Without any match, returns the beginning of the first value if `no_match_size` is set. */
function* highlightField(
  { field, options, wanted }: PreparedField,
  texts: readonly string[],
  work: HitWork,
): Generator<undefined, string[]> {
  const fragments: Fragment[] = [];
  for (const text of wanted === undefined ? [] : texts) {
    yield* work.rest();
    for (const passage of yield* passagesIn(
      text,
      { field, options, wanted: wanted as Wanted },
      work,
    ))
      fragments.push({ text, passage });
  }
  if (fragments.length > 0)
    return bestOf(fragments, options).map(({ text, passage }) =>
      mark(text, passage, { options, work }),
    );
  const [first] = texts;
  if (options.noMatchSize === 0 || first === undefined) return [];
  const end =
    first.length <= options.noMatchSize ? first.length : wordBreakAfter(first, options.noMatchSize);
  return [encode(first.slice(0, end).trimEnd(), options)];
}

/** The field to search in a text, and the terms to find. */
interface Searching {
  readonly field: CompiledField;
  readonly options: HighlightOptions;
  readonly wanted: Wanted;
}

/** Returns the passages of one value. */
function* passagesIn(
  text: string,
  { field, options, wanted }: Searching,
  work: HitWork,
): Generator<undefined, readonly Passage[]> {
  const most = options.maxAnalyzerOffset ?? Infinity;
  const found = yield* matchesIn(text, field, wanted, work);
  const matches = found.filter(({ end }) => end <= most);
  if (matches.length === 0) return [];
  if (options.numberOfFragments === 0) return [{ start: 0, end: text.length, matches, score: 0 }];
  return passagesOf(text, matches, {
    fragmentSize: options.fragmentSize,
    limit: options.numberOfFragments,
    isByScore: options.order === "score",
    isByWord: options.boundaryScanner === "word",
  });
}

/** Returns the best fragments, by score or in the order of the text. */
function bestOf(
  fragments: readonly Fragment[],
  { numberOfFragments, order }: HighlightOptions,
): readonly Fragment[] {
  if (numberOfFragments === 0) return fragments;
  const byScore = fragments.toSorted((a, b) => b.passage.score - a.passage.score);
  if (order === "score") return byScore.slice(0, numberOfFragments);
  if (fragments.length <= numberOfFragments) return fragments;
  const best = new Set(byScore.slice(0, numberOfFragments));
  return fragments.filter((one) => best.has(one));
}
