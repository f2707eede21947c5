/**
 * Columns of terms that searches ask for again: one value for each document of a segment, made from the postings of a term. A segment
 * keeps as many as fit into a part of its own size, as the product's query cache keeps the documents of filters. They depend on
 * nothing but the segment, and their memory ends with it.
 */
import type { SegmentReader, Terms } from "@orrery/segment";

/** Smaller segments are read faster than columns are worth, larger ones would take too much memory for each term. */
const LEAST_DOCS = 4096;
const MOST_DOCS = 2_097_152;
/** Rarer terms have so few blocks that these are decoded. */
const LEAST_SHARE = 1 / 32;
/** The column of a term is made when it is asked for so many times. */
const USES_TO_BE_MADE = 2;
/** After so many questions all counts of uses are halved, so that terms of the past make room. */
const USES_UNTIL_HALVED = 1024;
/** A term takes the place of another one that is used less than half as often. */
const TIMES_USED_MORE = 2;
const MOST_BYTES = 33_554_432;
const SHARE_OF_SEGMENT = 1 / 4;

export interface ColumnKind<Column> {
  /** Of each document of the segment. */
  readonly bytesPerDoc: number;
  make(terms: Terms, ord: number, maxDoc: number): Column;
}

export interface KeptColumns<Column> {
  /** `undefined`: the term is too rare, the segment too small or too large, or other terms are used more. */
  of(reader: SegmentReader, terms: Terms, ord: number): Column | undefined;
}

export function keepColumns<Column>(kind: ColumnKind<Column>): KeptColumns<Column> {
  const kept = new WeakMap<Terms, ColumnsOfField<Column>>();
  return {
    of(reader, terms, ord) {
      const { maxDoc } = reader;
      if (maxDoc < LEAST_DOCS || maxDoc > MOST_DOCS || terms.docFreq(ord) < maxDoc * LEAST_SHARE)
        return undefined;
      let known = kept.get(terms);
      if (known === undefined) {
        const bytes = Math.min(MOST_BYTES, reader.sizeBytes * SHARE_OF_SEGMENT);
        const capacity = Math.floor(bytes / (maxDoc * kind.bytesPerDoc));
        known = new ColumnsOfField(capacity, (of) => kind.make(terms, of, maxDoc));
        kept.set(terms, known);
      }
      return known.of(ord);
    },
  };
}

class ColumnsOfField<Column> {
  private readonly capacity: number;
  private readonly make: (ord: number) => Column;
  private readonly uses = new Map<number, number>();
  private readonly made = new Map<number, Column>();
  private asked = 0;

  constructor(capacity: number, make: (ord: number) => Column) {
    this.capacity = capacity;
    this.make = make;
  }

  of(ord: number): Column | undefined {
    this.asked += 1;
    if (this.asked % USES_UNTIL_HALVED === 0) this.halve();
    const uses = (this.uses.get(ord) ?? 0) + 1;
    this.uses.set(ord, uses);
    const found = this.made.get(ord);
    if (found !== undefined || uses < USES_TO_BE_MADE || !this.makeRoom(uses)) return found;
    const column = this.make(ord);
    this.made.set(ord, column);
    return column;
  }

  private halve(): void {
    for (const [ord, uses] of this.uses) {
      if (uses > 1) this.uses.set(ord, uses >> 1);
      else this.uses.delete(ord);
    }
  }

  private makeRoom(uses: number): boolean {
    if (this.made.size < this.capacity) return true;
    let least = -1;
    let leastUses = uses / TIMES_USED_MORE;
    for (const ord of this.made.keys()) {
      const others = this.uses.get(ord) ?? 0;
      if (others >= leastUses) continue;
      least = ord;
      leastUses = others;
    }
    return this.made.delete(least);
  }
}
