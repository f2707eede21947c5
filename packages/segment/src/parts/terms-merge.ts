/**
 * Merges the terms of one field: one walk in step through the sorted dictionaries of all inputs.
 *
 * At each step the inputs that stand on the least term form a group. Their postings are concatenated under the new
 * document numbers; if any document stays, the term is written and gets the next ordinal. Ordinal columns are
 * rewritten at the end, through the map from old to new ordinals that the walk has filled. No term is hashed and
 * nothing is sorted.
 */
import { countBits, hasBit, setBit, wordCount } from "../bits.ts";
import { IntList } from "../growable.ts";
import { writeOrdinalColumn } from "../ordinals.ts";
import type { PartMerge, PartSource, SectionWriter } from "../part.ts";
import { createPostingsWriter, type PostingsWriter } from "../postings-writer.ts";
import { createDictionaryWriter, type DictionaryWriter } from "../term-dictionary.ts";
import type { OrdinalColumn, Postings, TermCursor, TermDictionary, Terms } from "../types.ts";
import { writeDictionary, writeInverted, type TermsEntry } from "./terms-layout.ts";

/** The terms of the field in one segment. */
interface OpenTerms {
  readonly norms: Uint8Array | undefined;
  readonly dictionary: TermDictionary;
  readonly terms: Terms | undefined;
  readonly ordinals: OrdinalColumn | undefined;
}

// About the work of a few milliseconds between two yields.
const TERMS_PER_STEP = 2048;

/** One input's state in the walk. */
interface TermSource {
  readonly cursor: TermCursor;
  readonly docMap: Int32Array;
  readonly terms: Terms | undefined;
  readonly ordinals: OrdinalColumn | undefined;
  /**
   * Ordinals that documents that stay still use, as bits. Only for a field without an inverted index, where no
   * postings tell it.
   */
  readonly used: Int32Array | undefined;
  /** New ordinal of each old one; -1 for terms that were dropped. */
  readonly newOrds: Int32Array;
  /** The cursor of the previous term, reused for the next. */
  postings: Postings | undefined;
}

/** Writes the merged terms and returns their entry. Yields between pieces of work of a few milliseconds. */
export function* mergeTerms(
  file: SectionWriter,
  merge: PartMerge<OpenTerms>,
): Generator<undefined, TermsEntry> {
  const { info, sources, maxDoc } = merge;
  // Norms come first: the postings writer needs them for the impacts.
  const norms = info.norms ? mergeNorms(merge) : undefined;
  const inputs = sources.flatMap(termSourceOf);
  const open = inputs.filter(({ cursor }) => cursor.next());
  const dictionary = createDictionaryWriter();
  const postings =
    info.index === "none"
      ? undefined
      : new PostingsMerger(createPostingsWriter(info.index, norms, tokenCount(inputs)));
  const group: TermSource[] = [];
  // A linear scan for the least term beats a heap for the few inputs of a merge, and keeps the group in input order.
  for (let steps = 1; open.length > 0; steps += 1) {
    collectLeast(open, group);
    mergeTerm(group, dictionary, postings);
    // The cursors advance only after the group has been merged: the term's bytes live in them. `open` keeps its
    // order, on which the order of documents in the postings depends.
    for (const source of group) if (!source.cursor.next()) open.splice(open.indexOf(source), 1);
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

/** The state of one input; an input without the field contributes nothing. */
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

/** Ordinals used by documents that stay. Terms of dropped documents would otherwise survive every merge. */
function usedOrds(ordinals: OrdinalColumn, docMap: Int32Array): Int32Array {
  const used = new Int32Array(wordCount(ordinals.dictionary.size));
  for (let doc = 0; doc < docMap.length; doc += 1) {
    if (docMap[doc] === -1) continue;
    const end = ordinals.end(doc);
    for (let i = ordinals.start(doc); i < end; i += 1) setBit(used, ordinals.ords[i] as number);
  }
  return used;
}

/** Collects into `group` all sources that stand on the least term, in input order. */
function collectLeast(sources: readonly TermSource[], group: TermSource[]): void {
  group.length = 0;
  for (const source of sources) {
    const [least] = group;
    const order = least === undefined ? 0 : compareCursors(source.cursor, least.cursor);
    if (order > 0) continue;
    if (order < 0) group.length = 0;
    group.push(source);
  }
}

function tokenCount(sources: readonly TermSource[]): number {
  return sources.reduce((sum, { terms }) => sum + (terms?.stats.sumTotalTermFreq ?? 0), 0);
}

/** Compares the current terms of two cursors as unsigned bytes. */
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

/** Merges one term, on which all `sources` stand. The term is written only if a document that stays has it. */
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
  // The ordinal is assigned before the term is added: `size` is then the rank it will get. Old ordinals ascend with
  // terms, so new ones do, too, and columns stay sorted.
  for (const { newOrds, cursor } of sources) newOrds[cursor.ord] = dictionary.size;
  dictionary.add(first.cursor.bytes, 0, first.cursor.length);
}

/**
 * Gathers the postings of one term from several inputs. Document numbers ascend by concatenation: inputs come in
 * order, and each docMap is ascending.
 */
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

  /** Takes the postings of one input, without documents that are dropped. */
  take(source: TermSource, terms: Terms): void {
    const { docMap } = source;
    const postings = terms.postings(source.cursor.ord, source.postings);
    source.postings = postings;
    // Three loops for three amounts of data: the common ones decode whole blocks, only offsets go token by token.
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
      // One buffer for the positions of a block; a dropped document's positions are decoded and skipped, because the
      // stream cannot be entered in its middle without summing freqs anyway.
      if (total > this.#seen.length) this.#seen = new Int32Array(total * 2);
      const seen = this.#seen;
      postings.readBlockPositions(seen);
      const positions = this.#positions;
      // Room is reserved for the whole block, so that the inner loop writes without a capacity check.
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

  /** Takes postings with offsets, token by token: such fields are rare. */
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

  /** Takes postings without positions; without freqs `nextBlock` fills in ones. */
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

  /** Writes the gathered postings as one term and clears them; false if no document stays. */
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
    // Lengths are reset but the arrays are kept for the next term.
    for (const list of [this.#docs, this.#freqs, this.#positions]) list.length = 0;
    this.#startOffsets.length = 0;
    this.#endOffsets.length = 0;
    return true;
  }

  /** Documents with at least one term, as bits, for the field's `docCount`. */
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

  /** Number of documents with a term. */
  docCount(maxDoc: number): number {
    return countBits(this.#marked.subarray(0, wordCount(maxDoc)));
  }
}

/** Norms under new document numbers; documents of inputs without the field get 0. */
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

/**
 * Ordinal columns of all inputs under new ordinals and documents. A term that a document which stays has is never
 * dropped, so no -1 can occur here.
 */
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
