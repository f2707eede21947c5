/** From a field's log to its part of the segment: postings, norms, columns, points. */
import { writeBinaryColumn } from "./binary.ts";
import { writeDictionary, writeInverted } from "./assemble.ts";
import type { FieldBuffer } from "./field-buffer.ts";
import type { FileBuilder } from "./file.ts";
import type { FieldEntry } from "./layout.ts";
import {
  pointsOf,
  presenceOf,
  writeNumberColumn,
  writePoints,
  type ColumnInput,
} from "./numbers.ts";
import { writeOrdinalColumn } from "./ordinals.ts";
import { createPostingsWriter, type PostingList, type PostingsColumns } from "./postings-writer.ts";
import { intToByte4 } from "./small-float.ts";
import { createDictionaryWriter } from "./term-dictionary.ts";
import type { TermTable } from "./term-table.ts";

export function flushField(file: FileBuilder, field: FieldBuffer, maxDoc: number): FieldEntry {
  const { info } = field;
  const docs = field.docs.view();
  const base: FieldEntry = {
    info,
    docCount: docs.length,
    ...(docs.length === maxDoc ? {} : { present: file.add(presenceOf(docs, maxDoc)) }),
  };
  if (field.terms !== undefined)
    return flushTerms(file, field, { base, terms: field.terms, maxDoc });
  if (field.numbers !== undefined) return flushNumbers(file, field, { base, maxDoc });
  if (field.binary === undefined || !info.docValues) return base;
  return { ...base, binary: writeBinaryColumn(file, field.binary, maxDoc) };
}

function flushNumbers(
  file: FileBuilder,
  field: FieldBuffer,
  { base, maxDoc }: { readonly base: FieldEntry; readonly maxDoc: number },
): FieldEntry {
  const { info, numbers } = field;
  const type = info.type === "double" ? "double" : "long";
  const input: ColumnInput = {
    maxDoc,
    docs: field.docs.view(),
    firstValues: field.firstValues.view(),
    values: numbers?.array(type) ?? new Int32Array(0),
  };
  return {
    ...base,
    ...(info.docValues ? { numbers: writeNumberColumn(file, type, input) } : {}),
    ...(info.points ? { points: writePoints(file, type, pointsOf(input)) } : {}),
  };
}

interface TermsContext {
  readonly base: FieldEntry;
  readonly terms: TermTable;
  readonly maxDoc: number;
}

function flushTerms(
  file: FileBuilder,
  field: FieldBuffer,
  { base, terms, maxDoc }: TermsContext,
): FieldEntry {
  const { info } = field;
  const order = terms.sorted();
  const dictionary = createDictionaryWriter();
  const pool = terms.pool.bytes;
  for (const term of order) dictionary.add(pool, terms.start(term), terms.end(term));
  const norms = info.norms ? normsOf(field, maxDoc) : undefined;
  return {
    ...base,
    ...(norms === undefined ? {} : { norms: file.add(norms) }),
    dictionary: writeDictionary(file, dictionary),
    ...(info.index === "none"
      ? {}
      : { inverted: writeInverted(file, info, invert(field, order, norms), docsWithTerms(field)) }),
    ...(info.docValues
      ? { ordinals: writeOrdinalColumn(file, ordinalsOf(field, order, maxDoc)) }
      : {}),
  };
}

function docsWithTerms(field: FieldBuffer): number {
  let count = 0;
  for (let entry = 0; entry < field.docs.length; entry += 1) {
    if (field.lastToken(entry) > (field.firstTokens.items[entry] as number)) count += 1;
  }
  return count;
}

/** The length of a field that records documents only is how many different terms it has, as in Lucene. */
function normsOf(field: FieldBuffer, maxDoc: number): Uint8Array {
  const norms = new Uint8Array(maxDoc);
  const { docs, overlaps, firstTokens, tokens, info, markerCount } = field;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const from = firstTokens.items[entry] as number;
    const to = field.lastToken(entry);
    let length = to - from - (overlaps.items[entry] as number);
    if (info.index === "docs") length = new Set(tokens.items.subarray(from, to)).size;
    else if (markerCount > 0) length -= countMarkers(tokens.items, from, to);
    norms[docs.items[entry] as number] = intToByte4(length);
  }
  return norms;
}

function countMarkers(log: Int32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i += 1) if ((log[i] as number) < 0) count += 1;
  return count;
}

