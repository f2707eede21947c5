/** INV-REPL-8: no copy that knows a retention lease discards history from the lease's retaining sequence number on. */
import type { Checker } from "./checker.ts";

export const leasedHistoryIsKept: Checker = {
  name: "leased-history-is-kept",
  invariant: "INV-REPL-8",
  says: "No copy that knows a retention lease discards history that the lease retains.",
  excusedBy: [],
  complaint: ({ indices }) => (indices.length === 0 ? "there is no index with history" : undefined),
  start: () => (event) => {
    if (event.kind !== "history-trimmed") return undefined;
    const { node, index, shard, retainedFrom, leasedFrom } = event;
    if (leasedFrom < 0 || retainedFrom <= leasedFrom) return undefined;
    return `the copy of ${index}/${shard} on ${node} keeps history from ${retainedFrom} on, although a lease asks for it from ${leasedFrom} on`;
  },
};
