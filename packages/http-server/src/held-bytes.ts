/**
 * The bytes that requests and answers under way hold, and the most they may hold: what would be above it is refused before it is
 * taken. Source: the breakers `in_flight_requests` and `request` (`HierarchyCircuitBreakerService`, `ChildMemoryCircuitBreaker`).
 */
import { formatByteSize, OperationError } from "@orrery/stdx";

export interface HeldBytesOptions {
  readonly breaker: "in_flight_requests" | "request";
  /** Name of what the bytes belong to, as the refusal tells it. */
  readonly label: string;
  readonly limitBytes: number;
  /** What a byte of a body is counted as, as it will be read into something larger. */
  readonly overhead: number;
}

export interface HeldBytes {
  /** Throws `circuit_breaking_exception`, 429, when it would be too much. */
  take(bytes: number): void;
  /** What is there already and cannot be refused, as an answer. */
  add(bytes: number): void;
  give(bytes: number): void;
  readonly held: number;
  /** How often something was refused. */
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
