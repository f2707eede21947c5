/** The fetch phase of one shard turns documents into hits with everything the request asks for. */
import {
  inHashOrder,
  lookup,
  setKey,
  setKeys,
  utf8Decode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import {
  highlightDocument,
  prepareHighlight,
  type PreparedHighlight,
} from "../highlight/highlight.ts";
import { compiled } from "../mapping/mapping.ts";
import { readJson, type JsonTree } from "../json/exact-json.ts";
import { searchRequestOf, type SearchRequest } from "../request/search-request.ts";
import { Budget } from "../work/budget.ts";
import { explainPlan } from "../execution/explanation.ts";
import type { Explanation } from "../language/explanation.ts";
import { prepareSearch } from "../request/prepared.ts";
import type { Prepared } from "../language/query.ts";
import { allSteps, restOf } from "../work/steps.ts";
import { Decimal } from "../json/printable.ts";
import type { FetchResult, Hit, HitDetails, HitSortValue, HitValue } from "../language/hits.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import type { SortValue, TopDoc } from "../language/results.ts";
import { docValueFields, sourceFields } from "./doc-value-fields.ts";
import { prepareScriptFields, type ScriptFields } from "./script-fields.ts";
import { hitBytes } from "../codec/hit-bytes.ts";
import { HitWork } from "../work/hit-work.ts";
import { matchedQueries, type MatchedQueries } from "./matched-queries.ts";
import { sourceFilter, type SourceOption } from "../source/source-filter.ts";
import { storedFieldSteps } from "./stored-fields.ts";

/** Everything prepared once per fetch. */
interface FetchRun {
  readonly view: ShardView;
  readonly request: SearchRequest;
  readonly work: HitWork;
  /** True if a hit has parts that are made in steps. */
  readonly hasParts: boolean;
  /** Returns the source as the request wants it; `undefined` without one. */
  readonly sourceOf: (source: Uint8Array) => Uint8Array | undefined;
  readonly storedFields: readonly string[];
  readonly showsMetadata: boolean;
  /** The prepared query, if some part of a hit needs it. */
  readonly prepared: Prepared | undefined;
  readonly matched: MatchedQueries | undefined;
  readonly highlight: PreparedHighlight | undefined;
  readonly scriptFields: ScriptFields | undefined;
  /** Per sort key, formats a value: scores and doubles print with a fraction. */
  readonly sortValues: readonly ((value: SortValue) => HitSortValue)[];
}

/** Returns hits in the order of `docs`, which must be documents of this view. */
export function executeFetchPhase(
  view: ShardView,
  docs: readonly TopDoc[],
  body: JsonObject,
  options: SearchOptions,
): FetchResult {
  return allSteps(fetchPhaseSteps(view, docs, body, options));
}

/** `executeFetchPhase` in steps. Yields when `isTurnOver` returns true. */
export function* fetchPhaseSteps(
  view: ShardView,
  docs: readonly TopDoc[],
  body: JsonObject,
  given: SearchOptions,
): Generator<undefined, FetchResult> {
  const budget = given.budget ?? new Budget();
  const options = { ...given, budget };
  const work = new HitWork(budget, () => restOf(options));
  const run = yield* startFetch(view, docs, { body, options, work });
  const hits: Hit[] = [];
  for (const doc of docs) {
    yield* work.rest();
    const stored = storedOf(view, doc);
    const parts = run.hasParts ? yield* hitParts(run, doc, stored.source) : noParts;
    const hit = hitOf(run, doc, stored, parts);
    budget.hold(hitBytes(hit));
    hits.push(hit);
    work.release();
  }
  return { hits };
}

/** The parts of a body that may contain named queries. */
const NAMED_PARTS = ["query", "post_filter"];
/** Keys that show that there may be a name. */
const NAME_KEYS: ReadonlySet<string> = new Set(["_name", "wrapper"]);

/**
 * False only if there are no named queries. A field called `_name` gives true, and so does any
 * `wrapper`, whose query is not parsed.
 */
function mayHaveNames(json: Json | undefined): boolean {
  if (typeof json !== "object" || json === null) return false;
  if (Array.isArray(json)) return (json as readonly Json[]).some(mayHaveNames);
  return Object.entries(json).some(([key, item]) => NAME_KEYS.has(key) || mayHaveNames(item));
}

interface FetchInput {
  readonly body: JsonObject;
  readonly options: SearchOptions;
  readonly work: HitWork;
}

function* startFetch(
  view: ShardView,
  docs: readonly TopDoc[],
  { body, options, work }: FetchInput,
): Generator<undefined, FetchRun> {
  const request = searchRequestOf(view.mapping.language, body);
  const names = request.storedFields ?? [];
  const hidesAll = names.includes("_none_");
  // Requesting stored fields hides the source unless it is requested, too.
  const isSourceImplied =
    names.includes("_source") ||
    (request.storedFields === undefined && request.scriptFields.length === 0);
  const isHidden = hidesAll || (!request.isSourceGiven && !isSourceImplied);
  const hasNames = NAMED_PARTS.some((part) => mayHaveNames(lookup(body, part)));
  // A search for no hits fetches nothing.
  const hasScripts = request.scriptFields.length > 0 && request.size > 0;
  const prepared =
    hasNames || request.explain || request.highlight !== undefined || hasScripts
      ? prepareSearch(view, { query: request.query, postFilter: request.postFilter }, options)
      : undefined;
  return {
    view,
    request,
    work,
    hasParts: needsParts(request),
    sourceOf: isHidden ? () => undefined : shownSource(request.source, work.budget),
    storedFields: names.filter((name) => name !== "_none_" && name !== "_source"),
    showsMetadata: !hidesAll,
    prepared,
    matched:
      prepared === undefined || prepared.named.length === 0
        ? undefined
        : yield* matchedQueries(prepared, docs, {
            showsScores: request.includeNamedQueriesScore,
            rest: work.rest,
          }),
    highlight:
      prepared === undefined || request.highlight === undefined
        ? undefined
        : yield* prepareHighlight(request.highlight, prepared, work.rest),
    scriptFields:
      prepared === undefined || !hasScripts
        ? undefined
        : prepareScriptFields(request.scriptFields, prepared),
    sortValues: sortValuesOf(view, request),
  };
}

/** The parts of a hit that are made in steps. */
interface HitParts {
  readonly fields: { [field: string]: readonly HitValue[] };
  readonly highlight: { readonly [field: string]: readonly string[] };
}

const noParts: HitParts = { fields: {}, highlight: {} };

/** True if the request needs parts made in steps. */
function needsParts(request: SearchRequest): boolean {
  const { storedFields, docvalueFields, fields, scriptFields, collapse, highlight } = request;
  const parts = [storedFields, collapse, highlight];
  const lists = [docvalueFields, fields, scriptFields];
  return lists.some((list) => list.length > 0) || parts.some((part) => part !== undefined);
}

function* hitParts(
  run: FetchRun,
  top: TopDoc,
  source: Uint8Array | undefined,
): Generator<undefined, HitParts> {
  const fields = yield* hitFields(run, top, source);
  const { highlight } = run;
  if (highlight === undefined || source === undefined) return { fields, highlight: {} };
  return { fields, highlight: yield* highlightDocument(highlight, source, run.work) };
}

type Stored = ReturnType<ShardView["segments"][number]["reader"]["stored"]>;

function storedOf({ segments }: ShardView, { segment, doc }: TopDoc): Stored {
  const found = segments[segment];
  if (found === undefined) throw new RangeError(`no segment ${segment}`);
  return found.reader.stored(doc);
}

function hitOf(run: FetchRun, top: TopDoc, stored: Stored, parts: HitParts): Hit {
  const sort = top.sortText ?? top.sort;
  const { source } = stored;
  return {
    index: run.view.index,
    id: run.showsMetadata ? stored.id : undefined,
    score: top.score,
    source: source && run.sourceOf(source),
    sort:
      sort === undefined || run.request.sort === undefined
        ? undefined
        : sort.map((value, i) => run.sortValues[i]?.(value) ?? shownSort(value)),
    details: detailsOf(run, top, stored, parts),
  };
}

function detailsOf(
  run: FetchRun,
  top: TopDoc,
  stored: Stored,
  { fields, highlight }: HitParts,
): HitDetails | undefined {
  const { view, request, showsMetadata } = run;
  const details: { -readonly [Key in keyof HitDetails]: HitDetails[Key] } = {};
  if (request.explain) details.copy = { shard: view.shard, nodeId: view.nodeId };
  if (request.version) details.version = stored.version;
  if (request.seqNoPrimaryTerm) {
    details.seqNo = stored.seqNo;
    details.primaryTerm = stored.primaryTerm;
  }
  const ignored = showsMetadata ? ignoredFields(view, top) : [];
  if (ignored.length > 0) details.ignored = ignored;
  if (showsMetadata && stored.routing !== undefined) details.routing = stored.routing;
  if (!isEmpty(fields)) details.fields = fields;
  if (!isEmpty(highlight)) details.highlight = highlight;
  const matched = run.matched?.of(top);
  if (matched !== undefined && matched.length > 0) details.matchedQueries = matched;
  if (request.explain && run.prepared !== undefined)
    details.explanation = explanationOf(run.prepared, top);
  return isEmpty(details) ? undefined : details;
}

/** Does not list the members. */
function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}

