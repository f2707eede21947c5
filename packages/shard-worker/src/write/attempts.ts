/**
 * Attempts of writes that a coordinating node has sent again because an answer was lost. An earlier attempt that
 * arrives or continues after a later one would replace what was written after the later one was acknowledged; it is
 * rejected. OpenSearch has no such guard, as far as is known.
 */
import type { BulkShardRequest } from "@orrery/protocol";

/** The identity of a write, and the number of the attempt; the first is 0. */
type Attempt = Pick<BulkShardRequest, "writeId" | "attempt">;

/** The latest attempts that one copy has seen. */
export interface Attempts {
  /** Records a retry that has arrived; first attempts, which overtake none, are not recorded. */
  note(request: Attempt): void;
  /** Whether a later attempt of the same write has arrived. */
  isOvertaken(request: Attempt): boolean;
}

/** Writes that are remembered. A first attempt that arrives after so many others were retried is not recognised. */
const MOST_KNOWN = 1000;

export function createAttempts(): Attempts {
  /**
   * Write id to its latest attempt, in the order of the retries. First attempts are not recorded: there is nothing to
   * compare them with.
   */
  const latest = new Map<number, number>();
  return {
    note({ writeId, attempt }) {
      if (attempt === 0 || (latest.get(writeId) ?? 0) >= attempt) return;
      latest.delete(writeId);
      latest.set(writeId, attempt);
      const [oldest] = latest.keys();
      if (latest.size > MOST_KNOWN && oldest !== undefined) latest.delete(oldest);
    },
    isOvertaken: ({ writeId, attempt }) => latest.size > 0 && (latest.get(writeId) ?? 0) > attempt,
  };
}
