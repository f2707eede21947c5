/**
 * BM25 scores equal to Lucene's in every bit of the float: `BM25Similarity` and its `BM25Scorer`.
 *
 * Java computes in floats. Every intermediate that Java stores in a float goes through `Math.fround` here: for +, −,
 * × and ÷ of two floats, rounding the double result once gives exactly the float result. The order of operations
 * therefore matters; an algebraically equal formula gives other bits.
 */
import { byte4ToInt } from "./small-float.ts";
import type { Bm25Scorer } from "./types.ts";

/** Statistics of a term and its field, collected by the query over the whole shard, or over all shards with dfs. */
export interface Bm25Statistics {
  /** Documents with at least one term in the field. */
  readonly docCount: number;
  /** Tokens of the field over all documents; the average length is this divided by `docCount`. */
  readonly sumTotalTermFreq: number;
  /** `bm25Idf` of the term; for a phrase the sum over its terms. */
  readonly idf: number;
  readonly boost?: number;
  readonly k1?: number;
  readonly b?: number;
}

const LENGTHS: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => byte4ToInt(byte));

/**
 * Inverse document frequency as a float: ln(1 + (docCount − docFreq + 0.5) / (docFreq + 0.5)). Statistics include
 * deleted documents, as Lucene's do.
 */
export function bm25Idf(docFreq: number, docCount: number): number {
  return Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** A scorer for one term or phrase. Norms are bytes of `intToByte4`; a field without norms is scored with norm 1. */
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
      // Lucene's rewriting of weight × freq / (freq + 1 / normInverse). The form is monotonic in freq and norm even after
      // rounding, which the impacts of a block rely on: a bound computed from an impact is never below a score in the
      // block (INV-SEGMENT-8).
      const scaled = fround(fround(freq) * (normInverse[norm] as number));
      return fround(weight - fround(weight / fround(1 + scaled)));
    },
  };
}

/**
 * The inverses computed last. All terms of a field share them, and so does the next search until a refresh changes
 * the average length.
 */
let lastComputed: {
  readonly k1: number;
  readonly b: number;
  readonly averageLength: number;
  readonly inverses: Float32Array;
} = { k1: 0, b: 0, averageLength: 0, inverses: LENGTHS };

function normInverses(k1: number, b: number, averageLength: number): Float32Array {
  if (
    lastComputed.k1 !== k1 ||
    lastComputed.b !== b ||
    lastComputed.averageLength !== averageLength
  )
    lastComputed = { k1, b, averageLength, inverses: computeInverses(k1, b, averageLength) };
  return lastComputed.inverses;
}

/**
 * 1 / (k1 × (1 − b + b × length / averageLength)) for each of the 256 norm bytes, so that scoring a document needs no
 * division by the length.
 */
function computeInverses(k1: number, b: number, averageLength: number): Float32Array {
  const { fround } = Math;
  return LENGTHS.map((length) => {
    const relative = fround(fround(b * length) / averageLength);
    return fround(1 / fround(k1 * fround(fround(1 - b) + relative)));
  });
}
