/**
 * INV-COORD-7: entries of the same log index and term are the same on every node and follow the same term, and no index is
 * applied with two contents. By induction two logs that agree in one entry agree in all before it.
 */
import type { Checker } from "./checker.ts";

interface Entry {
  readonly node: string;
  readonly digest: number;
  readonly previousTerm: number;
}

export const logMatching: Checker = {
  name: "log-matching",
  invariant: "INV-COORD-7",
  says: "Log entries of the same index and term are the same on every node, and no index is applied with two contents.",
  excusedBy: [],
  start: (world) => {
    const saved = new Map<string, Entry>();
    const applied = new Map<string, Omit<Entry, "previousTerm"> & { readonly term: number }>();
    return (event) => {
      if (event.kind === "log-entry-saved") {
        const { node, index, term, digest, previousTerm } = event;
        const key = `${world.clusterOf(node)}/${index}/${term}`;
        const known = saved.get(key) ?? { node, digest, previousTerm };
        saved.set(key, known.previousTerm === 0 ? { ...known, previousTerm } : known);
        const where = `log index ${index} of term ${term}`;
        if (known.digest !== digest) return `${where} differs on ${known.node} and ${node}`;
        if (previousTerm === 0 || known.previousTerm === 0) return undefined;
        if (known.previousTerm === previousTerm) return undefined;
        return `${where} follows term ${known.previousTerm} on ${known.node} and ${previousTerm} on ${node}`;
      }
      if (event.kind === "log-entry-applied") {
        const { node, index, term, digest } = event;
        const key = `${world.clusterOf(node)}/${index}`;
        const known = applied.get(key) ?? { node, term, digest };
        applied.set(key, known);
        if (known.term === term && known.digest === digest) return undefined;
        return `log index ${index} was applied as of term ${known.term} on ${known.node}, and otherwise as of term ${term} on ${node}`;
      }
      if (event.kind === "log-entry-quarantined") {
        return `log index ${event.index} cannot be applied on ${event.node}: ${event.reason}`;
      }
      return undefined;
    };
  },
};