/** Returns the fields of the document whose malformed values were ignored. */
function ignoredFields(view: ShardView, { segment, doc }: TopDoc): string[] {
  const column = view.segments[segment]?.reader.ordinals("_ignored");
  if (column === undefined || !column.has(doc)) return [];
  const names: string[] = [];
  for (let i = column.start(doc); i < column.end(doc); i += 1)
    names.push(column.dictionary.text(column.ords[i] ?? 0));
  return names;
}

function* hitFields(
  run: FetchRun,
  top: TopDoc,
  source: Uint8Array | undefined,
): Generator<undefined, HitParts["fields"]> {
  const { view, request } = run;
  const segment = view.segments[top.segment];
  const fields: HitParts["fields"] = {};
  if (run.storedFields.length > 0)
    setKeys(fields, yield* storedFieldSteps(view.mapping, source, run.storedFields, run.work.rest));
  if (segment !== undefined && request.docvalueFields.length > 0) {
    setKeys(
      fields,
      yield* docValueFields(
        view.mapping,
        { segment, doc: top.doc },
        request.docvalueFields,
        run.work,
      ),
    );
  }
  run.scriptFields?.addTo(fields, top);
  if (request.fields.length > 0 && source !== undefined)
    setKeys(fields, yield* sourceFields(view, treeOf(source), request.fields, run.work));
  if (request.collapse !== undefined && top.collapse !== undefined && top.collapse !== null) {
    setKey(fields, request.collapse.field, [shownSort(top.collapse)]);
  }
  return run.scriptFields === undefined ? fields : inJavaOrder(fields);
}

