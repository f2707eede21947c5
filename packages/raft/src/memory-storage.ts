/**
 * A log in memory: for tests, and as the model of a durable storage's answers (`MemoryStorage` of etcd-io/raft).
 *
 * Position 0 of `entries` is a placeholder for the last compacted entry, so that its term stays known: a leader needs
 * it as the position before the first entry it sends.
 */
import { assert, defined, emptyBytes } from "@orrery/stdx";
import { limitSize } from "./entry-size.ts";
import type { ConfState, Entry, HardState, MemoryStorage, Snapshot } from "./types.ts";

/** The membership of a storage without a snapshot. */
export const emptyConfState: ConfState = {
  voters: [],
  learners: [],
  votersOutgoing: [],
  learnersNext: [],
  autoLeave: false,
};

/** An empty storage. */
export function createMemoryStorage(): MemoryStorage {
  let hardState: HardState = { term: 0, vote: 0, commit: 0 };
  let snapshot: Snapshot = { index: 0, term: 0, confState: emptyConfState, data: emptyBytes };
  let entries: Entry[] = [placeholder(0, 0)];

  const offset = (): number => defined(entries[0], "the placeholder entry").index;
  const lastIndex = (): number => offset() + entries.length - 1;

  return {
    initialState: () => ({ hardState, confState: snapshot.confState }),
    firstIndex: () => offset() + 1,
    lastIndex,
    snapshot: () => snapshot,
    entries: (low, high, maxSize) => {
      if (low <= offset()) return "compacted";
      assert(
        high <= lastIndex() + 1,
        `entries' hi(${high}) is out of bound lastindex(${lastIndex()})`,
      );
      if (entries.length === 1) return "unavailable";
      return limitSize(entries.slice(low - offset(), high - offset()), maxSize);
    },
    term: (index) => {
      if (index < offset()) return "compacted";
      return entries[index - offset()]?.term ?? "unavailable";
    },
    setHardState: (state) => {
      hardState = state;
    },
    append: (added) => {
      entries = joined(entries, added);
    },
    compact: (index) => {
      if (index <= offset()) return "compacted";
      assert(index <= lastIndex(), `compact ${index} is out of bound lastindex(${lastIndex()})`);
      const at = index - offset();
      const last = defined(entries[at], "the entry to compact to");
      entries = [placeholder(last.index, last.term), ...entries.slice(at + 1)];
      return "done";
    },
    createSnapshot: (index, confState, data) => {
      if (index <= snapshot.index) return "out-of-date";
      assert(index <= lastIndex(), `snapshot ${index} is out of bound lastindex(${lastIndex()})`);
      const { term } = defined(entries[index - offset()], "the entry to snapshot at");
      snapshot = { index, term, confState: confState ?? snapshot.confState, data };
      return snapshot;
    },
    applySnapshot: (received) => {
      if (snapshot.index >= received.index) return "out-of-date";
      snapshot = received;
      entries = [placeholder(received.index, received.term)];
      return "done";
    },
  };
}

/**
 * The log with `added` in it. Entries of the log from the first added index on are dropped, compacted entries are
 * skipped. May extend `entries` in place.
 */
function joined(entries: Entry[], added: readonly Entry[]): Entry[] {
  const offset = defined(entries[0], "the placeholder entry").index;
  const fresh = added.filter((entry) => entry.index > offset);
  const first = fresh[0];
  if (first === undefined) return entries;
  const at = first.index - offset;
  assert(
    at <= entries.length,
    `missing log entry [last: ${offset + entries.length - 1}, append at: ${first.index}]`,
  );
  const kept = at === entries.length ? entries : entries.slice(0, at);
  for (const entry of fresh) kept.push(entry);
  return kept;
}

function placeholder(index: number, term: number): Entry {
  return { kind: "EntryNormal", term, index, data: emptyBytes };
}
