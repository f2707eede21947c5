/**
 * A shard's view with less in it: documents that a query leaves out are not live, hidden fields are in no mapping, no index and no
 * `_source`. Whatever reads the view (queries, aggregations, sorting, highlighting, fetching) finds no trace of them but in the statistics
 * of terms, in which deleted documents count, too. Source: the `FilterLeafReader` of document- and field-level security.
 */
import { liveDocsOf, NO_MORE_DOCS, type LiveDocs, type SegmentReader } from "@orrery/segment";
import type { JsonObject } from "@orrery/stdx";
import { rootCursor } from "../body/cursor.ts";
import { BATCH, emptyWords, hasBit } from "../execution/bits.ts";
import { createSearcher } from "../execution/searcher.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { Mapping } from "../language/mapping.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { SearchOptions, SegmentView, ShardView } from "../language/view.ts";
import type { Weight } from "../language/weight.ts";
import { compiled, type DefinedMapping } from "../mapping/mapping.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { located } from "../request/check.ts";
import { prepareSteps } from "../request/prepared.ts";
import { sourceFilter } from "../source/source-filter.ts";
import { Budget } from "../work/budget.ts";
import { allSteps, restOf } from "../work/steps.ts";
import { findAdmitted, keepAdmitted } from "./admitted-documents.ts";
import { planKey } from "./plan-key.ts";
import { hiddenBy, hiddenInSource, type IsHidden, type Restriction } from "./restriction.ts";

/** In one go. Throws `OperationError` when the query of the restriction is none. */
export function restrictedView(
  view: ShardView,
  restriction: Restriction,
  options: SearchOptions,
): ShardView {
  return allSteps(restrictedViewSteps(view, restriction, { ...options, isTurnOver: undefined }));
}

/** Rests between documents that the query of the restriction looks at. */
export function* restrictedViewSteps(
  view: ShardView,
  restriction: Restriction,
  options: SearchOptions,
): Generator<undefined, ShardView> {
  const { documents, hiddenFields = [] } = restriction;
  const segments =
    documents === undefined ? view.segments : yield* admittedSegments(view, documents, options);
  if (hiddenFields.length === 0) return { ...view, segments };
  const isHidden = hiddenBy(hiddenFields);
  // The view lasts longer than the work of making it.
  const shown = shownSource(hiddenFields);
  return {
    ...view,
    mapping: withoutFields(view.mapping, isHidden),
    segments: segments.map(({ reader, live }) => ({
      reader: readerWithout(reader, isHidden, shown),
      live,
    })),
  };
}

/** A document's `_source` without hidden fields. */
export function shownSource(
  hiddenFields: readonly string[],
  budget: Budget = new Budget(),
): (source: Uint8Array) => Uint8Array {
  return sourceFilter({ includes: [], excludes: hiddenInSource(hiddenFields) }, budget);
}

function* admittedSegments(
  view: ShardView,
  documents: JsonObject,
  options: SearchOptions,
): Generator<undefined, readonly SegmentView[]> {
  const { language } = compiled(view.mapping);
  const query = located(undefined, () => parseQuery(rootCursor(documents, language)));
  const own = plainOptions(options);
  const { plan, searcher } = yield* prepareSteps(view, { query }, own);
  const key = planKey(plan);
  // What is kept holds for every view of a segment, whichever documents are live in it.
  const asked = key === undefined ? searcher : createSearcher(wholeView(view), own);
  let weight: Weight | undefined;
  const evaluation: Evaluation = {
    key,
    options: own,
    weight: () => (weight ??= weightOf(plan, asked, { needsScores: false })),
  };
  const segments: SegmentView[] = [];
  for (const [ord, segment] of asked.segments.entries()) {
    const words = yield* admittedWords(segment, evaluation);
    segments.push({
      reader: segment.reader,
      live: liveAmong(segment.maxDoc, words, view.segments[ord]?.live),
    });
  }
  return segments;
}

/** The restriction's own query: no alias, boost or statistics of the request has a part in it. */
function plainOptions(options: SearchOptions): SearchOptions {
  const { nowMs, budget, checkCancelled, isTurnOver, limits } = options;
  return { nowMs, budget, checkCancelled, isTurnOver, limits };
}

function wholeView(view: ShardView): ShardView {
  return { ...view, segments: view.segments.map(({ reader }) => ({ reader, live: undefined })) };
}

interface Evaluation {
  /** `undefined`: nothing is kept. */
  readonly key: string | undefined;
  readonly options: SearchOptions;
  /** Made for the first segment whose documents are not known. */
  readonly weight: () => Weight;
}

