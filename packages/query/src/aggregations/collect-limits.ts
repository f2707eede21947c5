/**
 * Counts that bound what one aggregation collects on one shard, before any limit of the answer is looked at: three levels of terms over
 * one document with a thousand values are a thousand million buckets. The product's request breaker does so by bytes
 * (`CircuitBreakingException` of `MultiBucketConsumer`), and gives way at some ten million buckets with a heap of 1 GB.
 */
import { OperationError } from "@orrery/stdx";

/** Buckets below no other, each found by its key: a map holds no more. */
const MOST_KEYED = 2 ** 24 - 1;

/** Buckets below others; of ranges and filters, empty ones included. */
const MOST_NESTED = 5_000_000;

/** Documents handed to the aggregations below at once, each in every bucket that it is in. */
const MOST_ENTRIES = 16_000_000;

/** Combinations of the values of several fields of one document, which are made at once. */
const MOST_COMBINATIONS = 1_000_000;

/** Distinct values in all buckets together. */
const MOST_DISTINCT = 16_000_000;

/** @throws OperationError 429 `circuit_breaking_exception`, as all of these. */
export function refuseKeyed(count: number): void {
  if (count > MOST_KEYED) throw tooMuch(MOST_KEYED, "buckets");
}

export function refuseNested(count: number): void {
  if (count > MOST_NESTED) throw tooMuch(MOST_NESTED, "buckets");
}

export function refuseEntries(count: number): void {
  if (count > MOST_ENTRIES) throw tooMuch(MOST_ENTRIES, "documents in buckets");
}

export function refuseCombinations(count: number): void {
  if (count > MOST_COMBINATIONS) throw tooMuch(MOST_COMBINATIONS, "combinations");
}

/** Distinct values that the counters of one aggregation keep. */
export class DistinctBudget {
  private count = 0;

  /** Negative: so many are kept no longer. */
  add(count: number): void {
    this.count += count;
    if (this.count > MOST_DISTINCT) throw tooMuch(MOST_DISTINCT, "distinct values");
  }
}

function tooMuch(most: number, what: string): OperationError {
  const reason = `[request] Data too large, data for [allocated_buckets] would be more than [${most}] ${what}`;
  const metadata = { durability: "TRANSIENT" };
  return new OperationError({ type: "circuit_breaking_exception", reason, status: 429, metadata });
}
