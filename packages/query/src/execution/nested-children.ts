/**
 * The nested documents of a path that belong to an enclosing document. A nested document is indexed
 * right before its root document (Lucene's block join), so the children of `doc` lie behind the
 * root before it.
 */
import type { Plan } from "../language/plan.ts";
import { emptyWords, hasBit, nextBit } from "./bits.ts";
import type { Searcher, SegmentContext } from "../language/searcher.ts";
import { bitsOf } from "./weights/filters.ts";
import { nestedBits } from "./weights/nested.ts";
import { weightOf } from "./weights/table.ts";

/** Nested documents of a root document, ascending; empty if there are none. */
export type ChildrenOf = (doc: number) => number[];

/** Documents that the filter examines in the time of one step of the budget. */
const DOCS_A_STEP = 4;

/**
 * Prepares the lookup for a path. Its filter, if there is one, runs once over each segment into a
 * bit set, not once for each parent: a weight's cursor only moves forward, while parents may come
 * in any order.
 */
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

/** The last root document before `doc`; -1 if `doc` is the first one. */
function previousRoot(roots: Int32Array, doc: number): number {
  for (let at = doc - 1; at >= 0; at -= 1) if (hasBit(roots, at)) return at;
  return -1;
}
