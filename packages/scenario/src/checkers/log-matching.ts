/**
 * INV-COORD-7: log entries with the same index and term are equal on every node and follow an entry of the same term,
 * and each index is applied with one content only. By induction, two logs that agree in one entry agree in all entries
 * before it. An applied entry was durable on a majority before.
 */
import { concerning, type Checker } from "./checker.ts";

interface Entry {
  readonly node: string;
  readonly digest: number;
  readonly previousTerm: number;
}

export const logMatching: Checker = {
  name: "log-matching",
  invariant: "INV-COORD-7",
  says: "Log entries with the same index and term are equal on every node; each index is applied with one content only, and not before a majority has it durably.",
  excusedBy: [],
  start: (world) => {
    // Processes send their events in batches, so an event of one node may arrive before its cause on another.
    const isInOrder = world.name === "sim";
    const holders = new Map<string, Set<string>>();
    const saved = new Map<string, Entry>();
    const applied = new Map<string, Omit<Entry, "previousTerm"> & { readonly term: number }>();
    return (event) => {
      if (event.kind === "log-entry-saved") {
        const { node, index, term, digest, previousTerm } = event;
        const cluster = world.clusterOf(node);
        const key = `${cluster}/${index}/${term}`;
        const known = saved.get(key) ?? { node, digest, previousTerm };
        saved.set(key, known.previousTerm === 0 ? { ...known, previousTerm } : known);
        noteHolder({ cluster, holders, saved }, event);
        const where = `log index ${index} of term ${term}`;
        const about = [
          { term, node: known.node },
          { term, node },
        ];
        if (known.digest !== digest)
          return concerning(`${where} differs on ${known.node} and ${node}`, about);
        if (previousTerm === 0 || known.previousTerm === 0) return undefined;
        if (known.previousTerm === previousTerm) return undefined;
        return concerning(
          `${where} follows term ${known.previousTerm} on ${known.node} and ${previousTerm} on ${node}`,
          about,
        );
      }
      if (event.kind === "log-entry-applied") {
        const { node, index, term, digest } = event;
        const key = `${world.clusterOf(node)}/${index}`;
        if (isInOrder && !applied.has(key)) {
          const by = [...(holders.get(`${key}/${term}`) ?? [])];
          if (by.length < fewestOf(event.voters))
            return concerning(
              `log index ${index} of term ${term} is applied on ${node}, and of ${event.voters} voters only [${by.join(", ")}] have it durably`,
              { term, node },
            );
        }
        const known = applied.get(key) ?? { node, term, digest };
        applied.set(key, known);
        if (known.term === term && known.digest === digest) return undefined;
        return concerning(
          `log index ${index} was applied as of term ${known.term} on ${known.node}, and otherwise as of term ${term} on ${node}`,
          [
            { term: known.term, node: known.node },
            { term, node },
          ],
        );
      }
      if (event.kind === "log-entry-quarantined") {
        const { index, term, node, reason } = event;
        return concerning(`log index ${index} cannot be applied on ${node}: ${reason}`, {
          term,
          node,
        });
      }
      return undefined;
    };
  },
};

interface Logs {
  readonly cluster: string;
  readonly holders: Map<string, Set<string>>;
  readonly saved: ReadonlyMap<string, Entry>;
}

/**
 * Records that a node has an entry, and with it all entries before, whether or not their events arrived before a crash.
 */
function noteHolder(
  { cluster, holders, saved }: Logs,
  { node, index: last, term: lastTerm }: { node: string; index: number; term: number },
): void {
  let term = lastTerm;
  for (let index = last; term > 0; index -= 1) {
    const key = `${cluster}/${index}/${term}`;
    const held = holders.get(key) ?? new Set();
    if (held.has(node)) return;
    holders.set(key, held.add(node));
    term = saved.get(key)?.previousTerm ?? 0;
  }
}

/** Smallest possible majority, also of the voters before the last change of one voter. */
function fewestOf(voters: number): number {
  return voters < 3 ? 0 : Math.floor((voters - 1) / 2) + 1;
}