/** Counting sort of the token log by rank of the term; documents and positions stay in order within each term. */
function invert(
  field: FieldBuffer,
  order: Int32Array,
  norms: Uint8Array | undefined,
): PostingsColumns {
  const next = new Int32Array(order.length);
  const log = field.tokens.items;
  const logged = field.tokens.length;
  for (let i = 0; i < logged; i += 1) {
    const term = log[i] as number;
    if (term >= 0) next[term] = (next[term] as number) + 1;
  }
  let total = 0;
  for (let rank = 0; rank < order.length; rank += 1) {
    const term = order[rank] as number;
    const count = next[term] as number;
    next[term] = total;
    total += count;
  }
  const sorted = scatter(field, next, total);
  const writer = createPostingsWriter(field.info.index, norms, total);
  const docs = new Int32Array(field.docs.length);
  const freqs = new Int32Array(field.docs.length);
  const list = { ...sorted, docs, freqs, count: 0, positionsFrom: 0 };
  for (let rank = 0; rank < order.length; rank += 1) {
    const end = next[order[rank] as number] as number;
    list.count = compact(sorted.docs, list.positionsFrom, end, list);
    writer.add(list);
    list.positionsFrom = end;
  }
  return writer.finish();
}

type Sorted = Pick<PostingList, "docs" | "positions" | "startOffsets" | "endOffsets">;

/** `next` holds where each term's run starts, and afterwards where it ends. */
function scatter(field: FieldBuffer, next: Int32Array, total: number): Sorted {
  const { tokens, firstTokens, docs, hasPositions } = field;
  const empty = new Int32Array(0);
  const docOf = new Int32Array(total);
  const log = tokens.items;
  const positions = hasPositions ? new Int32Array(total) : empty;
  const starts = field.startOffsets?.items;
  const ends = field.endOffsets?.items;
  const startOffsets = starts === undefined ? empty : new Int32Array(total);
  const endOffsets = ends === undefined ? empty : new Int32Array(total);
  let token = 0;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const doc = docs.items[entry] as number;
    const to = field.lastToken(entry);
    let position = 0;
    for (let i = firstTokens.items[entry] as number; i < to; i += 1) {
      const term = log[i] as number;
      if (term < 0) {
        position = ~term;
        continue;
      }
      const at = next[term] as number;
      next[term] = at + 1;
      docOf[at] = doc;
      if (hasPositions) positions[at] = position;
      position += 1;
      if (starts === undefined || ends === undefined) continue;
      startOffsets[at] = starts[token] as number;
      endOffsets[at] = ends[token] as number;
      token += 1;
    }
  }
  return { docs: docOf, positions, startOffsets, endOffsets };
}

/** Runs of one document become one posting with their length as freq; returns the number of postings. */
function compact(
  docOf: Int32Array,
  start: number,
  end: number,
  { docs, freqs }: Pick<PostingList, "docs" | "freqs">,
): number {
  let count = 0;
  let last = -1;
  for (let i = start; i < end; i += 1) {
    const doc = docOf[i] as number;
    if (doc === last) {
      freqs[count - 1] = (freqs[count - 1] as number) + 1;
      continue;
    }
    last = doc;
    docs[count] = doc;
    freqs[count] = 1;
    count += 1;
  }
  return count;
}

/** Each entry's distinct ordinals, ascending; entries without any are left out. */
function ordinalsOf(
  field: FieldBuffer,
  order: Int32Array,
  maxDoc: number,
): ColumnInput & { readonly values: Int32Array } {
  const rankOf = new Int32Array(order.length);
  for (let rank = 0; rank < order.length; rank += 1) rankOf[order[rank] as number] = rank;
  const { docs, firstTokens, tokens } = field;
  const values = new Int32Array(tokens.length);
  const outDocs = new Int32Array(docs.length);
  const firstValues = new Int32Array(docs.length);
  let written = 0;
  let entries = 0;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const from = firstTokens.items[entry] as number;
    const to = field.lastToken(entry);
    if (to === from) continue;
    outDocs[entries] = docs.items[entry] as number;
    firstValues[entries] = written;
    entries += 1;
    const start = written;
    for (let i = from; i < to; i += 1) {
      const term = tokens.items[i] as number;
      if (term < 0) continue;
      values[written] = rankOf[term] as number;
      written += 1;
    }
    if (to - from > 1) written = distinct(values, start, written);
  }
  return {
    maxDoc,
    docs: outDocs.subarray(0, entries),
    firstValues: firstValues.subarray(0, entries),
    values: values.subarray(0, written),
  };
}

/** Sorts values[from, to) and drops repetitions; returns the new end. */
function distinct(values: Int32Array, from: number, to: number): number {
  values.subarray(from, to).sort();
  let end = from + 1;
  for (let i = from + 1; i < to; i += 1) {
    if (values[i] === values[i - 1]) continue;
    values[end] = values[i] as number;
    end += 1;
  }
  return end;
}
