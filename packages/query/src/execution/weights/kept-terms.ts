/**
 * A cache of columns of terms that searches use repeatedly; a column holds one value for each
 * document of a segment, read from the postings of one term. A segment keeps as many columns of a
 * kind as fit into a share of its size, those of the most used terms of all fields, as the product's
 * query cache keeps the documents of filters. A column is a function of its segment alone, so
 * results do not depend on what is cached.
 */
import type { SegmentReader, Terms } from "@orrery/segment";

/**
 * Smaller segments are searched faster than a column pays for; in larger ones each column would
 * take too much memory.
 */
const LEAST_DOCS = 4096;
const MOST_DOCS = 2_097_152;
/** A term in fewer of the documents than this has so few blocks that decoding them is cheap. */
const LEAST_SHARE = 1 / 32;
/** Use at which the column is built: a term that is searched once never pays for it. */
const USES_TO_BE_MADE = 2;
/**
 * After this number of requests for columns all counts of uses are halved, so that terms that are
 * no longer searched lose their columns.
 */
const USES_UNTIL_HALVED = 1024;
/**
 * A term replaces another only if its uses exceed twice the other's: two terms of similar use must
 * not rebuild each other's column at every search.
 */
const TIMES_USED_MORE = 2;
const MOST_BYTES = 33_554_432;
const SHARE_OF_SEGMENT = 1 / 4;

/** How a kind of column is built, and its size. */
export interface ColumnKind<Column> {
  /** Bytes of a column for each document of the segment. */
  readonly bytesPerDoc: number;
  /** Builds the column from the postings of the term. */
  make(terms: Terms, ord: number, maxDoc: number): Column;
}

/**
 * The cache of one kind of column, over all segments. Each of its columns belongs to one term of a
 * field in a segment.
 */
export interface KeptColumns<Column> {
  /**
   * Counts a use of the term and returns its column, which it builds if it is due. `undefined`: the
   * term is too rare, the segment too small or too large, the term new, or the capacity taken by
   * terms that are used more.
   */
  of(reader: SegmentReader, terms: Terms, ord: number): Column | undefined;
}

/** Makes a cache for one kind of column. Keys are weak: columns end with their segment. */
export function keepColumns<Column>(kind: ColumnKind<Column>): KeptColumns<Column> {
  const kept = new WeakMap<SegmentReader, ColumnsOfSegment<Column>>();
  return {
    of(reader, terms, ord) {
      const { maxDoc } = reader;
      if (maxDoc < LEAST_DOCS || maxDoc > MOST_DOCS || terms.docFreq(ord) < maxDoc * LEAST_SHARE)
        return undefined;
      let known = kept.get(reader);
      if (known === undefined) {
        const bytes = Math.min(MOST_BYTES, reader.sizeBytes * SHARE_OF_SEGMENT);
        const capacity = Math.floor(bytes / (maxDoc * kind.bytesPerDoc));
        known = new ColumnsOfSegment(capacity);
        kept.set(reader, known);
      }
      return known.of(terms, ord, () => kind.make(terms, ord, maxDoc));
    },
  };
}

/** Bound of the ordinals of a field: a field's terms have keys of their own below the next field's. */
const ORDINALS = 2 ** 32;

/** Columns of one segment. A key is the number of the field here, and the ordinal of the term there. */
class ColumnsOfSegment<Column> {
  private readonly capacity: number;
  private readonly fields = new Map<Terms, number>();
  private readonly uses = new Map<number, number>();
  private readonly made = new Map<number, Column>();
  private asked = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  of(terms: Terms, ord: number, make: () => Column): Column | undefined {
    const key = this.fieldOf(terms) * ORDINALS + ord;
    // Counts age before the new use is counted, so that a use always counts in full.
    this.asked += 1;
    if (this.asked % USES_UNTIL_HALVED === 0) this.halve();
    const uses = (this.uses.get(key) ?? 0) + 1;
    this.uses.set(key, uses);
    const found = this.made.get(key);
    // A kept column is returned before room is made: `makeRoom` evicts.
    if (found !== undefined || uses < USES_TO_BE_MADE || !this.makeRoom(uses)) return found;
    const column = make();
    this.made.set(key, column);
    return column;
  }

  private fieldOf(terms: Terms): number {
    const known = this.fields.get(terms);
    if (known !== undefined) return known;
    this.fields.set(terms, this.fields.size);
    return this.fields.size - 1;
  }

  private halve(): void {
    for (const [key, uses] of this.uses) {
      if (uses > 1) this.uses.set(key, uses >> 1);
      else this.uses.delete(key);
    }
  }

  /**
   * Evicts the least used column if the cache is full; false if every kept term is used too much to
   * be replaced. With no such term `least` is -1, which is no key, and `delete` returns false.
   */
  private makeRoom(uses: number): boolean {
    if (this.made.size < this.capacity) return true;
    let least = -1;
    let leastUses = uses / TIMES_USED_MORE;
    for (const key of this.made.keys()) {
      const others = this.uses.get(key) ?? 0;
      if (others >= leastUses) continue;
      least = key;
      leastUses = others;
    }
    return this.made.delete(least);
  }
}
