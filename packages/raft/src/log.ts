/**
 * The log of one node: the entries that its storage holds, followed by the unstable tail (`log.go` of etcd-io/raft).
 *
 * Invariants: applied <= applying <= committed <= lastIndex; entries up to `committed` never change (INV-COMMIT-1);
 * an equal (index, term) in two logs means equal logs up to there (INV-LOG-1).
 */
import { assert } from "@orrery/stdx";
import { encodedSizes, limitSize } from "./entry-size.ts";
import type { Entry, LogGap, Logger, Snapshot, StorageReader } from "./types.ts";
import {
  createUnstable,
  nextUnstableSnapshot,
  restoreUnstable,
  sliceUnstable,
  truncateAndAppend,
  unstableFirstIndex,
  unstableLastIndex,
  unstableTerm,
  type Unstable,
} from "./unstable.ts";

/** The log. All indexes are inclusive; the unstable tail hides what storage still holds at the same indexes. */
export interface Log {
  readonly storage: StorageReader;
  readonly unstable: Unstable;
  /** Highest index known to be on a quorum. */
  committed: number;
  /** Highest index handed out for application. */
  applying: number;
  /** Highest index that the driver has applied. */
  applied: number;
  readonly maxApplyingSize: number;
  /** Encoded bytes handed out for application and not yet applied. */
  applyingSize: number;
  /** No entries are handed out until some of those handed out are applied. */
  isApplyingPaused: boolean;
  readonly logger: Logger | undefined;
}

/** The position of an entry. Logs are compared by the position of their last entry (paper, section 5.4.1). */
export interface Position {
  readonly term: number;
  readonly index: number;
}

/** A log in which everything compacted counts as committed and applied, and the rest of the storage as durable. */
export function createLog(
  storage: StorageReader,
  /** Limit of `applyingSize`. */
  maxApplyingSize: number,
  logger: Logger | undefined,
): Log {
  const compacted = storage.firstIndex() - 1;
  return {
    storage,
    unstable: createUnstable(storage.lastIndex() + 1, logger),
    committed: compacted,
    applying: compacted,
    applied: compacted,
    maxApplyingSize,
    applyingSize: 0,
    isApplyingPaused: false,
    logger,
  };
}

/** The first index whose entry is available; one after the last compacted entry. */
export function firstIndex(log: Log): number {
  return unstableFirstIndex(log.unstable) ?? log.storage.firstIndex();
}

export function lastIndex(log: Log): number {
  return unstableLastIndex(log.unstable) ?? log.storage.lastIndex();
}

export function lastPosition(log: Log): Position {
  const index = lastIndex(log);
  const term = termAt(log, index);
  assert(typeof term === "number", `unexpected error when getting the last term at ${index}`);
  return { term, index };
}

/** The term of the entry at `index`; known for [firstIndex - 1, lastIndex]. */
export function termAt(log: Log, index: number): number | LogGap {
  const unstable = unstableTerm(log.unstable, index);
  if (unstable !== undefined) return unstable;
  if (index + 1 < firstIndex(log)) return "compacted";
  if (index > lastIndex(log)) return "unavailable";
  return log.storage.term(index);
}

/** The term of the entry at `index`, or 0 where it is not known. */
export function termOrZero(log: Log, index: number): number {
  const term = termAt(log, index);
  return typeof term === "number" ? term : 0;
}

/** Whether the log has this entry; by INV-LOG-1 it then equals the other log up to there. */
export function matches(log: Log, position: Position): boolean {
  return termAt(log, position.index) === position.term;
}

/**
 * Whether a log that ends at `theirs` is at least as up to date as this one: the later last term wins, then the
 * longer log.
 */
export function isUpToDate(log: Log, theirs: Position): boolean {
  const ours = lastPosition(log);
  if (theirs.term !== ours.term) return theirs.term > ours.term;
  return theirs.index >= ours.index;
}

/**
 * Appends a leader's entries that follow `previous`, and moves the commit index up. The result is the index of the
 * last entry sent, or undefined when `previous` does not match.
 *
 * Only entries from the first conflict on are appended. Appending all of them would truncate the log behind a
 * reordered older append, and with it entries that this node has acknowledged already.
 */
