/**
 * The budget of one request on one shard: memory until its phase ends, and work between two rests. Collecting, highlighting, suggesting, sorting
 * and printing take from it before the memory or the time is gone. A request that takes too much is refused with 429, and no other request is.
 * Source: the product's `request` circuit breaker, which counts bytes. Its threads need no bound on work; here a shard's neighbours wait for it.
 */
import { OperationError } from "@orrery/stdx";

/** Three fifths of a heap of 1 GB: the default limit of the product's breaker. */
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
    throw breaking(
      `[request] Too much work, one document or value needs more than [${MOST_STEPS}] steps`,
      {},
    );
  }

  /** Takes memory; negative: gives it back. */
  hold(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes <= MOST_BYTES) return;
    throw dataTooLarge("search", this.bytes, MOST_BYTES);
  }

  /** Neighbours had their turn, or could have had it. */
  rested(): void {
    this.steps = 0;
  }
}

/** 429 `circuit_breaking_exception`, in the product's words. */
export function dataTooLarge(label: string, wanted: number, limit: number): OperationError {
  return breaking(
    `[request] Data too large, data for [${label}] would be [${wanted}/${megabytes(wanted)}], which is larger than the limit of [${limit}/${megabytes(limit)}]`,
    { bytes_wanted: wanted, bytes_limit: limit },
  );
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10}mb`;
}

interface Bytes {
  readonly bytes_wanted?: number;
  readonly bytes_limit?: number;
}

function breaking(reason: string, limits: Bytes): OperationError {
  const metadata = { ...limits, durability: "TRANSIENT" };
  return new OperationError({ type: "circuit_breaking_exception", reason, status: 429, metadata });
}
