/**
 * A view of a shard without some of its documents and fields. Source: the `FilterLeafReader` of
 * document- and field-level security.
 *
 * Documents that the restricting query does not match are not live. Hidden fields are missing from
 * the mapping, the index and `_source`. No reader of the view can find them, except that term
 * statistics still count the documents, as they do deleted ones.
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

/**
 * Builds the restricted view of a shard without yielding.
 * @throws OperationError if the restricting query is invalid
 */
export function restrictedView(
  view: ShardView,
  restriction: Restriction,
  options: SearchOptions,
): ShardView {
  return allSteps(restrictedViewSteps(view, restriction, { ...options, isTurnOver: undefined }));
}

/**
 * Builds the restricted view of a shard. Yields while the documents of the restricting query are
 * read.
 */
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
  // Without the budget of the request, because the view outlives it.
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

/** Returns a function that removes hidden fields from `_source`. */
export function shownSource(
  hiddenFields: readonly string[],
  budget: Budget = new Budget(),
): (source: Uint8Array) => Uint8Array {
  return sourceFilter({ includes: [], excludes: hiddenInSource(hiddenFields) }, budget);
}

/** Returns the segments with only the admitted documents live. */
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
  // Cached sets must be valid for every view of a segment, so deletions are ignored.
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

/**
 * Keeps the options that the restricting query needs; aliases, boosts and statistics of the request
 * do not affect it.
 */
function plainOptions(options: SearchOptions): SearchOptions {
  const { nowMs, budget, checkCancelled, isTurnOver, limits } = options;
  return { nowMs, budget, checkCancelled, isTurnOver, limits };
}

/** Returns the view with all documents live. */
function wholeView(view: ShardView): ShardView {
  return { ...view, segments: view.segments.map(({ reader }) => ({ reader, live: undefined })) };
}

interface Evaluation {
  /** The cache key; `undefined` to cache nothing. */
  readonly key: string | undefined;
  readonly options: SearchOptions;
  /** Built for the first segment that is not cached. */
  readonly weight: () => Weight;
}

/** Returns the matching documents and their nested documents. */
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

/** Admits nested documents with their root, which comes after them. */
function addNested(words: Int32Array, roots: Int32Array, maxDoc: number): void {
  let isAdmitted = false;
  for (let doc = maxDoc - 1; doc >= 0; doc -= 1) {
    if (hasBit(roots, doc)) isAdmitted = hasBit(words, doc);
    const bit = 1 << (doc & 31);
    const word = words[doc >> 5] ?? 0;
    words[doc >> 5] = isAdmitted ? word | bit : word & ~bit;
  }
}

/** Returns the live documents among those admitted. */
function liveAmong(maxDoc: number, words: Int32Array, live: LiveDocs | undefined): LiveDocs {
  if (live === undefined) return liveDocsOf(maxDoc, words);
  return liveDocsOf(
    maxDoc,
    words.map((word, i) => word & (live.words[i] ?? 0)),
  );
}

/**
 * Lists every member, so that a new member of `SegmentReader` cannot expose hidden fields by
 * accident.
 */
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
    // Whole files are read by recoveries only, which have no restricted view.
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

/** Hides fields from queries. Documents are still parsed with the whole mapping. */
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
