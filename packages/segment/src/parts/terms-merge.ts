/** Merges the terms of one field: one walk in step through the dictionaries of all inputs. */
import { countBits, hasBit, setBit, wordCount } from "../bits.ts";
import { IntList } from "../growable.ts";
import { writeOrdinalColumn } from "../ordinals.ts";
import type { PartMerge, PartSource, SectionWriter } from "../part.ts";
import { createPostingsWriter, type PostingsWriter } from "../postings-writer.ts";
import { createDictionaryWriter, type DictionaryWriter } from "../term-dictionary.ts";
import type { OrdinalColumn, Postings, TermCursor, TermDictionary, Terms } from "../types.ts";
import { writeDictionary, writeInverted, type TermsEntry } from "./terms-layout.ts";

/** What a segment has of the field. */
interface OpenTerms {
  readonly norms: Uint8Array | undefined;
  readonly dictionary: TermDictionary;
  readonly terms: Terms | undefined;
  readonly ordinals: OrdinalColumn | undefined;
}

const TERMS_PER_STEP = 2048;

/** One input's place in the walk over all terms. */
interface TermSource {
  readonly cursor: TermCursor;
  readonly docMap: Int32Array;
  readonly terms: Terms | undefined;
  readonly ordinals: OrdinalColumn | undefined;
  /** Ordinals that documents which stay still use; only without an inverted index. */
  readonly used: Int32Array | undefined;
  readonly newOrds: Int32Array;
  /** The iterator of the last term, for the next one. */
  postings: Postings | undefined;
}

export function* mergeTerms(
  file: SectionWriter,
  merge: PartMerge<OpenTerms>,
): Generator<undefined, TermsEntry> {
  const { info, sources, maxDoc } = merge;
  const norms = info.norms ? mergeNorms(merge) : undefined;
  const inputs = sources.flatMap(termSourceOf);
  const open = inputs.filter(({ cursor }) => cursor.next());
  const dictionary = createDictionaryWriter();
  const postings =
    info.index === "none"
      ? undefined
      : new PostingsMerger(createPostingsWriter(info.index, norms, tokenCount(inputs)));
  const same: TermSource[] = [];
  for (let steps = 1; open.length > 0; steps += 1) {
    leastOf(open, same);
    mergeTerm(same, dictionary, postings);
    for (const source of same) if (!source.cursor.next()) open.splice(open.indexOf(source), 1);
    if (steps % TERMS_PER_STEP === 0) yield undefined;
  }
  const docCount = postings?.docCount(maxDoc) ?? 0;
  return {
    ...(norms === undefined ? {} : { norms: file.add(norms) }),
    dictionary: writeDictionary(file, dictionary),
    ...(postings === undefined
      ? {}
      : { inverted: writeInverted(file, info, postings.writer.finish(), docCount) }),
    ...(info.docValues
      ? { ordinals: writeOrdinalColumn(file, mergeOrdinals(inputs, maxDoc)) }
      : {}),
  };
}

function termSourceOf({ part, docMap }: PartSource<OpenTerms>): TermSource[] {
  if (part === undefined) return [];
  const { terms, ordinals, dictionary } = part;
  if (terms === undefined && ordinals === undefined) return [];
  const used =
    terms === undefined && ordinals !== undefined ? usedOrds(ordinals, docMap) : undefined;
  const newOrds = new Int32Array(dictionary.size).fill(-1);
  const cursor = dictionary.cursor(0);
  return [{ cursor, docMap, terms, ordinals, used, newOrds, postings: undefined }];
}

function usedOrds(ordinals: OrdinalColumn, docMap: Int32Array): Int32Array {
  const used = new Int32Array(wordCount(ordinals.dictionary.size));
  for (let doc = 0; doc < docMap.length; doc += 1) {
    if (docMap[doc] === -1) continue;
    const end = ordinals.end(doc);
    for (let i = ordinals.start(doc); i < end; i += 1) setBit(used, ordinals.ords[i] as number);
  }
  return used;
}

/** All sources that stand on the least term, into `same`. */
function leastOf(sources: readonly TermSource[], same: TermSource[]): void {
  same.length = 0;
  for (const source of sources) {
    const [least] = same;
    const order = least === undefined ? 0 : compareCursors(source.cursor, least.cursor);
    if (order > 0) continue;
    if (order < 0) same.length = 0;
    same.push(source);
  }
}

function tokenCount(sources: readonly TermSource[]): number {
  return sources.reduce((sum, { terms }) => sum + (terms?.stats.sumTotalTermFreq ?? 0), 0);
}

