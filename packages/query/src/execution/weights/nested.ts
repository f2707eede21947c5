/** Enclosing documents by their nested ones, which stand right before them. Source: `ToParentBlockJoinQuery`. */
import { NO_MORE_DOCS, type SegmentReader } from "@orrery/segment";
import { utf8Encode } from "@orrery/stdx";
import type { NestedPlan } from "../../language/plan.ts";
import { emptyWords, hasBit, nextBit } from "../bits.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import { addPostings } from "./terms.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

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

const cache = new WeakMap<SegmentReader, Map<string, Int32Array | undefined>>();

/** Documents of one nested path. */
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

interface ParentOptions {
  readonly children: Int32Array;
  readonly parents: Int32Array;
  readonly segment: SegmentContext;
  readonly plan: NestedPlan;
  readonly needsScores: boolean;
}

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
  /** All children of a parent are read at once, so every stop is a match. */
  advance(target: number): number {
    const { parents, segment } = this.options;
    const { inner } = this;
    // Children of `target` start behind the parent before it.
    const first = target === 0 ? 0 : previousBit(parents, target - 1) + 1;
    let child = inner.doc() < first ? inner.advance(first) : inner.doc();
    for (;;) {
      while (child !== NO_MORE_DOCS && !this.isChild(child)) child = inner.next();
      if (child === NO_MORE_DOCS) return (this.at = NO_MORE_DOCS);
      const parent = nextBit(parents, child, segment.maxDoc);
      this.collect(parent);
      if (parent >= target) return (this.at = parent);
      child = inner.doc();
    }
  }
  private isChild(doc: number): boolean {
    const { children, segment } = this.options;
    return (
      hasBit(children, doc) &&
      (segment.live === undefined || hasBit(segment.live, doc)) &&
      this.inner.matches()
    );
  }
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

function previousBit(words: Int32Array, from: number): number {
  for (let doc = from; doc >= 0; doc -= 1) if (hasBit(words, doc)) return doc;
  return -1;
}