export function maybeAppend(
  log: Log,
  previous: Position,
  entries: readonly Entry[],
  commit: number,
): number | undefined {
  if (!matches(log, previous)) return undefined;
  const last = previous.index + entries.length;
  const conflict = findConflict(log, entries);
  if (conflict !== 0) {
    assert(
      conflict > log.committed,
      `entry ${conflict} conflict with committed entry [committed(${log.committed})]`,
    );
    append(log, entries.slice(conflict - previous.index - 1));
  }
  // At most `last`: entries beyond it are not known to match the leader's.
  commitTo(log, Math.min(commit, last));
  return last;
}

/**
 * Appends entries that carry term and index, and truncates the log before them; the result is the new last index.
 * Committed entries are never overwritten.
 */
export function append(log: Log, entries: readonly Entry[]): number {
  const first = entries[0];
  if (first !== undefined) {
    const after = first.index - 1;
    assert(after >= log.committed, `after(${after}) is out of range [committed(${log.committed})]`);
    truncateAndAppend(log.unstable, entries);
  }
  return lastIndex(log);
}

/**
 * The largest index up to `index` whose term here is at most `term`, with that term: an upper bound of where this log
 * and one with `term` at `index` agree. A term of 0 in the result means that the term there is not known here.
 */
export function findConflictByTerm(log: Log, index: number, term: number): Position {
  for (let at = index; at > 0; at -= 1) {
    const ours = termAt(log, at);
    if (typeof ours === "string") return { index: at, term: 0 };
    if (ours <= term) return { index: at, term: ours };
  }
  return { index: 0, term: 0 };
}

/**
 * Commits up to `at` if this log's entry there is of the term given, the leader's own. Counting copies of entries of
 * earlier terms is not safe: a later leader could still overwrite them (paper, figure 8). They are committed with a
 * later entry. True when the commit index rose.
 */
export function maybeCommit(log: Log, at: Position): boolean {
  if (at.term === 0 || at.index <= log.committed || !matches(log, at)) return false;
  commitTo(log, at.index);
  return true;
}

/**
 * Moves the commit index up; a lower index has no effect. An index beyond the last one fails an assertion: the log has
 * lost entries that it acknowledged.
 */
export function commitTo(log: Log, index: number): void {
  if (index <= log.committed) return;
  assert(
    index <= lastIndex(log),
    `tocommit(${index}) is out of range [lastIndex(${lastIndex(log)})]. Was the raft log corrupted, truncated, or lost?`,
  );
  log.committed = index;
}

/** Records that entries up to `index` are applied; `size` is their encoded size, 0 for a snapshot. */
export function appliedTo(log: Log, index: number, size: number): void {
  assert(
    index <= log.committed && index >= log.applied,
    `applied(${index}) is out of range [prevApplied(${log.applied}), committed(${log.committed})]`,
  );
  log.applied = index;
  log.applying = Math.max(log.applying, index);
  log.applyingSize = Math.max(0, log.applyingSize - size);
  log.isApplyingPaused = log.applyingSize >= log.maxApplyingSize;
}

/**
 * Records that entries up to `index`, of `size` encoded bytes, were handed out. `allowUnstable`: entries that are not
 * yet durable were eligible.
 */
export function acceptApplying(
  log: Log,
  index: number,
  size: number,
  allowUnstable: boolean,
): void {
  assert(
    index <= log.committed,
    `applying(${index}) is out of range [prevApplying(${log.applying}), committed(${log.committed})]`,
  );
  log.applying = index;
  log.applyingSize += size;
  // If eligible entries were left out, the next of them exceeds the limit: handing it out must wait for room, too.
  log.isApplyingPaused =
    log.applyingSize >= log.maxApplyingSize || index < maxAppliableIndex(log, allowUnstable);
}

/**
 * The committed entries to hand out next, at least one if there is any, cut at the room that is left; none while handing
 * out is paused, or a snapshot is not durable yet.
 */
export function nextCommittedEntries(log: Log, allowUnstable: boolean): readonly Entry[] {
  if (!hasNextCommittedEntries(log, allowUnstable)) return [];
  const room = log.maxApplyingSize - log.applyingSize;
  assert(
    room > 0,
    `applying entry size (${log.maxApplyingSize}-${log.applyingSize})=${room} not positive`,
  );
  const entries = slice(log, log.applying + 1, maxAppliableIndex(log, allowUnstable) + 1, room);
  assert(typeof entries !== "string", "unexpected error when getting unapplied entries");
  return entries;
}

export function hasNextCommittedEntries(log: Log, allowUnstable: boolean): boolean {
  // A snapshot must be applied before the entries that follow it.
  if (log.isApplyingPaused || log.unstable.snapshot !== undefined) return false;
  return log.applying < maxAppliableIndex(log, allowUnstable);
}

