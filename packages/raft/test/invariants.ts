/**
 * What must hold in any group at any time, checked from the outside of the nodes.
 *
 * INV-ELECTION-1: at most one leader per term. INV-LOG-1: two logs with the same term at an index are equal up to it.
 * INV-COMMIT-1: an entry that any node holds for committed is committed everywhere, and in the log of every later
 * leader. INV-READ-1: a read is answered with at least what was committed when it was asked.
 */
import { bytesEqual, utf8Decode, utf8Encode } from "@orrery/stdx";
import { noLimit } from "../src/index.ts";
import { firstIndex, lastIndex, slice, termAt } from "../src/log.ts";
import type { Raft } from "../src/raft.ts";
import type { Entry } from "../src/types.ts";

interface Observed {
  readonly raft: Raft;
}

export interface Observations {
  roleOf(member: Observed): void;
  applied(id: number, entry: Entry): void;
  /** The context to read with, given the highest commit index of any node. */
  readStarted(number: number, committed: number): Uint8Array;
  readAnswered(context: Uint8Array, index: number): void;
  /** Compares all logs with one another and with what is committed. */
  logs(members: readonly Observed[]): void;
  readonly counts: { leaders: number; committed: number; reads: number };
}

export function createObservations(): Observations {
  const leaders = new Map<number, number>();
  const committed = new Map<number, Entry>();
  const reads = new Map<string, number>();
  const counts = { leaders: 0, committed: 0, reads: 0 };

  const recordCommitted = (id: number, entry: Entry): void => {
    const known = committed.get(entry.index);
    if (known === undefined) {
      committed.set(entry.index, entry);
      counts.committed += 1;
      return;
    }
    if (!isSame(known, entry)) {
      throw new Error(`INV-COMMIT-1: node ${id} commits ${show(entry)}, known is ${show(known)}`);
    }
  };

  return {
    counts,
    roleOf: ({ raft }) => {
      if (raft.role !== "StateLeader") return;
      const known = leaders.get(raft.term);
      if (known === raft.id) return;
      if (known !== undefined) {
        throw new Error(`INV-ELECTION-1: ${known} and ${raft.id} lead in term ${raft.term}`);
      }
      leaders.set(raft.term, raft.id);
      counts.leaders += 1;
      // Leader completeness: at its election a leader has everything committed before.
      for (const { index, term } of committed.values()) {
        if (index < firstIndex(raft.log) - 1 || term >= raft.term) continue;
        if (termAt(raft.log, index) !== term) {
          throw new Error(
            `INV-COMMIT-1: leader ${raft.id} of term ${raft.term} lacks ${term}/${index}`,
          );
        }
      }
    },
    applied: recordCommitted,
    readStarted: (number, index) => {
      reads.set(String(number), index);
      return utf8Encode(String(number));
    },
    readAnswered: (context, index) => {
      const atLeast = reads.get(utf8Decode(context)) ?? 0;
      counts.reads += 1;
      if (index < atLeast) {
        throw new Error(`INV-READ-1: a read is answered with ${index}, ${atLeast} was committed`);
      }
    },
    logs: (members) => {
      for (const { raft } of members) {
        const entries = entriesOf(raft);
        for (const entry of entries) {
          if (entry.index <= raft.log.committed) recordCommitted(raft.id, entry);
        }
        for (const other of members) if (other.raft.id > raft.id) compareLogs(raft, other.raft);
      }
    },
  };
}

function compareLogs(left: Raft, right: Raft): void {
  const first = Math.max(firstIndex(left.log), firstIndex(right.log));
  let isEqualAbove = false;
  for (let at = Math.min(lastIndex(left.log), lastIndex(right.log)); at >= first; at -= 1) {
    const [mine, theirs] = [entryAt(left, at), entryAt(right, at)];
    if (isEqualAbove || mine.term === theirs.term) {
      isEqualAbove = true;
      if (!isSame(mine, theirs)) {
        throw new Error(
          `INV-LOG-1: ${left.id} has ${show(mine)}, ${right.id} has ${show(theirs)}, and they agree above`,
        );
      }
    }
  }
}

function entriesOf(raft: Raft): readonly Entry[] {
  const entries = slice(raft.log, firstIndex(raft.log), lastIndex(raft.log) + 1, noLimit);
  if (typeof entries === "string") throw new Error(entries);
  return entries;
}

function entryAt(raft: Raft, index: number): Entry {
  const entries = slice(raft.log, index, index + 1, noLimit);
  const entry = typeof entries === "string" ? undefined : entries[0];
  if (entry === undefined) throw new Error(`node ${raft.id} has no entry ${index}`);
  return entry;
}

function isSame(left: Entry, right: Entry): boolean {
  return (
    left.term === right.term &&
    left.index === right.index &&
    left.kind === right.kind &&
    bytesEqual(left.data, right.data)
  );
}

function show({ term, index, kind, data }: Entry): string {
  return `${term}/${index} ${kind} "${utf8Decode(data)}"`;
}
