/**
 * The tail of the log that is not known to be durable: entries, and perhaps a snapshot below them.
 *
 * `entries[i]` has index `offset + i`. Below `offsetInProgress` they have been handed to storage and are
 * being written. Writes are acknowledged by (index, term), so the acknowledgement of an older write
 * cannot make newer entries at the same indexes count as durable.
 */
import { assert, defined } from "@orrery/stdx";
import type { Entry, Logger, Snapshot } from "./types.ts";

export interface Unstable {
  snapshot: Snapshot | undefined;
  entries: Entry[];
  offset: number;
  snapshotInProgress: boolean;
  offsetInProgress: number;
  readonly logger: Logger | undefined;
}

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

/** The index after the snapshot, if there is one. */
export function unstableFirstIndex(unstable: Unstable): number | undefined {
  return unstable.snapshot === undefined ? undefined : unstable.snapshot.index + 1;
}

export function unstableLastIndex(unstable: Unstable): number | undefined {
  const { entries, offset, snapshot } = unstable;
  return entries.length > 0 ? offset + entries.length - 1 : snapshot?.index;
}

export function unstableTerm(unstable: Unstable, index: number): number | undefined {
  const { entries, offset, snapshot } = unstable;
  if (index >= offset) return entries[index - offset]?.term;
  return snapshot?.index === index ? snapshot.term : undefined;
}

/** The entries not yet handed to storage. */
export function nextUnstableEntries(unstable: Unstable): readonly Entry[] {
  return unstable.entries.slice(unstable.offsetInProgress - unstable.offset);
}

export function hasNextUnstableEntries(unstable: Unstable): boolean {
  return unstable.entries.length > unstable.offsetInProgress - unstable.offset;
}

/** The snapshot, unless it has been handed to storage. */
export function nextUnstableSnapshot(unstable: Unstable): Snapshot | undefined {
  return unstable.snapshotInProgress ? undefined : unstable.snapshot;
}

/** Everything there is has been handed to storage. */
export function acceptInProgress(unstable: Unstable): void {
  const { entries, offset } = unstable;
  if (entries.length > 0) unstable.offsetInProgress = offset + entries.length;
  if (unstable.snapshot !== undefined) unstable.snapshotInProgress = true;
}

/** Entries up to (index, term) are durable. */
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
    // The tail was replaced while the older entries were being written.
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

export function stableSnapshotTo(unstable: Unstable, index: number): void {
  if (unstable.snapshot?.index !== index) return;
  unstable.snapshot = undefined;
  unstable.snapshotInProgress = false;
}

/** The snapshot replaces everything. */
export function restoreUnstable(unstable: Unstable, snapshot: Snapshot): void {
  unstable.offset = snapshot.index + 1;
  unstable.offsetInProgress = unstable.offset;
  unstable.entries = [];
  unstable.snapshot = snapshot;
  unstable.snapshotInProgress = false;
}

/** Appends entries that follow on, replace, or cut off what is there. */
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

/** Entries in [low, high). */
export function sliceUnstable(unstable: Unstable, low: number, high: number): readonly Entry[] {
  const { offset, entries } = unstable;
  assert(low <= high, `invalid unstable.slice ${low} > ${high}`);
  assert(
    low >= offset && high <= offset + entries.length,
    `unstable.slice[${low},${high}) out of bound [${offset},${offset + entries.length}]`,
  );
  return entries.slice(low - offset, high - offset);
}
