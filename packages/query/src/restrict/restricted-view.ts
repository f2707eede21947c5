/**
 * A shard's view with less in it: documents that a query leaves out are not live, hidden fields are in no mapping, no index and no
 * `_source`. Whatever reads the view (queries, aggregations, sorting, highlighting, fetching) finds no trace of them but in the statistics
 * of terms, in which deleted documents count, too. Source: the `FilterLeafReader` of document- and field-level security.
 */
import { liveDocsOf, type LiveDocs, type SegmentReader } from "@orrery/segment";
import { sourceFilter } from "../source/source-filter.ts";
import { compiled, type DefinedMapping } from "../mapping/mapping.ts";
import { BodyError, rootCursor } from "../body/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { Budget } from "../work/budget.ts";
import { prepareSearch } from "../request/prepared.ts";
import { emptyWords, hasBit } from "../execution/bits.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { bitsOf } from "../execution/weights/filters.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { JsonObject } from "@orrery/stdx";
import type { SearchLanguage } from "../language/language.ts";
import type { Mapping } from "../language/mapping.ts";
import type { Query } from "../language/query.ts";
import type { SearchOptions, SegmentView, ShardView } from "../language/view.ts";
import { hiddenBy, hiddenInSource, type IsHidden, type Restriction } from "./restriction.ts";

/** Throws `OperationError` when the query of the restriction is none. */
export function restrictedView(
  view: ShardView,
  restriction: Restriction,
  options: SearchOptions,
): ShardView {
  const segments =
    restriction.documents === undefined
      ? view.segments
      : admittedSegments(view, { ...restriction, documents: restriction.documents }, options);
  const { hiddenFields = [] } = restriction;
  if (hiddenFields.length === 0) return { ...view, segments };
  const isHidden = hiddenBy(hiddenFields);
  const shown = shownSource(hiddenFields, options.budget);
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

function admittedSegments(
  view: ShardView,
  { documents }: Required<Pick<Restriction, "documents">>,
  options: SearchOptions,
): readonly SegmentView[] {
  const query = queryOf(documents, compiled(view.mapping).language);
  const { plan, searcher } = prepareSearch(view, { query }, plainOptions(options));
  const weight = weightOf(plan, searcher, { needsScores: false });
  return searcher.segments.map((segment): SegmentView => {
    const words = emptyWords(segment.maxDoc);
    const scorer = weight.scorer(segment);
    if (scorer !== undefined) bitsOf(scorer, words);
    return { reader: segment.reader, live: admitted(segment, words) };
  });
}

/** There is no text that lines and columns would be of. */
function queryOf(documents: JsonObject, language: SearchLanguage): Query {
  try {
    return parseQuery(rootCursor(documents, language));
  } catch (error) {
    throw error instanceof BodyError ? error.toOperationError(undefined) : error;
  }
}

/** The restriction's own query: no alias, boost or statistics of the request has a part in it. */
function plainOptions({ nowMs, budget, checkCancelled, limits }: SearchOptions): SearchOptions {
  return { nowMs, budget, checkCancelled, limits };
}

/** Documents that match and are live, with their nested ones. */
function admitted({ reader, maxDoc, live }: SegmentContext, matching: Int32Array): LiveDocs {
  const roots = reader.roots?.words;
  const words = emptyWords(maxDoc);
  let isAdmitted = false;
  // Nested documents stand before the one they belong to.
  for (let doc = maxDoc - 1; doc >= 0; doc -= 1) {
    if (roots === undefined || hasBit(roots, doc)) isAdmitted = hasBit(matching, doc);
    const isLive = live === undefined || hasBit(live, doc);
    if (isAdmitted && isLive) words[doc >> 5] = (words[doc >> 5] ?? 0) | (1 << (doc & 31));
  }
  return liveDocsOf(maxDoc, words);
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