function compareCursors(a: TermCursor, b: TermCursor): number {
  if (a === b) return 0;
  const common = Math.min(a.length, b.length);
  const [bytesA, bytesB] = [a.bytes, b.bytes];
  for (let i = 0; i < common; i += 1) {
    const difference = (bytesA[i] as number) - (bytesB[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The inputs all stand on the same term. It stays if a document that stays has it. */
function mergeTerm(
  sources: readonly TermSource[],
  dictionary: DictionaryWriter,
  postings: PostingsMerger | undefined,
): void {
  const [first] = sources as [TermSource];
  let isKept = false;
  if (postings === undefined) {
    isKept = sources.some(({ used, cursor }) => used !== undefined && hasBit(used, cursor.ord));
  } else {
    for (const source of sources)
      if (source.terms !== undefined) postings.take(source, source.terms);
    isKept = postings.emit();
  }
  if (!isKept) return;
  for (const { newOrds, cursor } of sources) newOrds[cursor.ord] = dictionary.size;
  dictionary.add(first.cursor.bytes, 0, first.cursor.length);
}

/** Gathers one term's postings from several inputs under their new numbers. */
class PostingsMerger {
  readonly writer: PostingsWriter;
  readonly #docs = new IntList(1024);
  readonly #freqs = new IntList(1024);
  readonly #positions = new IntList(1024);
  readonly #startOffsets = new IntList();
  readonly #endOffsets = new IntList();
  #seen = new Int32Array(1024);

  constructor(writer: PostingsWriter) {
    this.writer = writer;
  }

  take(source: TermSource, terms: Terms): void {
    const { docMap } = source;
    const postings = terms.postings(source.cursor.ord, source.postings);
    source.postings = postings;
    const hasPositions = terms.index === "positions" || terms.index === "offsets";
    if (!hasPositions) {
      this.#takeBlocks(postings, docMap);
      return;
    }
    if (terms.index === "offsets") this.#takeWithOffsets(postings, docMap);
    else this.#takeWithPositions(postings, docMap);
  }

  #takeWithPositions(postings: Postings, docMap: Int32Array): void {
    for (;;) {
      const count = postings.nextBlock();
      if (count === 0) return;
      const { docs, freqs } = postings;
      let total = 0;
      for (let i = 0; i < count; i += 1) total += freqs[i] as number;
      if (total > this.#seen.length) this.#seen = new Int32Array(total * 2);
      const seen = this.#seen;
      postings.readBlockPositions(seen);
      const positions = this.#positions;
      positions.reserve(positions.length + total);
      const { items } = positions;
      let { length } = positions;
      let from = 0;
      for (let i = 0; i < count; i += 1) {
        const freq = freqs[i] as number;
        const target = docMap[docs[i] as number] as number;
        if (target !== -1) {
          this.#docs.push(target);
          this.#freqs.push(freq);
          for (let j = from; j < from + freq; j += 1) {
            items[length] = seen[j] as number;
            length += 1;
          }
        }
        from += freq;
      }
      positions.length = length;
    }
  }

  #takeWithOffsets(postings: Postings, docMap: Int32Array): void {
    for (let i = 0; i < postings.docFreq; i += 1) {
      const target = docMap[postings.nextDoc()] as number;
      if (target === -1) continue;
      const freq = postings.freq();
      this.#docs.push(target);
      this.#freqs.push(freq);
      for (let j = 0; j < freq; j += 1) {
        this.#positions.push(postings.nextPosition());
        this.#startOffsets.push(postings.startOffset());
        this.#endOffsets.push(postings.endOffset());
      }
    }
  }

  #takeBlocks(postings: Postings, docMap: Int32Array): void {
    for (;;) {
      const count = postings.nextBlock();
      if (count === 0) return;
      const { docs, freqs } = postings;
      for (let i = 0; i < count; i += 1) {
        const target = docMap[docs[i] as number] as number;
        if (target === -1) continue;
        this.#docs.push(target);
        this.#freqs.push(freqs[i] as number);
      }
    }
  }

  /** Writes what was taken; false if there was nothing. */
  emit(): boolean {
    const count = this.#docs.length;
    if (count === 0) return false;
    this.#markDocuments(count);
    this.writer.add({
      docs: this.#docs.items,
      freqs: this.#freqs.items,
      count,
      positions: this.#positions.items,
      startOffsets: this.#startOffsets.items,
      endOffsets: this.#endOffsets.items,
      positionsFrom: 0,
    });
    for (const list of [this.#docs, this.#freqs, this.#positions]) list.length = 0;
    this.#startOffsets.length = 0;
    this.#endOffsets.length = 0;
    return true;
  }

  /** Documents with at least one term, as bits. */
  #marked = new Int32Array(16);

  #markDocuments(count: number): void {
    const docs = this.#docs.items;
    const last = (docs[count - 1] as number) >> 5;
    if (last >= this.#marked.length) {
      const larger = new Int32Array((last + 1) * 2);
      larger.set(this.#marked);
      this.#marked = larger;
    }
    for (let i = 0; i < count; i += 1) setBit(this.#marked, docs[i] as number);
  }

  docCount(maxDoc: number): number {
    return countBits(this.#marked.subarray(0, wordCount(maxDoc)));
  }
}

function mergeNorms({ sources, maxDoc }: PartMerge<OpenTerms>): Uint8Array {
  const merged = new Uint8Array(maxDoc);
  for (const { part, docMap } of sources) {
    const norms = part?.norms;
    if (norms === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc += 1) {
      const target = docMap[doc] as number;
      if (target !== -1) merged[target] = norms[doc] as number;
    }
  }
  return merged;
}

function mergeOrdinals(
  sources: readonly TermSource[],
  maxDoc: number,
): Parameters<typeof writeOrdinalColumn>[1] {
  const docs = new IntList();
  const firstValues = new IntList();
  const values = new IntList();
  for (const { ordinals, docMap, newOrds } of sources) {
    if (ordinals === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc += 1) {
      const target = docMap[doc] as number;
      if (target === -1 || !ordinals.has(doc)) continue;
      docs.push(target);
      firstValues.push(values.length);
      const end = ordinals.end(doc);
      for (let i = ordinals.start(doc); i < end; i += 1) {
        values.push(newOrds[ordinals.ords[i] as number] as number);
      }
    }
  }
  return { maxDoc, docs: docs.view(), firstValues: firstValues.view(), values: values.view() };
}
