/** What score functions may read of a document. */
import type { Searcher, SegmentContext } from "../../language/searcher.ts";

export interface FunctionSegment {
  numbers(field: string): ((doc: number) => number | undefined) | undefined;
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
