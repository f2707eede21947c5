/**
 * Sorted-set doc values: for each document its distinct ordinals of a term dictionary, ascending (Lucene's
 * `SortedSetDocValues`). Ordinals are ranks of terms, so sorting and grouping compare integers and look terms up only
 * for results.
 */
import { createDocSet, hasBit } from "./bits.ts";
import { layOutColumn, type ColumnInput } from "./numbers.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { DocSet, OrdinalColumn, TermDictionary } from "./types.ts";

/** Directory entry of an ordinal column; `starts` and `present` as in `NumberColumnEntry`. */
export interface OrdinalColumnEntry {
  readonly ords: number;
  readonly starts: number | undefined;
  readonly present: number | undefined;
  readonly docCount: number;
}

/** Writes a column. `input.values` must be ascending and distinct within each document. */
export function writeOrdinalColumn(
  file: SectionWriter,
  input: ColumnInput & { readonly values: Int32Array },
): OrdinalColumnEntry {
  const { values: ords, starts, present } = layOutColumn(file, input, input.values);
  return { ords, starts, present, docCount: input.docs.length };
}

/** Opens a column in place over its dictionary. */
export function openOrdinalColumn(
  file: SectionReader,
  entry: OrdinalColumnEntry,
  dictionary: TermDictionary,
  maxDoc: number,
): OrdinalColumn {
  return new Column(file, entry, dictionary, maxDoc);
}

/** A view of a column; single-valued columns index `ords` by document, as in `numbers.ts`. */
class Column implements OrdinalColumn {
  readonly dictionary: TermDictionary;
  readonly ords: Int32Array;
  readonly isDense: boolean;
  readonly isMultiValued: boolean;
  readonly docCount: number;
  readonly documents: DocSet;
  readonly #starts: Int32Array | undefined;
  readonly #present: Int32Array | undefined;

  constructor(
    file: SectionReader,
    entry: OrdinalColumnEntry,
    dictionary: TermDictionary,
    maxDoc: number,
  ) {
    this.dictionary = dictionary;
    this.ords = file.ints(entry.ords);
    this.#starts = entry.starts === undefined ? undefined : file.ints(entry.starts);
    this.#present = entry.present === undefined ? undefined : file.ints(entry.present);
    this.isMultiValued = this.#starts !== undefined;
    this.docCount = entry.docCount;
    this.isDense = !this.isMultiValued && entry.docCount === maxDoc;
    this.documents = createDocSet(entry.docCount, this.#present);
  }

  has(doc: number): boolean {
    return this.#present === undefined || hasBit(this.#present, doc);
  }

  count(doc: number): number {
    return this.end(doc) - this.start(doc);
  }

  start(doc: number): number {
    return this.#starts === undefined ? doc : (this.#starts[doc] as number);
  }

  end(doc: number): number {
    if (this.#starts !== undefined) return this.#starts[doc + 1] as number;
    return this.has(doc) ? doc + 1 : doc;
  }

  ord(doc: number): number {
    // Documents without a value have slot 0 in a single-valued column, so presence must be checked first.
    return this.has(doc) ? (this.ords[this.start(doc)] as number) : -1;
  }
}