/**
 * Orders fields like the product's hash table. The order shows where scripts and columns both give
 * fields.
 */
function inJavaOrder(fields: HitParts["fields"]): HitParts["fields"] {
  const ordered: HitParts["fields"] = {};
  for (const name of inHashOrder(Object.keys(fields)))
    setKey(ordered, name, lookup(fields, name) ?? []);
  return ordered;
}

function treeOf(source: Uint8Array): JsonTree {
  return readJson(utf8Decode(source), source);
}

function explanationOf(
  { plan, searcher }: Prepared,
  { segment, doc }: TopDoc,
): Explanation | undefined {
  const context = searcher.segments[segment];
  return context && explainPlan(plan, searcher, { segment: context, doc });
}

/** Returns a formatter for each sort key. */
function sortValuesOf(
  view: ShardView,
  { sort }: SearchRequest,
): ((value: SortValue) => HitSortValue)[] {
  return (sort ?? []).map((key) => {
    const type = key.printsAs(compiled(view.mapping));
    return type === "float" ? shownFloat : type === "double" ? shownDouble : shownSort;
  });
}

function shownFloat(value: SortValue): HitSortValue {
  return typeof value === "number" ? new Decimal(value, "float") : value;
}

function shownDouble(value: SortValue): HitSortValue {
  return typeof value === "number" ? new Decimal(value, "double") : value;
}

/** Prints integers without a fraction and other numbers as doubles. */
function shownSort(value: SortValue): HitSortValue {
  return typeof value === "number" && !Number.isInteger(value) ? shownDouble(value) : value;
}

function shownSource(
  option: SourceOption,
  budget: Budget,
): (source: Uint8Array) => Uint8Array | undefined {
  switch (option.kind) {
    case "none":
      return () => undefined;
    case "all":
      return (source) => source;
    case "filter":
      return sourceFilter(option, budget);
  }
}
