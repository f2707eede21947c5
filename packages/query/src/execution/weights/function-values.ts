/**
 * The values of a document that built-in score functions (`field_value_factor`, `random_score`)
 * read.
 */
import type { Searcher, SegmentContext } from "../../language/searcher.ts";

/** The values of one segment's documents that score functions read. */
export interface FunctionSegment {
  /**
   * The first value of a numeric field by document (`undefined`: the document has none);
   * `undefined` if the segment or the mapping has no such field.
   */
  numbers(field: string): ((doc: number) => number | undefined) | undefined;
  /** Sequence number of the document's operation. */
  seqNo(doc: number): number;
}

export function functionSegment(segment: SegmentContext, searcher: Searcher): FunctionSegment {
  const { reader } = segment;
  return {
    numbers: (name) => {
      const values = searcher.mapping.compiledField(name)?.values;
      const column = reader.numbers(name);
      if (column === undefined || values?.kind !== "numbers") return undefined;
      return (doc) => (column.has(doc) ? values.double(column, column.start(doc)) : undefined);
    },
    seqNo: (doc) => reader.seqNo(doc),
  };
}
