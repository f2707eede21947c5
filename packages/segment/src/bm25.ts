/**
 * BM25 to the last bit of a float: Lucene's `BM25Similarity` and its `BM25Scorer`.
 *
 * Java computes in floats; here every intermediate that Java stores in a float goes through `Math.fround`. For +, −,
 * × and ÷ of two floats, rounding the double result gives the float result exactly.
 */
import { byte4ToInt } from "./small-float.ts";
import type { Bm25Scorer } from "./types.ts";

/** What a scorer is made from: numbers of the whole shard (or of all shards, with dfs), as the query collected them. */
export interface Bm25Statistics {
  /** Documents that have the field. */
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  /** The sum of the terms' `bm25Idf`, or the one. */
  readonly idf: number;
  readonly boost?: number;
  readonly k1?: number;
  readonly b?: number;
}

const LENGTHS: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => byte4ToInt(byte));

/** ln(1 + (docCount − docFreq + 0.5) / (docFreq + 0.5)), a float. */
export function bm25Idf(docFreq: number, docCount: number): number {
  return Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

export function createBm25Scorer(statistics: Bm25Statistics): Bm25Scorer {
  const { docCount, sumTotalTermFreq, idf, boost = 1, k1 = 1.2, b = 0.75 } = statistics;
  const weight = Math.fround(Math.fround(boost) * Math.fround(idf));
  const averageLength = docCount === 0 ? 1 : Math.fround(sumTotalTermFreq / docCount);
  const normInverse = normInverses(Math.fround(k1), Math.fround(b), averageLength);
  const { fround } = Math;
  return {
    weight,
    normInverse,
    score: (freq, norm) => {
      const scaled = fround(fround(freq) * (normInverse[norm] as number));
      return fround(weight - fround(weight / fround(1 + scaled)));
    },
  };
}

/** Made last: all terms of a field have the same, and so has the next search until the next refresh. */
let recent: {
  readonly k1: number;
  readonly b: number;
  readonly averageLength: number;
  readonly inverses: Float32Array;
} = { k1: 0, b: 0, averageLength: 0, inverses: LENGTHS };

function normInverses(k1: number, b: number, averageLength: number): Float32Array {
  if (recent.k1 !== k1 || recent.b !== b || recent.averageLength !== averageLength)
    recent = { k1, b, averageLength, inverses: computeInverses(k1, b, averageLength) };
  return recent.inverses;
}

function computeInverses(k1: number, b: number, averageLength: number): Float32Array {
  const { fround } = Math;
  return LENGTHS.map((length) => {
    const relative = fround(fround(b * length) / averageLength);
    return fround(1 / fround(k1 * fround(fround(1 - b) + relative)));
  });
}
