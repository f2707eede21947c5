/** Trace of durable log entries, each with the term of the entry before it, for the checker of Raft's log matching property (INV-COORD-7). */
import type { Trace } from "@orrery/ports";
import type { Entry } from "@orrery/raft";
import { crc32c, type NodeId } from "@orrery/stdx";
import type { RaftLog } from "./raft-log.ts";

/**
 * Wraps a log so that saved entries are traced. The last stored entry is traced at once: an earlier process may have
 * made it durable and crashed before the event.
 */
export function traceSavedEntries(log: RaftLog, trace: Trace, nodeId: NodeId): RaftLog {
  const tell = (entries: readonly Entry[]): void => {
    for (const [i, { index, term, data }] of entries.entries()) {
      const previousTerm = entries[i - 1]?.term ?? termAt(log, index - 1);
      const digest = crc32c(data);
      trace({ kind: "log-entry-saved", nodeId, index, term, previousTerm, digest });
    }
  };
  tell(lastEntry(log));
  return {
    ...log,
    save: (message, done) =>
      log.save(message, () => {
        tell(message.entries);
        done();
      }),
  };
}

/** Term of the entry at `index`; 0 when the log does not contain it any more. */
function termAt({ storage }: RaftLog, index: number): number {
  const term = storage.term(index);
  return typeof term === "number" ? term : 0;
}

function lastEntry({ storage }: RaftLog): readonly Entry[] {
  const last = storage.lastIndex();
  const entries = last < storage.firstIndex() ? [] : storage.entries(last, last + 1, Infinity);
  return typeof entries === "string" ? [] : entries;
}
