/**
 * Turns a field's token log into sections: norms, dictionary, postings, ordinals.
 *
 * Order: sort the distinct terms once; write the dictionary; scatter the log by rank of term (a counting sort); write
 * each term's run as postings. Tokens are moved once and never compared.
 */
import type { ColumnInput } from "../numbers.ts";
import { writeOrdinalColumn } from "../ordinals.ts";
import type { SectionWriter, WrittenField } from "../part.ts";
import {
  createPostingsWriter,
  type PostingList,
  type PostingsColumns,
} from "../postings-writer.ts";
import { intToByte4 } from "../small-float.ts";
import { createDictionaryWriter } from "../term-dictionary.ts";
import type { TermsBuffer } from "./terms-buffer.ts";
import { writeDictionary, writeInverted, type TermsEntry } from "./terms-layout.ts";

/** Writes the terms of a field and returns their entry. The buffer is spent. */
export function writeTerms(
  file: SectionWriter,
  buffer: TermsBuffer,
  field: WrittenField,
): TermsEntry {
  const { info } = field;
  const { terms } = buffer;
  const order = terms.sorted();
  const dictionary = createDictionaryWriter();
  const pool = terms.pool.bytes;
  for (const term of order) dictionary.add(pool, terms.start(term), terms.end(term));
  // Norms before postings: impacts are computed from them.
  const norms = info.norms ? normsOf(buffer, field) : undefined;
  return {
    ...(norms === undefined ? {} : { norms: file.add(norms) }),
    dictionary: writeDictionary(file, dictionary),
    ...(info.index === "none"
      ? {}
      : {
          inverted: writeInverted(
            file,
            info,
            invert(buffer, field, { order, norms }),
            docsWithTerms(buffer),
          ),
        }),
    ...(info.docValues
      ? { ordinals: writeOrdinalColumn(file, ordinalsOf(buffer, order, field)) }
      : {}),
  };
}

/**
 * Documents with at least one token: the field's `docCount` in scoring statistics, which a document with an empty
 * value does not raise.
 */
function docsWithTerms(buffer: TermsBuffer): number {
  let count = 0;
  for (let entry = 0; entry < buffer.firstTokens.length; entry += 1) {
    if (buffer.lastToken(entry) > (buffer.firstTokens.items[entry] as number)) count += 1;
  }
  return count;
}

/**
 * The norm of each document: its number of tokens without overlaps. A field that records documents only has as its
 * length the number of distinct terms, as in Lucene.
 */
function normsOf(buffer: TermsBuffer, { info, docs, maxDoc }: WrittenField): Uint8Array {
  const norms = new Uint8Array(maxDoc);
  const { overlaps, firstTokens, tokens, markerCount } = buffer;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const from = firstTokens.items[entry] as number;
    const to = buffer.lastToken(entry);
    // Log entries minus overlaps minus markers, which are not tokens.
    let length = to - from - (overlaps.items[entry] as number);
    if (info.index === "docs") length = new Set(tokens.items.subarray(from, to)).size;
    else if (markerCount > 0) length -= countMarkers(tokens.items, from, to);
    norms[docs[entry] as number] = intToByte4(length);
  }
  return norms;
}

function countMarkers(log: Int32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i += 1) if ((log[i] as number) < 0) count += 1;
  return count;
}

/**
 * Counting sort of the log by rank of term. The sort is stable, so documents and positions stay ascending within each term
 * without being compared.
 */
function invert(
  buffer: TermsBuffer,
  { info, docs: written }: WrittenField,
  { order, norms }: { readonly order: Int32Array; readonly norms: Uint8Array | undefined },
): PostingsColumns {
  // `next[term]` first counts the term's tokens, then holds the start of its run; `scatter` moves it to the run's
  // end. The loops must stay in this order.
  const next = new Int32Array(order.length);
  const log = buffer.tokens.items;
  const logged = buffer.tokens.length;
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
  // After `scatter` each `next` is the end of its run, and runs follow each other in order of rank; so one end is the
  // next start.
  const sorted = scatter(buffer, written, { next, total });
  const writer = createPostingsWriter(info.index, norms, total);
  const docs = new Int32Array(written.length);
  const freqs = new Int32Array(written.length);
  // One list object for all terms: `compact` fills `docs` and `freqs` anew, positions stay where `scatter` put them.
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

/** Distributes the tokens to their terms' runs. `next` holds the start of each run before, and its end afterwards. */
function scatter(
  buffer: TermsBuffer,
  docs: Int32Array,
  { next, total }: { readonly next: Int32Array; readonly total: number },
): Sorted {
  const { tokens, firstTokens, hasPositions } = buffer;
  const empty = new Int32Array(0);
  const docOf = new Int32Array(total);
  const log = tokens.items;
  const positions = hasPositions ? new Int32Array(total) : empty;
  const starts = buffer.startOffsets?.items;
  const ends = buffer.endOffsets?.items;
  const startOffsets = starts === undefined ? empty : new Int32Array(total);
  const endOffsets = ends === undefined ? empty : new Int32Array(total);
  let token = 0;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const doc = docs[entry] as number;
    const to = buffer.lastToken(entry);
    // Positions are recomputed exactly as the buffer implied them: consecutive from 0, reset by markers.
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
      // Offsets have one entry per token, without markers, and therefore an index of their own.
      if (starts === undefined || ends === undefined) continue;
      startOffsets[at] = starts[token] as number;
      endOffsets[at] = ends[token] as number;
      token += 1;
    }
  }
  return { docs: docOf, positions, startOffsets, endOffsets };
}

/** Turns runs of equal documents into postings whose freq is the length of the run; returns their number. */
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

/** Ordinals of each document, distinct and ascending; documents without tokens are left out. */
function ordinalsOf(
  buffer: TermsBuffer,
  order: Int32Array,
  { docs, maxDoc }: WrittenField,
): ColumnInput & { readonly values: Int32Array } {
  const rankOf = new Int32Array(order.length);
  for (let rank = 0; rank < order.length; rank += 1) rankOf[order[rank] as number] = rank;
  const { firstTokens, tokens } = buffer;
  const values = new Int32Array(tokens.length);
  const outDocs = new Int32Array(docs.length);
  const firstValues = new Int32Array(docs.length);
  let written = 0;
  let entries = 0;
  for (let entry = 0; entry < docs.length; entry += 1) {
    const from = firstTokens.items[entry] as number;
    const to = buffer.lastToken(entry);
    if (to === from) continue;
    outDocs[entries] = docs[entry] as number;
    firstValues[entries] = written;
    entries += 1;
    const start = written;
    for (let i = from; i < to; i += 1) {
      const term = tokens.items[i] as number;
      if (term < 0) continue;
      values[written] = rankOf[term] as number;
      written += 1;
    }
    // A document with one token needs no sorting.
    if (to - from > 1) written = distinct(values, start, written);
  }
  return {
    maxDoc,
    docs: outDocs.subarray(0, entries),
    firstValues: firstValues.subarray(0, entries),
    values: values.subarray(0, written),
  };
}

/** Sorts values[from, to) in place and drops repetitions; returns the new end. */
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
