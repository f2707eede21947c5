/**
 * `nested` queries: enclosing documents by matches among their nested documents, which are indexed
 * right before them. Source: `ToParentBlockJoinQuery`. Nested objects within nested objects have
 * the outer object's document as parent (`parentPath`), else it is the root.
 */
import { NO_MORE_DOCS, type SegmentReader } from "@orrery/segment";
import { utf8Encode } from "@orrery/stdx";
import type { NestedPlan } from "../../language/plan.ts";
import { emptyWords, hasBit, nextBit } from "../bits.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import { addPostings } from "./terms.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/**
 * The weight of a `nested` plan. With `score_mode: none` the inner plan computes no scores, and
 * every hit has score 0.
 */
export function nestedWeight(plan: NestedPlan, searcher: Searcher, prepare: Prepare): Weight {
  const needsScores = prepare.needsScores && plan.scoreMode !== "none";
  const inner = prepare.weightOf(plan.plan, searcher, { ...prepare, needsScores });
  return {
    constantScore: needsScores ? undefined : 0,
    scorer: (segment) => {
      const scorer = inner.scorer(segment);
      const children = nestedBits(segment.reader, plan.path);
      const parents =
        plan.parentPath === undefined
          ? segment.reader.roots?.words
          : nestedBits(segment.reader, plan.parentPath);
      if (scorer === undefined || children === undefined || parents === undefined) return undefined;
      return new ParentScorer(scorer, { children, parents, segment, plan, needsScores });
    },
  };
}

/**
 * Documents of each nested path of a segment; segments never change. Keys are weak: bits end with
 * their segment.
 */
const cache = new WeakMap<SegmentReader, Map<string, Int32Array | undefined>>();

/**
 * Bit set of the documents of one nested path, deleted ones included; `undefined`: the segment has
 * none. The index has the path as the term of `_nested_path`.
 */
export function nestedBits(reader: SegmentReader, path: string): Int32Array | undefined {
  let known = cache.get(reader);
  if (known === undefined) {
    known = new Map();
    cache.set(reader, known);
  }
  if (!known.has(path)) {
    const terms = reader.terms("_nested_path");
    const ord = terms?.find(utf8Encode(path)) ?? -1;
    let words: Int32Array | undefined;
    if (terms !== undefined && ord >= 0) {
      words = emptyWords(reader.maxDoc);
      addPostings(terms, ord, words);
    }
    known.set(path, words);
  }
  return known.get(path);
}

/** Bits of the children's path and of the parents. */
interface ParentOptions {
  readonly children: Int32Array;
  readonly parents: Int32Array;
  readonly segment: SegmentContext;
  readonly plan: NestedPlan;
  readonly needsScores: boolean;
}

/**
 * A cursor over parents. `advance` reads all children of a parent at once to combine their scores,
 * so every stop is a match.
 */
class ParentScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = Infinity;
  private readonly inner: Scorer;
  private readonly options: ParentOptions;
  private at = -1;
  private combined = 0;

  constructor(inner: Scorer, options: ParentOptions) {
    this.inner = inner;
    this.options = options;
    this.cost = inner.cost;
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  /** The children of `target` start behind the parent before it. */
  advance(target: number): number {
    const { parents, segment } = this.options;
    const { inner } = this;
    // The search for the previous parent reads bit by bit: parents are a few documents apart.
    const first = target === 0 ? 0 : previousBit(parents, target - 1) + 1;
    let child = inner.doc() < first ? inner.advance(first) : inner.doc();
    for (;;) {
      while (child !== NO_MORE_DOCS && !this.isChild(child)) child = inner.next();
      if (child === NO_MORE_DOCS) return (this.at = NO_MORE_DOCS);
      const parent = nextBit(parents, child, segment.maxDoc);
      // Also for a parent before the target: `collect` moves the inner cursor past its children.
      this.collect(parent);
      if (parent >= target) return (this.at = parent);
      child = inner.doc();
    }
  }
  /** Whether the inner cursor's document is a live match of the nested path. */
  private isChild(doc: number): boolean {
    const { children, segment } = this.options;
    return (
      hasBit(children, doc) &&
      (segment.live === undefined || hasBit(segment.live, doc)) &&
      this.inner.matches()
    );
  }
  /**
   * Combines the scores of the parent's matching children by `score_mode` and moves the inner
   * cursor to the parent or behind it.
   */
  private collect(parent: number): void {
    const { inner } = this;
    const { plan, needsScores } = this.options;
    let count = 0;
    let sum = 0;
    let best = -Infinity;
    let least = Infinity;
    for (let child = inner.doc(); child < parent; child = inner.next()) {
      if (!this.isChild(child)) continue;
      count += 1;
      if (!needsScores) continue;
      const score = inner.score();
      sum += score;
      best = Math.max(best, score);
      least = Math.min(least, score);
    }
    const byMode = { avg: sum / count, sum, max: best, min: least, none: 0 };
    // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
    this.combined = Math.fround(needsScores ? byMode[plan.scoreMode] : 0);
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    return this.combined;
  }
}

/** The last set bit at or before `from`; -1 if there is none. */
function previousBit(words: Int32Array, from: number): number {
  for (let doc = from; doc >= 0; doc -= 1) if (hasBit(words, doc)) return doc;
  return -1;
}
