/** Highlighting: fields of a hit with the query's words marked, cut into passages. */
import { type IndexSettings } from "../types.ts";
import { illegalArgument, isGlob, lookup, setKey, utf8Decode } from "@orrery/stdx";
import { valuesAt } from "../fetch/source-values.ts";
import { JsonLiteral, readJson, type JsonTree } from "../json/exact-json.ts";
import type { CompiledField } from "../mapping/field.ts";
import { buildRoot } from "../queries/query.ts";
import type { Prepared } from "../search/prepared.ts";
import type { Rest } from "../search/steps.ts";
import type { Printable } from "../types.ts";
import { passagesOf, wordBreakAfter, type Match, type Passage } from "./passages.ts";
import type { HighlightOptions, HighlightRequest } from "./request.ts";
import { wantedOf, type Phrase, type Wanted } from "./terms.ts";

export interface PreparedHighlight {
  readonly fields: readonly PreparedField[];
}

interface PreparedField {
  readonly name: string;
  /** Where its values stand in the source: its parent's for a multi-field. */
  readonly path: string;
  readonly field: CompiledField;
  readonly options: HighlightOptions;
  readonly wanted: readonly Wanted[];
}

const TYPES = new Set(["unified", "plain", "fvh"]);

/** Rests between the fields that a request names. */
export function* prepareHighlight(
  request: HighlightRequest,
  prepared: Prepared,
  rest: Rest,
): Generator<undefined, PreparedHighlight> {
  const fields: PreparedField[] = [];
  for (const named of request.fields) {
    yield* rest();
    for (const field of preparedFields(named, prepared)) fields.push(field);
  }
  return { fields };
}

function preparedFields(
  [pattern, options]: HighlightRequest["fields"][number],
  prepared: Prepared,
): PreparedField[] {
  const { mapping } = prepared.context;
  if (!TYPES.has(options.type)) {
    throw illegalArgument(`unknown highlighter type [${options.type}] for the field [${pattern}]`);
  }
  checkOffset(options.maxAnalyzerOffset, mapping.settings);
  const names = isGlob(pattern) ? mapping.matchFields(pattern) : [pattern];
  const plan =
    options.query === undefined ? prepared.plan : buildRoot(options.query, prepared.context);
  const byField = wantedOf(plan);
  const everything = [...byField.values()];
  return names.flatMap((name): PreparedField[] => {
    const field = mapping.compiledField(name);
    if (field === undefined || (field.family !== "text" && field.family !== "keyword")) return [];
    const target = field.aliasOf ?? name;
    const wanted = options.requireFieldMatch ? [byField.get(target) ?? []].flat() : everything;
    return [{ name, path: pathOf(target, mapping), field, options, wanted }];
  });
}

function pathOf(name: string, mapping: Prepared["context"]["mapping"]): string {
  const at = name.lastIndexOf(".");
  if (at < 0) return name;
  const parent = name.slice(0, at);
  return mapping.object(parent) === undefined && mapping.field(parent) !== undefined
    ? pathOf(parent, mapping)
    : name;
}

/** Rests between fields. */
export function* highlightDocument(
  { fields }: PreparedHighlight,
  source: Uint8Array,
  rest: Rest,
): Generator<undefined, { [field: string]: Printable }> {
  const highlighted: { [field: string]: Printable } = {};
  let tree: JsonTree | undefined;
  for (const field of fields) {
    if (field.wanted.length === 0 && field.options.noMatchSize === 0) continue;
    yield* rest();
    tree ??= readJson(utf8Decode(source), source);
    const texts = valuesAt(tree, field.path).flatMap((value) => textOf(value));
    const fragments = highlightField(field, texts);
    if (fragments.length > 0) setKey(highlighted, field.name, fragments);
  }
  return highlighted;
}

const OFFSET_SETTING = "index.highlight.max_analyzed_offset";

/** Source: `HighlightPhase`, `UnifiedHighlighter`. */
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

