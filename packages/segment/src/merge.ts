/**
 * Several segments into one, without analysing anything again: postings, columns and records are taken over with new
 * document numbers, and what is neither live nor wanted as history is left out.
 *
 * The order of documents is the order of the inputs. A merge can run in steps (`mergeInSteps`), so that a shard can
 * answer searches in between.
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

/** One source of a merge. */
export interface MergeInput {
  readonly reader: WholeSegmentReader;
  readonly liveDocs: LiveDocs | undefined;
}

export interface MergeOptions {
  readonly name: string;
  /** Those that the readers of the inputs were given. */
  readonly parts: SegmentParts;
  /**
   * Documents that are not live but whose seqNo is at least this stay (not live) as history for recoveries; use
   * `Infinity` to drop all. Default `Infinity`.
   */
  readonly retainFromSeqNo?: number | undefined;
}

export interface MergeResult {
  readonly image: SegmentImage;
  /** Per input: new document number of each old one, -1 for dropped ones. For deletes that arrived meanwhile. */
  readonly docMaps: readonly Int32Array[];
}

export function mergeSegments(inputs: readonly MergeInput[], options: MergeOptions): MergeResult {
  const steps = mergeInSteps(inputs, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Yields between pieces of work of a few milliseconds; returns the merged segment at the end. */
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
  const stored = new StoredList(storedBytes);
  const idHashes = new IntList(maxDoc);
  const seqNos = new DoubleList(Math.max(1, maxDoc));
  const primaryTerms = new DoubleList(Math.max(1, maxDoc));
  const versions = new DoubleList(Math.max(1, maxDoc));
  for (const [i, { reader }] of inputs.entries()) {
    const source = reader.storedFields;
    const docMap = docMaps[i] as Int32Array;
    for (let from = 0; from < reader.maxDoc; from += 1) {
      if (docMap[from] === -1) continue;
      let to = from + 1;
      while (to < reader.maxDoc && to - from < 4096 && docMap[to] !== -1) to += 1;
      stored.copy(source, from, to);
      for (let doc = from; doc < to; doc += 1) {
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
  const liveDocs = mergedLiveDocs(inputs, docMaps, maxDoc);
  return { image: { name: options.name, files: [segment], liveDocs }, docMaps };
}

/** New numbers for the documents that stay. A nested document stays with its root. */
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
    // Backwards, because a root follows its nested documents.
    for (let doc = reader.maxDoc - 1; doc >= 0; doc -= 1) {
      if (reader.roots === undefined || reader.roots.has(doc)) {
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
 * All fields of the inputs, in order of name. Norms stay only if every input that has the field has them; a part stays if one
 * input has it.
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

/** Applies deletes that arrived during the merge: documents of the inputs, by their old numbers, no longer live. */
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
