/**
 * Writes that were sent again, because nobody knew what had become of them. What was sent first may arrive later, and be begun or go on later:
 * carried out then, it would take the place of what was written after the second attempt was acknowledged. Nothing in OpenSearch guards
 * against that, as far as is known.
 */
import type { BulkShardRequest } from "@orrery/protocol";

type Attempt = Pick<BulkShardRequest, "writeId" | "attempt">;

export interface Attempts {
  /** The request has arrived. */
  note(request: Attempt): void;
  /** A later attempt of it has arrived, too. */
  isOvertaken(request: Attempt): boolean;
}

/** A first attempt that is on its way longer than so many others were tried again is not known any more. */
const MOST_KNOWN = 1000;

export function createAttempts(): Attempts {
  /** By write, in the order in which they were tried again. */
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