/** Documents that match, with their nested ones. */
function* admittedWords(
  segment: SegmentContext,
  { key, options, weight }: Evaluation,
): Generator<undefined, Int32Array> {
  const { reader, maxDoc } = segment;
  const known = key === undefined ? undefined : findAdmitted(reader, key);
  if (known !== undefined) return known;
  const words = emptyWords(maxDoc);
  const scorer = weight().scorer(segment);
  let looked = 0;
  for (let doc = scorer?.next() ?? NO_MORE_DOCS; scorer && doc !== NO_MORE_DOCS;) {
    if (scorer.matches()) words[doc >> 5] = (words[doc >> 5] ?? 0) | (1 << (doc & 31));
    looked += 1;
    if (looked % BATCH === 0 || options.budget?.isRestDue === true) yield* restOf(options);
    doc = scorer.next();
  }
  const roots = reader.roots?.words;
  if (roots !== undefined) addNested(words, roots, maxDoc);
  if (key !== undefined) keepAdmitted(reader, key, words);
  return words;
}

/** Nested documents stand before the one they belong to. */
function addNested(words: Int32Array, roots: Int32Array, maxDoc: number): void {
  let isAdmitted = false;
  for (let doc = maxDoc - 1; doc >= 0; doc -= 1) {
    if (hasBit(roots, doc)) isAdmitted = hasBit(words, doc);
    const bit = 1 << (doc & 31);
    const word = words[doc >> 5] ?? 0;
    words[doc >> 5] = isAdmitted ? word | bit : word & ~bit;
  }
}

function liveAmong(maxDoc: number, words: Int32Array, live: LiveDocs | undefined): LiveDocs {
  if (live === undefined) return liveDocsOf(maxDoc, words);
  return liveDocsOf(
    maxDoc,
    words.map((word, i) => word & (live.words[i] ?? 0)),
  );
}

/** Named member by member, so that one that is added says what becomes of it here. */
function readerWithout(
  reader: SegmentReader,
  isHidden: IsHidden,
  shown: (source: Uint8Array) => Uint8Array,
): SegmentReader {
  const unless = <T>(read: (field: string) => T | undefined) => {
    return (field: string): T | undefined => (isHidden(field) ? undefined : read(field));
  };
  const sourceOf = (source: Uint8Array | undefined): Uint8Array | undefined =>
    source && shown(source);
  return {
    name: reader.name,
    maxDoc: reader.maxDoc,
    rootCount: reader.rootCount,
    sizeBytes: reader.sizeBytes,
    minSeqNo: reader.minSeqNo,
    maxSeqNo: reader.maxSeqNo,
    fields: reader.fields.filter(({ name }) => !isHidden(name)),
    // Whole files are for recoveries, which read no restricted view.
    files: [],
    roots: reader.roots,
    field: unless(reader.field),
    part: (row, field) => (isHidden(field) ? undefined : reader.part(row, field)),
    terms: unless(reader.terms),
    norms: unless(reader.norms),
    numbers: unless(reader.numbers),
    ordinals: unless(reader.ordinals),
    binary: unless(reader.binary),
    points: unless(reader.points),
    documentsWith: unless(reader.documentsWith),
    find: reader.find,
    findAll: reader.findAll,
    stored: (doc) => {
      const stored = reader.stored(doc);
      return { ...stored, source: sourceOf(stored.source) };
    },
    id: reader.id,
    source: (doc) => sourceOf(reader.source(doc)),
    seqNo: reader.seqNo,
    primaryTerm: reader.primaryTerm,
    version: reader.version,
    kind: reader.kind,
    operations: reader.operations,
  };
}

/** For reading; documents are parsed with the whole mapping. */
function withoutFields(mapping: Mapping, isHidden: IsHidden): DefinedMapping {
  const whole = compiled(mapping);
  const find = (name: string): ReturnType<DefinedMapping["compiledField"]> => {
    const field = isHidden(name) ? undefined : whole.compiledField(name);
    return field?.aliasOf !== undefined && isHidden(field.aliasOf) ? undefined : field;
  };
  const fields = new Map([...whole.fields].filter(([name]) => find(name) !== undefined));
  const objects = new Map([...whole.objects].filter(([path]) => !isHidden(path)));
  return {
    get json() {
      return whole.json;
    },
    isRoutingRequired: whole.isRoutingRequired,
    hasNested: whole.hasNested,
    parseDocument: whole.parseDocument,
    field: find,
    compiledField: find,
    matchFields: (pattern) => whole.matchFields(pattern).filter((name) => fields.has(name)),
    object: (path) => objects.get(path),
    fields,
    objects,
    tree: whole.tree,
    definition: whole.definition,
    language: whole.language,
    settings: whole.settings,
    analysis: whole.analysis,
  };
}
