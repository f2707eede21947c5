/**
 * INV-DATA-1: a document whose write was acknowledged is there, as it was sent, once the cluster has healed; one whose delete
 * was acknowledged is not there. Where the last word is not known, it is one of those that may have been it.
 */
import type { Json } from "@orrery/stdx";
import { isWrite, type Operation } from "../history.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";
import { readDocuments, valueOf, type Address } from "./final-reads.ts";

export const noAcknowledgedWriteLost: Checker = {
  name: "no-acknowledged-write-lost",
  invariant: "INV-DATA-1",
  says: "A document whose write was acknowledged is there, as it was sent, once the cluster has healed; a deleted one is not.",
  complaint: ({ workload }) => (workload.length === 0 ? "no client writes" : undefined),
  finish: async (world, plan, { operations }) => {
    for (const { name: cluster } of plan.clusters) {
      const fates = [...fatesOf(world, cluster, operations).values()].filter(isSettled);
      const items = await readDocuments(world, cluster, fates);
      if (typeof items === "string") return items;
      for (const [i, fate] of fates.entries()) {
        const { last, others, index, document } = fate;
        const now = valueOf(items[i]);
        if ([last, ...others].some((write) => isWhatIsThere(write, now))) continue;
        const what =
          last.kind === "delete" ? "deleted" : `acknowledged with ${JSON.stringify(last.wrote)}`;
        return `${index}/${document} was ${what} and is now ${JSON.stringify(items[i])}`;
      }
    }
    return undefined;
  },
};

/** What may have become of a document. */
interface Fate extends Address {
  /** The acknowledged write with the highest sequence number. */
  readonly last: Operation | undefined;
  /** Writes of which nobody knows whether, and when, they were done. */
  readonly others: Operation[];
}

function fatesOf(
  world: World,
  cluster: string,
  operations: readonly Operation[],
): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const operation of operations) {
    const { index, document, node, outcome } = operation;
    if (!isWrite(operation) || index === undefined || document === undefined) continue;
    if (outcome === "failed" || world.clusterOf(node) !== cluster) continue;
    const key = `${index}/${document}`;
    const fate: Fate = fates.get(key) ?? { index, document, last: undefined, others: [] };
    const { last, others } = fate;
    if (outcome === "unknown") others.push(operation);
    const isNewer =
      outcome === "ok" && (last === undefined || (operation.seqNo ?? 0) >= (last.seqNo ?? -1));
    fates.set(key, isNewer ? { ...fate, last: operation } : fate);
  }
  return fates;
}

function isSettled(fate: Fate): fate is Fate & { readonly last: Operation } {
  return fate.last !== undefined;
}

/** Whether this can be what the write left behind. What an update or a script leaves, nobody remembers. */
function isWhatIsThere({ kind, wrote }: Operation, now: Json | undefined): boolean {
  if (kind === "delete" || now === undefined) return kind === "delete" && now === undefined;
  return wrote === undefined || JSON.stringify(wrote) === JSON.stringify(now);
}
