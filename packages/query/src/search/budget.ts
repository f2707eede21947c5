/**
 * What one request may take from one shard: memory until its phase ends, and work between two rests. Whatever collects, analyzes, highlights,
 * suggests or prints takes from it before the memory or the time is gone. A request that takes too much is refused with 429, and nothing else is.
 * Source: the product's `request` circuit breaker, which counts bytes. Its threads need no bound on work; here a shard's neighbours wait for it.
 */
import { OperationError } from "@orrery/stdx";

/** As the product's breaker gives way at with a heap of 1 GB. */
const MOST_BYTES = 600 * 1024 * 1024;

/** Steps of ten to twenty nanoseconds that work may take without a rest: a second or two. */
const MOST_STEPS = 100_000_000;

/** Steps after which work that can rest does so. */
const STEPS_A_LOOK = 1_000_000;

export class Budget {
  private bytes = 0;
  private steps = 0;

  /** Since work last rested. */
  get stepsTaken(): number {
    return this.steps;
  }

  get isRestDue(): boolean {
    return this.steps >= STEPS_A_LOOK;
  }

  /**
   * Takes work: a value looked at, a document put into a bucket, a position compared.
   * @throws OperationError 429 `circuit_breaking_exception`, as `hold`.
   */
  step(count: number): void {
    this.steps += count;
    if (this.steps <= MOST_STEPS) return;
    throw tooMuch(
      `[request] Too much work, one document or value needs more than [${MOST_STEPS}] steps`,
    );
  }

  /** Takes memory; negative: gives it back. */
  hold(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= MOST_BYTES) return;
    throw tooMuch(
      `[request] Data too large, data for [search] would be [${this.bytes}/${megabytes(this.bytes)}], which is larger than the limit of [${MOST_BYTES}/${megabytes(MOST_BYTES)}]`,
      { bytes_wanted: this.bytes, bytes_limit: MOST_BYTES },
    );
  }

  /** Neighbours had their turn, or could have had it. */
  rested(): void {
    this.steps = 0;
  }
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10}mb`;
}

function tooMuch(reason: string, limits: Readonly<Record<string, number>> = {}): OperationError {
  const metadata = { ...limits, durability: "TRANSIENT" };
  return new OperationError({ type: "circuit_breaking_exception", reason, status: 429, metadata });
}
