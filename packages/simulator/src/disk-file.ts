/** One file of the simulated disk: its contents, and what of them is durable. */
import type { Random } from "@orrery/stdx";

export interface File {
  bytes: Uint8Array;
  length: number;
  /** So many of the bytes are durable. */
  syncedLength: number;
  /** Durable contents that were rewritten or cut since: a crash may bring them back. */
  replaced: Uint8Array | undefined;
  /** Changes with every rewrite: a sync that was asked for before says nothing about what came after. */
  generation: number;
  syncsUnderWay: number;
  /** Bytes that were lost although they count as written out. */
  lost: readonly LostBytes[];
}

interface LostBytes {
  readonly offset: number;
  /** Bytes that the disk holds in their place. */
  readonly onDisk: Uint8Array;
}

/** A sync on its way to the disk. */
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

export function replaceContents(file: File, bytes: Uint8Array): void {
  supersede(file);
  file.lost = [];
  file.bytes = bytes.slice();
  file.length = bytes.length;
}

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

/** What is durable before the cut stays so; what it takes away a crash may bring back. */
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

export function beginSync(file: File): FileSync {
  file.syncsUnderWay += 1;
  return { file, length: file.length, generation: file.generation };
}

/** It has left the way, done or not. */
export function endSync({ file }: FileSync): void {
  file.syncsUnderWay -= 1;
}

/** What it was asked for is durable. */
export function completeSync({ file, length, generation }: FileSync): void {
  if (file.generation !== generation) return;
  file.syncedLength = Math.max(file.syncedLength, length);
  file.replaced = undefined;
}

/** A sync that has failed: the bytes that it was for count as written out from now on, and are not. */
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

/** The first so many bytes of it as the disk holds them. */
function onDiskOf({ bytes, lost }: File, length: number): Uint8Array {
  const left = bytes.slice(0, length);
  for (const { offset, onDisk } of lost)
    if (offset < length) left.set(onDisk.subarray(0, length - offset), offset);
  return left;
}

function durable(file: File): Uint8Array {
  return onDiskOf(file, file.syncedLength);
}

/** What a crash leaves of it. */
export function afterCrash(file: File, random: Random): File {
  const { length, syncedLength, replaced } = file;
  const torn = onDiskOf(file, random.int(syncedLength, length));
  // The size of a file may reach the disk before what was written: zeros are where it would be.
  if (random.int(0, 3) === 0) torn.fill(0, random.int(syncedLength, torn.length));
  const left =
    replaced === undefined ? torn : random.pick([replaced, onDiskOf(file, length), torn]);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** What a crash leaves of it that loses all that was not synced. */
export function afterLoss(file: File): File {
  const left = file.replaced ?? durable(file);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** Something of it would not survive a crash for sure. */
export function hasUnsynced({ length, syncedLength }: File): boolean {
  return length > syncedLength;
}

/** What a crash leaves of it in the middle of a write: a part of the new contents, some of it zeros. */
export function afterTear(file: File, random: Random): File {
  const { length, syncedLength } = file;
  const left = onDiskOf(file, random.int(syncedLength, length - 1) + 1);
  left.fill(0, random.int(syncedLength, left.length - 1));
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** The contents are about to be changed otherwise than by appending. */
function changeOtherwise(file: File): void {
  file.generation += 1;
  // A sync under way gets to the disk before this change does.
  if (file.syncsUnderWay === 0) return;
  file.syncedLength = file.length;
  file.replaced = undefined;
}

/** All of the contents are about to be others. */
function supersede(file: File): void {
  changeOtherwise(file);
  if (file.syncedLength === 0) return;
  file.replaced ??= durable(file);
  file.syncedLength = 0;
}