export function hasNextUnstableSnapshot(log: Log): boolean {
  return nextUnstableSnapshot(log.unstable) !== undefined;
}

/** The snapshot for a follower that needs compacted entries. One that storage has not confirmed yet is the newest. */
export function latestSnapshot(log: Log): Snapshot | "unavailable" {
  return log.unstable.snapshot ?? log.storage.snapshot();
}

/**
 * All entries from `low` on, at least one if there is any, cut at `maxSize` encoded bytes; none beyond the last
 * index.
 */
export function entriesFrom(log: Log, low: number, maxSize: number): readonly Entry[] | LogGap {
  const last = lastIndex(log);
  return low > last ? [] : slice(log, low, last + 1, maxSize);
}

/** Whether any entry in [low, high) satisfies the test. Entries are read in pages of `pageSize` encoded bytes. */
export function someEntry(
  log: Log,
  range: { readonly low: number; readonly high: number; readonly pageSize: number },
  test: (entry: Entry) => boolean,
): boolean {
  let at = range.low;
  while (at < range.high) {
    const page = slice(log, at, range.high, range.pageSize);
    assert(
      typeof page !== "string" && page.length > 0,
      `error scanning unapplied entries [${at}, ${range.high})`,
    );
    if (page.some(test)) return true;
    at += page.length;
  }
  return false;
}

/**
 * Entries in [low, high), at least one, cut at `maxSize` encoded bytes: durable ones from storage, the rest from the
 * unstable tail.
 */
export function slice(
  log: Log,
  low: number,
  high: number,
  maxSize: number,
): readonly Entry[] | LogGap {
  assert(low <= high, `invalid slice ${low} > ${high}`);
  if (low < firstIndex(log)) return "compacted";
  assert(
    high <= lastIndex(log) + 1,
    `slice[${low},${high}) out of bound [${firstIndex(log)},${lastIndex(log)}]`,
  );
  if (low === high) return [];
  const { unstable, storage } = log;
  if (low >= unstable.offset) return limitSize(sliceUnstable(unstable, low, high), maxSize);

  const cut = Math.min(high, unstable.offset);
  const stable = storage.entries(low, cut, maxSize);
  assert(stable !== "unavailable", `entries[${low}:${cut}) is unavailable from storage`);
  // A result shorter than the range means that the next durable entry would exceed the limit; going on with the tail
  // would leave a hole.
  if (stable === "compacted" || high <= unstable.offset || stable.length < cut - low) return stable;
  const size = encodedSizes(stable);
  if (size >= maxSize) return stable;
  const tail = limitSize(sliceUnstable(unstable, unstable.offset, high), maxSize - size);
  // `limitSize` returns a first entry however large it is, but the tail's first entry is not the first of the slice.
  if (tail.length === 1 && size + encodedSizes(tail) > maxSize) return stable;
  return [...stable, ...tail];
}

/**
 * Replaces the log by a snapshot. Committed state, so the commit index follows; applied state follows when storage
 * confirms it.
 */
export function restoreLog(log: Log, snapshot: Snapshot): void {
  log.logger?.info(
    `log [${describeLog(log)}] starts to restore snapshot [index: ${snapshot.index}, term: ${snapshot.term}]`,
  );
  log.committed = snapshot.index;
  restoreUnstable(log.unstable, snapshot);
}

/** The index of the first entry that this log lacks or has with another term; 0 when there is none. */
function findConflict(log: Log, entries: readonly Entry[]): number {
  for (const { index, term } of entries) {
    if (matches(log, { index, term })) continue;
    if (index <= lastIndex(log)) {
      log.logger?.info(
        `found conflict at index ${index} [existing term: ${termOrZero(log, index)}, conflicting term: ${term}]`,
      );
    }
    return index;
  }
  return 0;
}

/** The highest index that may be handed out for application: committed, and durable unless `allowUnstable`. */
function maxAppliableIndex(log: Log, allowUnstable: boolean): number {
  return allowUnstable ? log.committed : Math.min(log.committed, log.unstable.offset - 1);
}

function describeLog(log: Log): string {
  const { unstable } = log;
  return (
    `committed=${log.committed}, applied=${log.applied}, applying=${log.applying}, ` +
    `unstable.offset=${unstable.offset}, unstable.offsetInProgress=${unstable.offsetInProgress}, ` +
    `len(unstable.Entries)=${unstable.entries.length}`
  );
}
