/**
 * Merges segments into one without analysing documents again: postings, columns and records are copied under new
 * document numbers. Documents that are neither live nor retained as history are dropped. The result equals the
 * segment that a writer would make of the remaining documents (INV-SEGMENT-2).
 *
 * Order of the algorithm: number the documents that stay, input after input; copy records and history columns; merge
 * each field, its terms in one walk through all dictionaries; assemble the file; carry live docs over. Document order
 * is that of the inputs, which keeps every docMap ascending; postings, points and columns rely on it.
 *
 * A merge can run in steps (`mergeInSteps`), so that a shard answers searches in between. Inputs are immutable;
 * deletes that arrive meanwhile are applied at the end (`deadAfterMerge`).
 */
import { hashTerm } from "@orrery/analysis";
import { assert, compareText } from "@orrery/stdx";
import { assembleSegment } from "./assemble.ts";
import { clearBit } from "./bits.ts";
import { createFileBuilder } from "./file.ts";
import { DoubleList, IntList } from "./growable.ts";
import type { FieldEntry } from "./layout.ts";
import { allLive, isLive, liveDocsOf } from "./live-docs.ts";
import { mergeField, type FieldSource } from "./merge-field.ts";
import type { SegmentParts } from "./part.ts";
import { StoredList } from "./stored.ts";
import type { FieldInfo, LiveDocs, SegmentImage, WholeSegmentReader } from "./types.ts";

/** One segment to merge, with its live docs at the start of the merge. */
export interface MergeInput {
  readonly reader: WholeSegmentReader;
  readonly liveDocs: LiveDocs | undefined;
}

/** Name of the merged segment, its kinds of parts, and the history that it keeps. */
export interface MergeOptions {
  readonly name: string;
  /** Rows of the kinds of parts: the same ones that the inputs were opened with. */
  readonly parts: SegmentParts;
  /**
   * Dead documents with a sequence number of at least this are kept, still dead, as history for operation-based
   * recoveries (soft deletes in Lucene). `Infinity`, the default, drops all dead documents.
   */
  readonly retainFromSeqNo?: number | undefined;
}

/** The merged segment, and the maps from old to new document numbers. */
export interface MergeResult {
  readonly image: SegmentImage;
  /** For each input the new number of each document, -1 for dropped ones: needed for deletes that arrive during the merge. */
  readonly docMaps: readonly Int32Array[];
}

