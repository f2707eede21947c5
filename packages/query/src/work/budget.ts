/**
 * The budget of one request on one shard: memory until its phase ends, and work between two rests.
 * Collecting, highlighting, suggesting, sorting and printing charge it before they use the memory
 * or the time. All requests of a worker share the memory; a request that asks for too much is
 * rejected with 429, and small requests never are. Source: the product's `request` circuit breaker,
 * which counts bytes. Its threads need no bound on work; here other requests of the worker wait
 * while one works.
 */
import { OperationError } from "@orrery/stdx";

/**
 * Bytes of all requests of a worker together: three fifths of a heap of 1 GB, the default limit of
 * the product's breaker.
 */
const MOST_BYTES = 600 * 1024 * 1024;

/** A request that holds no more is not rejected for the bytes of others. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** Steps between two rests at most, of ten to twenty nanoseconds each: a second or two. */
const MOST_STEPS = 100_000_000;

/** Steps after which work that can rest should. */
const STEPS_A_LOOK = 1_000_000;

/** Bytes that the requests of one worker hold together. */
export class SharedMemory {
  bytes = 0;
}

/** Runs steps with a budget of their own and releases it when they end, also by an error. */
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

/**
 * The budget of one request on one shard. Memory counts until `close`, and is limited together with that of the other
 * requests of the worker; steps count from the last rest, so a request that rests may take any number.
 */
export class Budget {
  private bytes = 0;
  private steps = 0;
  private readonly memory: SharedMemory;

  constructor(memory: SharedMemory = new SharedMemory()) {
    this.memory = memory;
  }

  /** Steps since the last rest. */
  get stepsTaken(): number {
    return this.steps;
  }

  /** Work that can rest should do so now. */
  get isRestDue(): boolean {
    return this.steps >= STEPS_A_LOOK;
  }

  /**
   * Charges work before it is done: values read, documents put into buckets, positions compared.
   * @throws OperationError 429 `circuit_breaking_exception`
   */
  step(count: number): void {
    this.steps += count;
    if (this.steps <= MOST_STEPS) return;
    throw breaking(
      `[request] Too much work, one document or value needs more than [${MOST_STEPS}] steps`,
      {},
    );
  }

  /**
   * Charges memory before it is allocated; negative numbers release it.
   * @throws OperationError 429 `circuit_breaking_exception`
   */
  hold(bytes: number): void {
    const { memory } = this;
    this.bytes += bytes;
    memory.bytes += bytes;
    if (memory.bytes <= MOST_BYTES || this.bytes <= SMALL_BYTES) return;
    throw dataTooLarge("search", memory.bytes, MOST_BYTES);
  }

  /** Releases all bytes. */
  close(): void {
    this.memory.bytes -= this.bytes;
    this.bytes = 0;
  }

  /** The work rested, or its caller decided that it need not: steps count from 0 again. */
  rested(): void {
    this.steps = 0;
  }
}

/**
 * The product's 429 `circuit_breaking_exception` for memory; `wanted` and `limit` are in bytes,
 * `label` names what needs them.
 */
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
