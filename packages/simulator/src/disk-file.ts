/** File of the simulated disk: its contents, and which part of them is durable. */
import type { Random } from "@orrery/stdx";

export interface File {
  bytes: Uint8Array;
  length: number;
  /** Length of the prefix that is durable. */
  syncedLength: number;
  /** Durable contents that were rewritten or truncated since: a crash may restore them. */
  replaced: Uint8Array | undefined;
  /** Incremented by each rewrite and truncation: a sync requested before one does not cover it. */
  generation: number;
  syncsUnderWay: number;
  /** Byte ranges that a failed sync marked as clean although they never reached the disk. */
  lost: readonly LostBytes[];
}

interface LostBytes {
  readonly offset: number;
  /** Bytes that the disk holds in their place. */
  readonly onDisk: Uint8Array;
}

/** A sync in progress, with the file's length and generation at the request. */
export interface FileSync {
  readonly file: File;
  readonly length: number;
  readonly generation: number;
}

export function newFile(): File {
  return {
    bytes: new Uint8Array(64),
    length: 0,
    syncedLength: 0,
    replaced: undefined,
    generation: 0,
    syncsUnderWay: 0,
    lost: [],
  };
}

/** Rewrites the file: a crash may leave the old contents, the new ones, or a torn version. */
export function replaceContents(file: File, bytes: Uint8Array): void {
  supersede(file);
  file.lost = [];
  file.bytes = bytes.slice();
  file.length = bytes.length;
}

/** Appends bytes: a crash may leave a prefix of them. */
export function appendTo(file: File, bytes: Uint8Array): void {
  const length = file.length + bytes.length;
  if (length > file.bytes.length) {
    const larger = new Uint8Array(Math.max(file.bytes.length * 2, length));
    larger.set(file.bytes.subarray(0, file.length));
    file.bytes = larger;
  }
  file.bytes.set(bytes, file.length);
  file.length = length;
}

/** Truncates the file. The durable part before the cut stays durable; a crash may restore the removed part. */
export function cutTo(file: File, sizeBytes: number): void {
  changeOtherwise(file);
  file.length = Math.min(file.length, sizeBytes);
  if (file.length >= file.syncedLength) return;
  file.replaced ??= durable(file);
  file.lost = file.lost.flatMap(({ offset, onDisk }) => {
    const left = onDisk.subarray(0, Math.max(0, file.length - offset));
    return left.length === 0 ? [] : [{ offset, onDisk: left }];
  });
  file.syncedLength = file.length;
}

/** Starts a sync, which covers the bytes written so far. */
export function beginSync(file: File): FileSync {
  file.syncsUnderWay += 1;
  return { file, length: file.length, generation: file.generation };
}

/** Ends a sync in progress, successful or not. */
export function endSync({ file }: FileSync): void {
  file.syncsUnderWay -= 1;
}

/** Marks as durable the bytes that the sync covers, unless the file was rewritten or truncated after the request. */
export function completeSync({ file, length, generation }: FileSync): void {
  if (file.generation !== generation) return;
  file.syncedLength = Math.max(file.syncedLength, length);
  file.replaced = undefined;
}

/**
 * Fails a sync as Linux does: its pages count as clean from now on although they were not written, so a repeated sync
 * succeeds without writing them.
 */
export function loseSync({ file, length, generation }: FileSync): void {
  if (file.generation !== generation) return;
  const { replaced } = file;
  const offset = replaced === undefined ? file.syncedLength : 0;
  if (length > offset) {
    const onDisk = new Uint8Array(length - offset);
    if (replaced !== undefined) onDisk.set(replaced.subarray(0, onDisk.length));
    file.lost = [...file.lost, { offset, onDisk }];
  }
  file.syncedLength = Math.max(file.syncedLength, length);
  file.replaced = undefined;
}

/** Prefix of the contents as the disk holds it. */
function onDiskOf({ bytes, lost }: File, length: number): Uint8Array {
  const left = bytes.slice(0, length);
  for (const { offset, onDisk } of lost)
    if (offset < length) left.set(onDisk.subarray(0, length - offset), offset);
  return left;
}

function durable(file: File): Uint8Array {
  return onDiskOf(file, file.syncedLength);
}

/**
 * File after a crash: the durable prefix and, by chance, part of the rest; of a rewritten or truncated file the old, the
 * new or torn contents.
 */
export function afterCrash(file: File, random: Random): File {
  const { length, syncedLength, replaced } = file;
  const torn = onDiskOf(file, random.int(syncedLength, length));
  // The file size may become durable before the data: the missing range then reads as zeros.
  if (random.int(0, 3) === 0) torn.fill(0, random.int(syncedLength, torn.length));
  const left =
    replaced === undefined ? torn : random.pick([replaced, onDiskOf(file, length), torn]);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** File after a crash that loses all unsynced bytes. */
export function afterLoss(file: File): File {
  const left = file.replaced ?? durable(file);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** True if bytes follow the durable prefix. */
export function hasUnsynced({ length, syncedLength }: File): boolean {
  return length > syncedLength;
}

/** File after a crash in the middle of a write: a prefix of the new contents, part of it zeros. */
export function afterTear(file: File, random: Random): File {
  const { length, syncedLength } = file;
  const left = onDiskOf(file, random.int(syncedLength, length - 1) + 1);
  left.fill(0, random.int(syncedLength, left.length - 1));
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** Prepares a change other than an append: the durable contents must be preserved for a crash. */
function changeOtherwise(file: File): void {
  file.generation += 1;
  // A sync in progress completes before this change reaches the disk.
  if (file.syncsUnderWay === 0) return;
  file.syncedLength = file.length;
  file.replaced = undefined;
}

/** Replaces the contents: none of the new bytes is durable. */
function supersede(file: File): void {
  changeOtherwise(file);
  if (file.syncedLength === 0) return;
  file.replaced ??= durable(file);
  file.syncedLength = 0;
}