function highlightField(
  { field, options, wanted }: PreparedField,
  texts: readonly string[],
): string[] {
  const fragments: { readonly text: string; readonly score: number }[] = [];
  for (const text of texts) {
    const most = options.maxAnalyzerOffset ?? Infinity;
    const matches = matchesIn(text, field, wanted).filter(({ end }) => end <= most);
    if (matches.length === 0) continue;
    if (options.numberOfFragments === 0) {
      fragments.push({
        text: mark(text, { start: 0, end: text.length, matches, score: 0 }, options),
        score: 0,
      });
      continue;
    }
    const passages = passagesOf(text, matches, {
      fragmentSize: options.fragmentSize,
      limit: options.numberOfFragments,
      isByScore: options.order === "score",
      isByWord: options.boundaryScanner === "word",
    });
    for (const passage of passages)
      fragments.push({ text: mark(text, passage, options), score: passage.score });
  }
  if (fragments.length > 0) {
    if (options.numberOfFragments === 0) return fragments.map(({ text }) => text);
    const best =
      fragments.length > options.numberOfFragments
        ? fragments.toSorted((a, b) => b.score - a.score).slice(0, options.numberOfFragments)
        : fragments;
    return (
      options.order === "score"
        ? best.toSorted((a, b) => b.score - a.score)
        : fragments.filter((one) => best.includes(one))
    ).map(({ text }) => text);
  }
  const [first] = texts;
  if (options.noMatchSize === 0 || first === undefined) return [];
  const end =
    first.length <= options.noMatchSize ? first.length : wordBreakAfter(first, options.noMatchSize);
  return [encode(first.slice(0, end).trimEnd(), options)];
}

/** In the order of the text, without overlaps. */
function matchesIn(text: string, field: CompiledField, wanted: readonly Wanted[]): Match[] {
  const tokens = tokensOf(text, field);
  const marked = new Set<number>();
  for (const { terms, tests, phrases } of wanted) {
    for (const [i, { term }] of tokens.entries()) {
      if (terms.has(term) || tests.some((test) => test(term))) marked.add(i);
    }
    for (const phrase of phrases) for (const i of phraseTokens(tokens, phrase)) marked.add(i);
  }
  const matches: Match[] = [];
  for (const i of [...marked].toSorted((a, b) => a - b)) {
    const { startOffset, endOffset, term } = tokens[i] as HighlightToken;
    if (startOffset < (matches.at(-1)?.end ?? 0)) continue;
    matches.push({ start: startOffset, end: endOffset, term });
  }
  return matches;
}

interface HighlightToken {
  readonly term: string;
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

function tokensOf(text: string, field: CompiledField): readonly HighlightToken[] {
  if (field.analyzer !== undefined) return field.analyzer.analyze(text);
  return [{ term: field.normalize(text), position: 0, startOffset: 0, endOffset: text.length }];
}

/** Tokens that take part in a match of the phrase, within its slop. */
function phraseTokens(tokens: readonly HighlightToken[], { positions, slop }: Phrase): number[] {
  const [first, ...rest] = positions;
  if (first === undefined) return [];
  const found: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (!first.matches(token.term)) continue;
    const chosen = [i];
    for (const part of rest) {
      const wanted = token.position + part.position - first.position;
      const near = tokens
        .map((other, at) => ({ at, distance: Math.abs(other.position - wanted), other }))
        .filter(
          ({ other, distance, at }) =>
            part.matches(other.term) && distance <= slop && !chosen.includes(at),
        )
        .toSorted((a, b) => a.distance - b.distance)[0];
      if (near === undefined) break;
      chosen.push(near.at);
    }
    if (chosen.length === positions.length) found.push(...chosen);
  }
  return found;
}

function mark(text: string, passage: Passage, options: HighlightOptions): string {
  const [pre = "<em>"] = options.preTags;
  const [post = "</em>"] = options.postTags;
  let marked = "";
  let at = passage.start;
  for (const { start, end } of passage.matches) {
    marked += `${encode(text.slice(at, start), options)}${pre}${encode(text.slice(start, end), options)}${post}`;
    at = end;
  }
  return (marked + encode(text.slice(at, passage.end), options)).trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  "/": "&#x2F;",
};

function encode(text: string, { encoder }: HighlightOptions): string {
  return encoder === "html"
    ? text.replaceAll(/[&<>"'/]/g, (char) => lookup(ENTITIES, char) ?? char)
    : text;
}
