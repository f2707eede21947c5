/** The fetch phase on one shard: documents to hits, each printed whole, in the product's order of members. */
import {
  lookup,
  setKey,
  setKeys,
  shortJoin,
  shortText,
  utf8Decode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import {
  highlightDocument,
  prepareHighlight,
  type PreparedHighlight,
} from "../highlight/highlight.ts";
import { double, float, jsonText } from "../json/json-text.ts";
import { compiled } from "../mapping/mapping.ts";
import { readJson, type JsonTree } from "../json/exact-json.ts";
import { searchRequestOf, type SearchRequest } from "../request/search-request.ts";
import { Budget } from "../search/budget.ts";
import { explainPlan, printExplanation } from "../search/explanation.ts";
import { prepareSearch, type Prepared } from "../search/prepared.ts";
import { allSteps, restOf } from "../search/steps.ts";
import type {
  FetchedHit,
  FetchResult,
  Printable,
  SearchOptions,
  ShardView,
  SortValue,
  TopDoc,
} from "../types.ts";
import { docValueFields, sourceFields } from "./doc-value-fields.ts";
import { HitWork } from "./hit-work.ts";
import { matchedQueries, type MatchedQueries } from "./matched-queries.ts";
import { sourceFilter, type SourceOption } from "./source-filter.ts";
import { storedFieldSteps } from "./stored-fields.ts";

/** What is made once for all documents of a fetch. */
interface FetchRun {
  readonly view: ShardView;
  readonly request: SearchRequest;
  readonly work: HitWork;
  /** Some parts of a hit take long enough that work on them rests. */
  readonly hasDetails: boolean;
  /** The document as the request wants it; `undefined`: not at all. */
  readonly sourceOf: (source: Uint8Array) => Uint8Array | undefined;
  readonly storedFields: readonly string[];
  readonly showsMetadata: boolean;
  /** Present when some part needs the query again. */
  readonly prepared: Prepared | undefined;
  readonly matched: MatchedQueries | undefined;
  readonly highlight: PreparedHighlight | undefined;
  /** Which sort values are scores or doubles. */
  readonly printers: readonly ((value: SortValue) => Printable)[];
}

/** `docs` are of this view; hits come in their order. */
export function executeFetchPhase(
  view: ShardView,
  docs: readonly TopDoc[],
  body: JsonObject,
  options: SearchOptions,
): FetchResult {
  return allSteps(fetchPhaseSteps(view, docs, body, options));
}

/** Of a hit, without its text. */
const HIT_BYTES = 512;

/** The same in steps: it rests where `isTurnOver` says so. */
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
  const hits: FetchedHit[] = [];
  for (const doc of docs) {
    yield* work.rest();
    const stored = storedOf(view, doc);
    const details = run.hasDetails ? yield* hitDetails(run, doc, stored.source) : noDetails;
    const hit = printHit(run, doc, stored, details);
    budget.hold(HIT_BYTES + hit.json.length);
    hits.push(hit);
    work.release();
  }
  return { hits };
}

const NAMED_PARTS = ["query", "post_filter"];
const NAME_KEYS: ReadonlySet<string> = new Set(["_name", "wrapper"]);

/** A field of such a name looks like a query that has one; the queries in a `wrapper` are not read. */
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
  // Naming stored fields hides the source, unless it is asked for.
  const isSourceImplied = request.storedFields === undefined || names.includes("_source");
  const isHidden = hidesAll || (!request.isSourceGiven && !isSourceImplied);
  const hasNames = NAMED_PARTS.some((part) => mayHaveNames(lookup(body, part)));
  const prepared =
    hasNames || request.explain || request.highlight !== undefined
      ? prepareSearch(view, { query: request.query, postFilter: request.postFilter }, options)
      : undefined;
  return {
    view,
    request,
    work,
    hasDetails: needsDetails(request),
    sourceOf: isHidden ? () => undefined : shownSource(request.source, work.budget),
    storedFields: names.filter((name) => name !== "_none_" && name !== "_source"),
    showsMetadata: !hidesAll,
    prepared,
    matched:
      prepared === undefined || prepared.named.length === 0
        ? undefined
        : yield* matchedQueries(prepared, docs, work.rest),
    highlight:
      prepared === undefined || request.highlight === undefined
        ? undefined
        : yield* prepareHighlight(request.highlight, prepared, work.rest),
    printers: sortPrinters(view, request),
  };
}

type Members = { [key: string]: Printable };

/** Parts of a hit that are made in steps. Without members: the hit has none of them. */
interface HitDetails {
  readonly fields: Members;
  readonly highlight: Members;
}

