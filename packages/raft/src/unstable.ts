/**
 * The tail of the log that is not known to be durable: entries, and perhaps a snapshot below them (`log_unstable.go`
 * of etcd-io/raft).
 *
 * `entries[i]` has index `offset + i`. Entries below `offsetInProgress` have been handed to storage and are being
 * written. Storage confirms writes by (index, term), so the confirmation of an older write cannot make newer entries
 * at the same indexes count as durable.
 */
import { assert, defined } from "@orrery/stdx";
import type { Entry, Logger, Snapshot } from "./types.ts";

/** The unstable tail, owned and mutated by one log. */
export interface Unstable {
  /** A snapshot from the leader that storage has not confirmed; undefined when there is none. */
  snapshot: Snapshot | undefined;
  entries: Entry[];
  /** Index of the first unstable entry, or of the next one to be appended. */
  offset: number;
  snapshotInProgress: boolean;
  /** Index of the first entry that was not yet handed to storage. */
  offsetInProgress: number;
  readonly logger: Logger | undefined;
}

/** An empty tail that follows a storage whose last index is `offset - 1`. */
export function createUnstable(offset: number, logger: Logger | undefined): Unstable {
  return {
    snapshot: undefined,
    entries: [],
    offset,
    snapshotInProgress: false,
    offsetInProgress: offset,
    logger,
  };
}

/** The index after the snapshot; undefined without one, since storage then has the first entry. */
export function unstableFirstIndex(unstable: Unstable): number | undefined {
  return unstable.snapshot === undefined ? undefined : unstable.snapshot.index + 1;
}

/** The last index of the tail; undefined if it is empty, since storage then has the last entry. */
export function unstableLastIndex(unstable: Unstable): number | undefined {
  const { entries, offset, snapshot } = unstable;
  return entries.length > 0 ? offset + entries.length - 1 : snapshot?.index;
}

/** The term of an entry of the tail or of the snapshot; undefined for any other index. */
export function unstableTerm(unstable: Unstable, index: number): number | undefined {
  const { entries, offset, snapshot } = unstable;
  if (index >= offset) return entries[index - offset]?.term;
  return snapshot?.index === index ? snapshot.term : undefined;
}

/** The entries that were not yet handed to storage. */
export function nextUnstableEntries(unstable: Unstable): readonly Entry[] {
  return unstable.entries.slice(unstable.offsetInProgress - unstable.offset);
}

export function hasNextUnstableEntries(unstable: Unstable): boolean {
  return unstable.entries.length > unstable.offsetInProgress - unstable.offset;
}

/** The snapshot, unless it was handed to storage. */
export function nextUnstableSnapshot(unstable: Unstable): Snapshot | undefined {
  return unstable.snapshotInProgress ? undefined : unstable.snapshot;
}

/** Records that all entries and the snapshot were handed to storage. */
export function acceptInProgress(unstable: Unstable): void {
  const { entries, offset } = unstable;
  if (entries.length > 0) unstable.offsetInProgress = offset + entries.length;
  if (unstable.snapshot !== undefined) unstable.snapshotInProgress = true;
}

/**
 * Storage has confirmed entries up to (index, term): they leave the tail.
 *
 * An index outside the tail, or another term at the index, means that the tail was replaced while the entries were
 * being written. The confirmation is then ignored, and that of the replacing write follows.
 */
export function stableTo(unstable: Unstable, index: number, term: number): void {
  const ours = unstableTerm(unstable, index);
  if (ours === undefined) {
    unstable.logger?.info(`entry at index ${index} missing from unstable log; ignoring`);
    return;
  }
  if (index < unstable.offset) {
    unstable.logger?.info(`entry at index ${index} matched unstable snapshot; ignoring`);
    return;
  }
  if (ours !== term) {
    // Dropping the replacing entries here would count them as durable before they are written.
    unstable.logger?.info(
      `entry at (index,term)=(${index},${term}) mismatched with ` +
        `entry at (${index},${ours}) in unstable log; ignoring`,
    );
    return;
  }
  unstable.entries = unstable.entries.slice(index + 1 - unstable.offset);
  unstable.offset = index + 1;
  unstable.offsetInProgress = Math.max(unstable.offsetInProgress, unstable.offset);
}

/** Storage has confirmed the snapshot of this index. The confirmation of an older snapshot is ignored. */
export function stableSnapshotTo(unstable: Unstable, index: number): void {
  if (unstable.snapshot?.index !== index) return;
  unstable.snapshot = undefined;
  unstable.snapshotInProgress = false;
}

/** Replaces the tail by a snapshot. Writes in progress are superseded: `stableTo` ignores their confirmations. */
export function restoreUnstable(unstable: Unstable, snapshot: Snapshot): void {
  unstable.offset = snapshot.index + 1;
  unstable.offsetInProgress = unstable.offset;
  unstable.entries = [];
  unstable.snapshot = snapshot;
  unstable.snapshotInProgress = false;
}

/**
 * Appends entries and drops whatever the tail holds from their first index on. Three cases:
 *
 * 1. They follow the tail: they are added.
 * 2. They begin at or before the tail's offset: they replace it, and storage will overwrite its own entries from
 *    there.
 * 3. They begin within the tail: the part before them is kept.
 *
 * In the cases 2 and 3 `offsetInProgress` moves back, or the replacing entries would never be handed to storage.
 */
export function truncateAndAppend(unstable: Unstable, entries: readonly Entry[]): void {
  const from = defined(entries[0], "an entry to append").index;
  if (from === unstable.offset + unstable.entries.length) {
    for (const entry of entries) unstable.entries.push(entry);
    return;
  }
  if (from <= unstable.offset) {
    unstable.logger?.info(`replace the unstable entries from index ${from}`);
    unstable.entries = [...entries];
    unstable.offset = from;
    unstable.offsetInProgress = from;
    return;
  }
  unstable.logger?.info(`truncate the unstable entries before index ${from}`);
  unstable.entries = [...sliceUnstable(unstable, unstable.offset, from), ...entries];
  unstable.offsetInProgress = Math.min(unstable.offsetInProgress, from);
}

/** A copy of the entries in [low, high), all of which must be in the tail. */
export function sliceUnstable(unstable: Unstable, low: number, high: number): readonly Entry[] {
  const { offset, entries } = unstable;
  assert(low <= high, `invalid unstable.slice ${low} > ${high}`);
  assert(
    low >= offset && high <= offset + entries.length,
    `unstable.slice[${low},${high}) out of bound [${offset},${offset + entries.length}]`,
  );
  return entries.slice(low - offset, high - offset);
}
