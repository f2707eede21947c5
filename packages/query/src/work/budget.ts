/**
 * The budget of one request on one shard: memory until its phase ends, and work between two rests. Collecting, highlighting, suggesting, sorting
 * and printing take from it before the memory or the time is gone. All requests of a worker share the memory; the one that asks for too much is
 * refused with 429, and no small one is.
 * Source: the product's `request` circuit breaker, which counts bytes. Its threads need no bound on work; here a shard's neighbours wait for it.
 */
import { OperationError } from "@orrery/stdx";

/** Of all requests of a worker together. Three fifths of a heap of 1 GB: the default limit of the product's breaker. */
const MOST_BYTES = 600 * 1024 * 1024;

/** A request that holds no more than this is not refused for what its neighbours hold. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** Steps of ten to twenty nanoseconds that work may take without a rest: a second or two. */
const MOST_STEPS = 100_000_000;

/** Steps after which work that can rest does so. */
const STEPS_A_LOOK = 1_000_000;

/** Bytes that the requests of one worker hold together. */
export class SharedMemory {
  bytes = 0;
}

/** Steps with a budget of their own, which is given back when they end. */
export function* withBudget<T>(
  memory: SharedMemory,
  steps: (budget: Budget) => Generator<undefined, T>,
): Generator<undefined, T> {
  const budget = new Budget(memory);
  try {
    return yield* steps(budget);
  } finally {
    budget.close();
  }
}

export class Budget {
  private bytes = 0;
  private steps = 0;
  private readonly memory: SharedMemory;

  constructor(memory: SharedMemory = new SharedMemory()) {
    this.memory = memory;
  }

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
    const { memory } = this;
    this.bytes += bytes;
    memory.bytes += bytes;
    if (memory.bytes <= MOST_BYTES || this.bytes <= SMALL_BYTES) return;
    throw dataTooLarge("search", memory.bytes, MOST_BYTES);
  }

  /** Gives back all bytes that it holds. */
  close(): void {
    this.memory.bytes -= this.bytes;
    this.bytes = 0;
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