const noDetails: HitDetails = { fields: {}, highlight: {} };

function needsDetails(request: SearchRequest): boolean {
  const { storedFields, docvalueFields, fields, collapse, highlight } = request;
  const parts = [storedFields, collapse, highlight];
  return docvalueFields.length > 0 || fields.length > 0 || parts.some((part) => part !== undefined);
}

function* hitDetails(
  run: FetchRun,
  top: TopDoc,
  source: Uint8Array | undefined,
): Generator<undefined, HitDetails> {
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

function printHit(
  run: FetchRun,
  top: TopDoc,
  stored: Stored,
  { fields, highlight }: HitDetails,
): FetchedHit {
  const { request } = run;
  const head = hitHead(run, top, stored);
  const after: Members = {};
  if (Object.keys(fields).length > 0) after["fields"] = fields;
  if (Object.keys(highlight).length > 0) after["highlight"] = highlight;
  const sort = top.sortText ?? top.sort;
  if (sort !== undefined && request.sort !== undefined) {
    after["sort"] = sort.map((value, i) => (run.printers[i] ?? printSort)(value));
  }
  const matched = run.matched?.of(top);
  if (matched !== undefined && matched.length > 0) {
    after["matched_queries"] = request.includeNamedQueriesScore
      ? Object.fromEntries(matched.map(({ name, score }) => [name, float(score)]))
      : matched.map(({ name }) => name);
  }
  if (request.explain && run.prepared !== undefined)
    after["_explanation"] = explanationOf(run.prepared, top);
  return {
    id: stored.id,
    json: join(jsonText(head), stored.source && run.sourceOf(stored.source), jsonText(after)),
  };
}

function hitHead({ view, request, showsMetadata }: FetchRun, top: TopDoc, stored: Stored): Members {
  const head: Members = {};
  if (request.explain) {
    head["_shard"] = `[${view.index}][${view.shard}]`;
    head["_node"] = view.nodeId;
  }
  head["_index"] = view.index;
  if (showsMetadata) head["_id"] = stored.id;
  if (request.version) head["_version"] = stored.version;
  if (request.seqNoPrimaryTerm) {
    head["_seq_no"] = stored.seqNo;
    head["_primary_term"] = stored.primaryTerm;
  }
  head["_score"] = Number.isNaN(top.score) ? null : float(top.score);
  if (!showsMetadata) return head;
  const ignored = ignoredFields(view, top);
  if (ignored.length > 0) head["_ignored"] = ignored;
  if (stored.routing !== undefined) head["_routing"] = stored.routing;
  return head;
}

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
): Generator<undefined, Members> {
  const { view, request } = run;
  const segment = view.segments[top.segment];
  const fields: Members = {};
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
  if (request.fields.length > 0 && source !== undefined)
    setKeys(fields, yield* sourceFields(view, treeOf(source), request.fields, run.work));
  if (request.collapse !== undefined && top.collapse !== undefined && top.collapse !== null) {
    setKey(fields, request.collapse.field, [printSort(top.collapse)]);
  }
  return fields;
}

function treeOf(source: Uint8Array): JsonTree {
  return readJson(utf8Decode(source), source);
}

function explanationOf({ plan, searcher }: Prepared, { segment, doc }: TopDoc): Printable {
  const context = searcher.segments[segment];
  return context === undefined
    ? null
    : printExplanation(explainPlan(plan, searcher, { segment: context, doc }));
}

/** Scores print as floats, values of fields with fractions as doubles. */
function sortPrinters(
  view: ShardView,
  { sort }: SearchRequest,
): ((value: SortValue) => Printable)[] {
  return (sort ?? []).map((key) => {
    if (key.kind === "score") return (value) => (typeof value === "number" ? float(value) : value);
    if (key.kind === "geo-distance") return printDouble;
    const values =
      key.kind === "field" ? compiled(view.mapping).compiledField(key.field)?.values : undefined;
    const isDouble = values?.kind === "numbers" && !values.isInteger;
    return isDouble ? printDouble : printSort;
  });
}

function printDouble(value: SortValue): Printable {
  return typeof value === "number" ? double(value) : value;
}

function printSort(value: SortValue): Printable {
  return typeof value === "number" && !Number.isInteger(value) ? double(value) : value;
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

/** `{before…,"_source":…,after…}`: the source goes in as bytes, it is never parsed. */
function join(before: string, source: Uint8Array | undefined, after: string): Uint8Array {
  const head = before.slice(0, -1);
  const tail = after === "{}" ? "}" : `,${after.slice(1)}`;
  return source === undefined
    ? shortText(head + tail)
    : shortJoin([head, ',"_source":', source, tail]);
}
