/**
 * Bytes held by requests and responses in progress, and their limit: allocations above it are rejected beforehand.
 * Source: the breakers `in_flight_requests` and `request` (`HierarchyCircuitBreakerService`,
 * `ChildMemoryCircuitBreaker`).
 */
import { formatByteSize, OperationError } from "@orrery/stdx";

export interface HeldBytesOptions {
  readonly breaker: "in_flight_requests" | "request";
  /** Label of the bytes in the error message. */
  readonly label: string;
  readonly limitBytes: number;
  /** Factor by which the bytes are multiplied before the comparison with the limit, as parsing enlarges them. */
  readonly overhead: number;
}

export interface HeldBytes {
  /** Counts bytes; throws `circuit_breaking_exception` (429) if all held bytes together would exceed the limit. */
  take(bytes: number): void;
  /** Counts bytes without a check, such as those of a response, which cannot be rejected any more. */
  add(bytes: number): void;
  give(bytes: number): void;
  readonly held: number;
  /** Number of rejections. */
  readonly tripped: number;
}

export function createHeldBytes(options: HeldBytesOptions): HeldBytes {
  const { limitBytes, overhead } = options;
  let held = 0;
  let tripped = 0;
  return {
    take(bytes) {
      const wanted = Math.floor((held + bytes) * overhead);
      if (wanted > limitBytes) {
        tripped += 1;
        throw tooMuch(options, wanted);
      }
      held += bytes;
    },
    add(bytes) {
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
    get held() {
      return held;
    },
    get tripped() {
      return tripped;
    },
  };
}

function tooMuch(
  { breaker, label, limitBytes: limit }: HeldBytesOptions,
  wanted: number,
): OperationError {
  const size = (bytes: number): string => `${bytes}/${formatByteSize(bytes)}`;
  const reason = `[${breaker}] Data too large, data for [${label}] would be [${size(wanted)}], which is larger than the limit of [${size(limit)}]`;
  const metadata = { bytes_wanted: wanted, bytes_limit: limit, durability: "TRANSIENT" };
  return new OperationError({ type: "circuit_breaking_exception", reason, status: 429, metadata });
}
