/**
 * What the pieces of a search cost. Run: `node --conditions=source <this file> [documents]`.
 *
 * Walks a frequent term in blocks, document by document and in jumps; scores; looks terms and ids up; and runs the
 * simplest top-10 of one term with block bounds, which is the least a search can cost.
 */
import { createAnalysis } from "@orrery/analysis";
import { utf8Encode } from "@orrery/stdx";
import {
  bm25Idf,
  createBm25Scorer,
  createIdKey,
  coreSegmentParts,
  createSegmentWriter,
  NO_MORE_DOCS,
  openSegment,
  type Bm25Scorer,
  type FieldSpec,
  type Terms,
} from "../src/index.ts";
import { createCorpus } from "./corpus.ts";
import { print } from "./print.ts";

const count = Number(process.argv[2] ?? 100_000);
const { texts, vocabulary } = createCorpus(count);
const body: FieldSpec = {
  name: "body",
  type: "text",
  index: "positions",
  norms: true,
  docValues: false,
  points: false,
  analyzer: createAnalysis({}).analyzer("standard"),
};
const writer = createSegmentWriter(coreSegmentParts);
for (const [i, value] of texts.entries()) {
  const fields = [{ field: body, value }];
  writer.add({ kind: "index", id: `document-${i}`, seqNo: i, primaryTerm: 1, version: 1, fields });
}
const reader = openSegment(writer.flush("_0").files, coreSegmentParts, { isTrusted: true });
const terms = reader.terms("body") as Terms;
const norms = reader.norms("body") as Uint8Array;
const ords = vocabulary.map((word) => terms.find(utf8Encode(word)));

function scorerOf(ord: number): Bm25Scorer {
  const { docCount, sumTotalTermFreq } = terms.stats;
  return createBm25Scorer({
    docCount,
    sumTotalTermFreq,
    idf: bm25Idf(terms.docFreq(ord), docCount),
  });
}

/** Enough for the engine to have optimised what it measures. */
const MEASURE_MS = 300;

/** Best of many rounds, per operation. */
function measure(label: string, operations: number, work: () => number): void {
  let best = Infinity;
  let result = 0;
  const end = performance.now() + MEASURE_MS;
  while (performance.now() < end) {
    const start = performance.now();
    result = work();
    best = Math.min(best, performance.now() - start);
  }
  const nanoseconds = (best * 1e6) / operations;
  print(`${label.padEnd(34)} ${nanoseconds.toFixed(1).padStart(9)} ns/op   (${result})`);
}

for (const rank of [2, 50, 1000]) {
  const ord = ords[rank] ?? 0;
  const docFreq = terms.docFreq(ord);
  const scorer = scorerOf(ord);
  print(`term of rank ${rank}: ${docFreq} documents`);
  measure("  nextBlock", docFreq, () => {
    const postings = terms.postings(ord);
    let sum = 0;
    for (let n = postings.nextBlock(); n > 0; n = postings.nextBlock()) {
      for (let i = 0; i < n; i += 1)
        sum += (postings.docs[i] as number) + (postings.freqs[i] as number);
    }
    return sum;
  });
  measure("  nextDoc and freq", docFreq, () => {
    const postings = terms.postings(ord);
    let sum = 0;
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc())
      sum += doc + postings.freq();
    return sum;
  });
  measure("  nextBlock and score", docFreq, () => {
    const postings = terms.postings(ord);
    let best = 0;
    for (let n = postings.nextBlock(); n > 0; n = postings.nextBlock()) {
      for (let i = 0; i < n; i += 1) {
        const score = scorer.score(
          postings.freqs[i] as number,
          norms[postings.docs[i] as number] as number,
        );
        if (score > best) best = score;
      }
    }
    return best;
  });
  measure("  positions", docFreq, () => {
    const postings = terms.postings(ord);
    let sum = 0;
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc())
      sum += postings.nextPosition();
    return sum;
  });
  for (const step of [7, 900]) {
    measure(`  advance by ${step}`, Math.ceil(count / step), () => {
      const postings = terms.postings(ord);
      let sum = 0;
      for (let target = 0; target < count; target += step) {
        if (postings.docId() < target) sum += postings.advance(target);
        if (postings.docId() === NO_MORE_DOCS) break;
      }
      return sum;
    });
  }
  measure("  top 10 with block bounds, in all", 1, () => topTen(ord, scorer));
}
measure("find a term", ords.length, () =>
  vocabulary.reduce((sum, word) => sum + terms.find(utf8Encode(word)), 0),
);
measure("walk all terms", terms.size, () => {
  const cursor = terms.cursor(0);
  let sum = 0;
  while (cursor.next()) sum += cursor.length;
  return sum;
});
measure("find an id", count, () => {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += reader.find(createIdKey(`document-${i}`), undefined);
  return sum;
});
measure("miss an id", count, () => {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += reader.find(createIdKey(`absent-${i}`), undefined);
  return sum;
});

function topTen(ord: number, scorer: Bm25Scorer): number {
  const best = new Float64Array(10);
  const postings = terms.postings(ord);
  let target = 0;
  for (;;) {
    const last = postings.shallowAdvance(target);
    if (last === NO_MORE_DOCS) return best[0] as number;
    if (postings.blockMaxScore(scorer) <= (best[0] as number)) {
      target = last + 1;
      continue;
    }
    if (postings.docId() < target) postings.advance(target);
    consider(best, scorer.score(postings.freq(), norms[postings.docId()] as number));
    if (postings.docId() < last) {
      const n = postings.nextBlock();
      for (let i = 0; i < n; i += 1) {
        consider(
          best,
          scorer.score(postings.freqs[i] as number, norms[postings.docs[i] as number] as number),
        );
      }
    }
    target = last + 1;
  }
}

/** Keeps the ten best, the least of them first. */
function consider(best: Float64Array, score: number): void {
  if (score <= (best[0] as number)) return;
  let at = 0;
  while (at + 1 < best.length && (best[at + 1] as number) < score) {
    best[at] = best[at + 1] as number;
    at += 1;
  }
  best[at] = score;
}
