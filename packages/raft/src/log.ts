/**
 * The log of one node: what its storage holds, followed by what is not yet durable.
 *
 * Invariants: applied <= applying <= committed <= lastIndex; entries up to `committed` never change
 * (INV-COMMIT-1); equal (index, term) in two logs means equal logs up to there (INV-LOG-1).
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

export interface Log {
  readonly storage: StorageReader;
  readonly unstable: Unstable;
  /** Highest index known to be on a quorum. */
  committed: number;
  /** Highest index handed out for application. */
  applying: number;
  applied: number;
  readonly maxApplyingSize: number;
  /** Encoded bytes handed out for application and not yet applied. */
  applyingSize: number;
  isApplyingPaused: boolean;
  readonly logger: Logger | undefined;
}

/** Which log is newer is decided by the position of its last entry. */
export interface Position {
  readonly term: number;
  readonly index: number;
}

export function createLog(
  storage: StorageReader,
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

/** Known for [firstIndex - 1, lastIndex]. */
export function termAt(log: Log, index: number): number | LogGap {
  const unstable = unstableTerm(log.unstable, index);
  if (unstable !== undefined) return unstable;
  if (index + 1 < firstIndex(log)) return "compacted";
  if (index > lastIndex(log)) return "unavailable";
  return log.storage.term(index);
}

/** The term, or 0 where it is not known. */
export function termOrZero(log: Log, index: number): number {
  const term = termAt(log, index);
  return typeof term === "number" ? term : 0;
}

export function matches(log: Log, position: Position): boolean {
  return termAt(log, position.index) === position.term;
}

/** Whether a log that ends at `theirs` contains at least as much as ours. */
export function isUpToDate(log: Log, theirs: Position): boolean {
  const ours = lastPosition(log);
  if (theirs.term !== ours.term) return theirs.term > ours.term;
  return theirs.index >= ours.index;
}

/**
 * Appends a leader's entries that follow `previous`, if that matches, and moves the commit index up. The index of
 * the last entry sent, or undefined when `previous` does not match.
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
  commitTo(log, Math.min(commit, last));
  return last;
}

/** Appends entries that already carry term and index; the new last index. */
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
 * The largest index up to the given one whose term is at most `term`, with that term: the best guess at where this
 * log and one that has `term` at `index` stop agreeing. Term 0 means not known here.
 */
export function findConflictByTerm(log: Log, index: number, term: number): Position {
  for (let at = index; at > 0; at -= 1) {
    const ours = termAt(log, at);
    if (typeof ours === "string") return { index: at, term: 0 };
    if (ours <= term) return { index: at, term: ours };
  }
  return { index: 0, term: 0 };
}

/** Commits by counting only works for entries of the leader's own term. */
export function maybeCommit(log: Log, at: Position): boolean {
  if (at.term === 0 || at.index <= log.committed || !matches(log, at)) return false;
  commitTo(log, at.index);
  return true;
}

export function commitTo(log: Log, index: number): void {
  if (index <= log.committed) return;
  assert(
    index <= lastIndex(log),
    `tocommit(${index}) is out of range [lastIndex(${lastIndex(log)})]. Was the raft log corrupted, truncated, or lost?`,
  );
  log.committed = index;
}

/** `size` is the encoded size of the entries that were applied. */
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

/** Entries up to `index` were handed out. Entries not yet durable count as appliable if `allowUnstable`. */
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
  // Less than there is was handed out: then it was cut, because the next entry exceeds the limit.
  log.isApplyingPaused =
    log.applyingSize >= log.maxApplyingSize || index < maxAppliableIndex(log, allowUnstable);
}

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

export function latestSnapshot(log: Log): Snapshot | "unavailable" {
  return log.unstable.snapshot ?? log.storage.snapshot();
}

/** All entries from `low` on, at least one if there is any, cut at `maxSize` encoded bytes. */
export function entriesFrom(log: Log, low: number, maxSize: number): readonly Entry[] | LogGap {
  const last = lastIndex(log);
  return low > last ? [] : slice(log, low, last + 1, maxSize);
}

/** Whether any entry in [low, high) satisfies the test; read in pages of `pageSize` encoded bytes. */
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

/** Entries in [low, high), at least one, cut at `maxSize` encoded bytes. */
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
  // Shorter than asked for means that the next stable entry would exceed the limit.
  if (stable === "compacted" || high <= unstable.offset || stable.length < cut - low) return stable;
  const size = encodedSizes(stable);
  if (size >= maxSize) return stable;
  const tail = limitSize(sliceUnstable(unstable, unstable.offset, high), maxSize - size);
  // The limit lets a first entry through however large it is; here it is not the first.
  if (tail.length === 1 && size + encodedSizes(tail) > maxSize) return stable;
  return [...stable, ...tail];
}

export function restoreLog(log: Log, snapshot: Snapshot): void {
  log.logger?.info(
    `log [${describeLog(log)}] starts to restore snapshot [index: ${snapshot.index}, term: ${snapshot.term}]`,
  );
  log.committed = snapshot.index;
  restoreUnstable(log.unstable, snapshot);
}

/** The index of the first entry that is not in the log as given; 0 when there is none. */
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