/** Merges segments in one step, without yielding. */
export function mergeSegments(inputs: readonly MergeInput[], options: MergeOptions): MergeResult {
  const steps = mergeInSteps(inputs, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Merges in steps: yields between pieces of work of a few milliseconds and returns the result. */
export function* mergeInSteps(
  inputs: readonly MergeInput[],
  options: MergeOptions,
): Generator<undefined, MergeResult> {
  const { docMaps, maxDoc } = mapDocuments(inputs, options.retainFromSeqNo ?? Infinity);
  const file = createFileBuilder();
  const storedBytes = inputs.reduce(
    (sum, { reader }) => sum + reader.storedFields.records.length,
    0,
  );
  // Records are nearly all of the copied bytes; reserving them at once avoids doubling a large buffer.
  const stored = new StoredList(storedBytes);
  const idHashes = new IntList(maxDoc);
  const seqNos = new DoubleList(Math.max(1, maxDoc));
  const primaryTerms = new DoubleList(Math.max(1, maxDoc));
  const versions = new DoubleList(Math.max(1, maxDoc));
  for (const [i, { reader }] of inputs.entries()) {
    const source = reader.storedFields;
    const docMap = docMaps[i] as Int32Array;
    // Runs of documents that stay are copied with one `set`, at most 4096 documents between two yields.
    for (let from = 0; from < reader.maxDoc; from += 1) {
      if (docMap[from] === -1) continue;
      let to = from + 1;
      while (to < reader.maxDoc && to - from < 4096 && docMap[to] !== -1) to += 1;
      stored.copy(source, from, to);
      for (let doc = from; doc < to; doc += 1) {
        // The hash is recomputed from the id: the id table of an input has no order by document to read it from.
        const id = source.idBytesOrEmpty(doc);
        idHashes.push(hashTerm(id, id.length));
        seqNos.push(reader.seqNo(doc));
        primaryTerms.push(reader.primaryTerm(doc));
        versions.push(reader.version(doc));
      }
      from = to - 1;
      yield undefined;
    }
  }
  // Fields after documents: `mergeField` needs only the docMaps, and one field at a time bounds the memory.
  const fields: FieldEntry[] = [];
  for (const info of mergedFields(inputs)) {
    const sources = inputs.map(({ reader }, i): FieldSource => {
      return { reader, docMap: docMaps[i] as Int32Array };
    });
    fields.push(yield* mergeField(file, options.parts, { info, sources, maxDoc }));
  }
  const segment = assembleSegment(file, {
    name: options.name,
    stored,
    idHashes: idHashes.view(),
    seqNos: seqNos.view(),
    primaryTerms: primaryTerms.view(),
    versions: versions.view(),
    fields,
  });
  // Live docs last: the retained history must be dead in the merged segment, too.
  const liveDocs = mergedLiveDocs(inputs, docMaps, maxDoc);
  return { image: { name: options.name, files: [segment], liveDocs }, docMaps };
}

/** New numbers for the documents that stay. A block of nested documents stays or goes with its root. */
function mapDocuments(
  inputs: readonly MergeInput[],
  retainFromSeqNo: number,
): { readonly docMaps: Int32Array[]; readonly maxDoc: number } {
  let maxDoc = 0;
  const docMaps = inputs.map(({ reader, liveDocs }) => {
    assert(liveDocs === undefined || liveDocs.maxDoc === reader.maxDoc, "foreign live docs");
    const stored = reader.storedFields;
    const keeps = new Uint8Array(reader.maxDoc);
    let isBlockKept = false;
    // Backwards, because nested documents precede their root: the root decides for the block before the block is
    // reached.
    for (let doc = reader.maxDoc - 1; doc >= 0; doc -= 1) {
      if (reader.roots === undefined || reader.roots.has(doc)) {
        // A failed document is no operation: its sequence number belongs to the no-op that replaced it, so it is
        // never history.
        const isHistory = reader.seqNo(doc) >= retainFromSeqNo && !stored.isFailed(doc);
        isBlockKept = isLive(liveDocs, doc) || isHistory;
      }
      if (isBlockKept) keeps[doc] = 1;
    }
    const docMap = new Int32Array(reader.maxDoc).fill(-1);
    for (let doc = 0; doc < reader.maxDoc; doc += 1) {
      if (keeps[doc] === 0) continue;
      docMap[doc] = maxDoc;
      maxDoc += 1;
    }
    return docMap;
  });
  return { docMaps, maxDoc };
}

/**
 * Live docs of the merged segment; `undefined` when all are live. The documents of an input that are dead and stay
 * are retained history.
 */
function mergedLiveDocs(
  inputs: readonly MergeInput[],
  docMaps: readonly Int32Array[],
  maxDoc: number,
): LiveDocs | undefined {
  let dead = 0;
  const { words } = allLive(maxDoc);
  for (const [i, { liveDocs }] of inputs.entries()) {
    if (liveDocs === undefined) continue;
    for (const [doc, target] of (docMaps[i] as Int32Array).entries()) {
      if (target === -1 || isLive(liveDocs, doc)) continue;
      clearBit(words, target);
      dead += 1;
    }
  }
  return dead === 0 ? undefined : liveDocsOf(maxDoc, words);
}

/**
 * Fields of the merged segment, in order of name. Norms survive only if every input with the field has them, since a
 * document without a norm cannot be scored like one with; a part survives if any input has it.
 */
function mergedFields(inputs: readonly MergeInput[]): FieldInfo[] {
  const merged = new Map<string, FieldInfo>();
  for (const { reader } of inputs) {
    for (const info of reader.fields) {
      const known = merged.get(info.name);
      assert(known === undefined || known.type === info.type, `type of [${info.name}] differs`);
      const norms = info.norms && (known?.norms ?? true);
      const parts = new Set([...(known?.parts ?? []), ...(info.parts ?? [])]);
      merged.set(info.name, { ...info, norms, ...(parts.size === 0 ? {} : { parts: [...parts] }) });
    }
  }
  return [...merged.values()].toSorted((a, b) => compareText(a.name, b.name));
}

/**
 * Documents of the merged segment that died during the merge, by their new numbers. Compares the live docs at the
 * start with those now; identical objects have not changed, because live docs are immutable.
 */
export function deadAfterMerge(
  docMaps: readonly Int32Array[],
  before: readonly (LiveDocs | undefined)[],
  now: readonly (LiveDocs | undefined)[],
): number[] {
  const dead: number[] = [];
  for (const [i, docMap] of docMaps.entries()) {
    if (now[i] === before[i]) continue;
    for (const [doc, target] of docMap.entries()) {
      if (target !== -1 && isLive(before[i], doc) && !isLive(now[i], doc)) dead.push(target);
    }
  }
  return dead;
}
