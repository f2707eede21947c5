/**
 * Cursors over sets of documents whose hits all score alike: all documents, a bit set, a sorted
 * list, a test of a column. Their candidates are their matches, so `matches` is always true.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import { nextBit } from "../bits.ts";
import type { Scorer } from "../../language/scorer.ts";

/** Every document of the segment, deleted and nested ones included. */
export class AllScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private at = -1;
  private readonly maxDoc: number;

  constructor(maxDoc: number, score: number) {
    this.maxDoc = maxDoc;
    this.cost = maxDoc;
    this.maxScore = score;
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    this.at = target < this.maxDoc ? target : NO_MORE_DOCS;
    return this.at;
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    return this.maxScore;
  }
}

/**
 * The documents of a bit set. `options.cost` estimates their number: counting the bits would cost a
 * pass over the set.
 */
export class BitScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private at = -1;
  private readonly words: Int32Array;
  private readonly maxDoc: number;

  constructor(
    words: Int32Array,
    maxDoc: number,
    options: { readonly score: number; readonly cost: number },
  ) {
    this.words = words;
    this.maxDoc = maxDoc;
    this.cost = options.cost;
    this.maxScore = options.score;
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    this.at = nextBit(this.words, target, this.maxDoc);
    return this.at;
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    return this.maxScore;
  }
}

/** Documents listed in ascending order. */
export class ListScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private index = -1;
  private readonly docs: Int32Array;

  constructor(docs: Int32Array, score: number) {
    this.docs = docs;
    this.cost = docs.length;
    this.maxScore = score;
  }
  doc(): number {
    if (this.index < 0) return -1;
    return this.index < this.docs.length ? (this.docs[this.index] as number) : NO_MORE_DOCS;
  }
  next(): number {
    this.index += 1;
    return this.doc();
  }
  advance(target: number): number {
    // A binary search of the rest of the list: a conjunction's lead may be far ahead.
    const { docs } = this;
    let low = this.index + 1;
    let high = docs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((docs[middle] as number) < target) low = middle + 1;
      else high = middle;
    }
    this.index = low;
    return this.doc();
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    return this.maxScore;
  }
}

/**
 * Documents that pass a test. The loop is in `advance` rather than in `matches`: a run of documents
 * that fail costs one call of the cursor, not one for each.
 */
export class TestScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private at = -1;
  private readonly maxDoc: number;
  private readonly test: (doc: number) => boolean;

  constructor(
    maxDoc: number,
    test: (doc: number) => boolean,
    options: { readonly score: number; readonly cost: number },
  ) {
    this.maxDoc = maxDoc;
    this.test = test;
    this.cost = options.cost;
    this.maxScore = options.score;
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    const { maxDoc, test } = this;
    let doc = target;
    while (doc < maxDoc && !test(doc)) doc += 1;
    this.at = doc < maxDoc ? doc : NO_MORE_DOCS;
    return this.at;
  }
  matches(): boolean {
    return true;
  }
  score(): number {
    return this.maxScore;
  }
}
