/**
 * Collects the best documents of a shard by score, in a heap over typed arrays with the worst on
 * top: no object is allocated for a document. Equal scores are ordered by segment, then by
 * document. Source: Lucene's `TopScoreDocCollector`.
 */
import type { TopDoc } from "../language/results.ts";

/** Collects the documents of a shard with the best scores, at most `capacity`. */
export class TopScores {
  private readonly capacity: number;
  private readonly scores: Float32Array;
  private readonly segments: Int32Array;
  private readonly docs: Int32Array;
  private size = 0;
  /** Last document of the page before, for scrolls: documents up to it are left out. */
  private readonly after: TopDoc | undefined;
  /** The score above which a document is kept, also while the heap is not full; 0: every document. */
  private readonly floor: number;

  constructor(capacity: number, after: TopDoc | undefined, floor = 0) {
    this.capacity = capacity;
    this.floor = floor;
    this.scores = new Float32Array(capacity);
    this.segments = new Int32Array(capacity);
    this.docs = new Int32Array(capacity);
    this.after = after;
  }

  get isFull(): boolean {
    return this.size === this.capacity;
  }

  /** The score that a later document must exceed; 0: every document may be kept. */
  get minScore(): number {
    // The heap has scores above the floor only.
    return this.isFull && this.capacity > 0 ? (this.scores[0] as number) : this.floor;
  }

  /** Whether no later document with this score can be kept. */
  isSettledFor(score: number): boolean {
    return this.isFull || (this.floor > 0 && Math.fround(score) <= this.floor);
  }

  collect(segment: number, docs: Int32Array, scores: Float32Array, count: number): void {
    if (this.capacity === 0) return;
    for (let i = 0; i < count; i += 1) {
      const score = scores[i] as number;
      // Most documents end here. An equal score loses, as documents come in index order.
      if (this.size === this.capacity && score <= (this.scores[0] as number)) continue;
      if (score <= this.floor && this.floor > 0) continue;
      const doc = docs[i] as number;
      if (this.after !== undefined && !isAfter(this.after, score, segment, doc)) continue;
      this.insert(score, segment, doc);
    }
  }

  /** Adds an entry, or replaces the worst one. */
  private insert(score: number, segment: number, doc: number): void {
    if (this.size < this.capacity) {
      let at = this.size;
      this.size += 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!this.isWorse(score, segment, doc, parent)) break;
        this.move(parent, at);
        at = parent;
      }
      this.put(at, score, segment, doc);
      return;
    }
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.isEntryWorse(child + 1, child)) child += 1;
      if (this.isWorse(score, segment, doc, child)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, score, segment, doc);
  }

  /** Whether the document comes behind the entry. */
  private isWorse(score: number, segment: number, doc: number, entry: number): boolean {
    const other = this.scores[entry] as number;
    if (score !== other) return score < other;
    const otherSegment = this.segments[entry] as number;
    return segment === otherSegment ? doc > (this.docs[entry] as number) : segment > otherSegment;
  }

  private isEntryWorse(a: number, b: number): boolean {
    return this.isWorse(
      this.scores[a] as number,
      this.segments[a] as number,
      this.docs[a] as number,
      b,
    );
  }

  private move(from: number, to: number): void {
    this.put(
      to,
      this.scores[from] as number,
      this.segments[from] as number,
      this.docs[from] as number,
    );
  }

  private put(at: number, score: number, segment: number, doc: number): void {
    this.scores[at] = score;
    this.segments[at] = segment;
    this.docs[at] = doc;
  }

  /** The documents, best first. */
  finish(): TopDoc[] {
    const order = Array.from({ length: this.size }, (_, i) => i);
    order.sort((a, b) => (this.isEntryWorse(a, b) ? 1 : -1));
    return order.map((i) => ({
      segment: this.segments[i] as number,
      doc: this.docs[i] as number,
      score: this.scores[i] as number,
    }));
  }
}

/** Whether the document comes behind the last one of the page before. */
function isAfter(after: TopDoc, score: number, segment: number, doc: number): boolean {
  if (score !== after.score) return score < after.score;
  return segment === after.segment ? doc > after.doc : segment > after.segment;
}
