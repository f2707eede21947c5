/** Which nested documents of a path belong to a document: those that stand before it, back to the previous one of its kind. */
import type { Plan } from "../language/plan.ts";
import { emptyWords, hasBit, nextBit } from "./bits.ts";
import type { Searcher, SegmentContext } from "../language/searcher.ts";
import { bitsOf } from "./weights/filters.ts";
import { nestedBits } from "./weights/nested.ts";
import { weightOf } from "./weights/table.ts";

export type ChildrenOf = (doc: number) => number[];

/** Documents of a segment that a filter looks at in the time of a step. */
const DOCS_A_STEP = 4;

export function nestedChildren(
  path: string,
  filter: Plan | undefined,
  searcher: Searcher,
): (segment: SegmentContext) => ChildrenOf {
  const weight =
    filter === undefined ? undefined : weightOf(filter, searcher, { needsScores: false });
  return (segment) => {
    const children = nestedBits(segment.reader, path);
    const roots = segment.reader.roots?.words;
    if (children === undefined || roots === undefined) return () => [];
    let allowed: Int32Array | undefined;
    if (weight !== undefined) {
      searcher.budget.step(Math.floor(segment.maxDoc / DOCS_A_STEP));
      allowed = emptyWords(segment.maxDoc);
      const scorer = weight.scorer(segment);
      if (scorer !== undefined) bitsOf(scorer, allowed);
    }
    return (doc) => {
      const found: number[] = [];
      const first = previousRoot(roots, doc) + 1;
      searcher.budget.step(1 + doc - first);
      for (
        let child = nextBit(children, first, doc);
        child < doc;
        child = nextBit(children, child + 1, doc)
      ) {
        if (allowed === undefined || hasBit(allowed, child)) found.push(child);
      }
      return found;
    };
  };
}

function previousRoot(roots: Int32Array, doc: number): number {
  for (let at = doc - 1; at >= 0; at -= 1) if (hasBit(roots, at)) return at;
  return -1;
}
