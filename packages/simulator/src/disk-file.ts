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
  };
}

export function replaceContents(file: File, bytes: Uint8Array): void {
  supersede(file);
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
  file.replaced ??= file.bytes.slice(0, file.syncedLength);
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

/** What a crash leaves of it. */
export function afterCrash({ bytes, length, syncedLength, replaced }: File, random: Random): File {
  const torn = bytes.slice(0, random.int(syncedLength, length));
  // The size of a file may reach the disk before what was written: zeros are where it would be.
  if (random.int(0, 3) === 0) torn.fill(0, random.int(syncedLength, torn.length));
  const left =
    replaced === undefined ? torn : random.pick([replaced, bytes.slice(0, length), torn]);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** What a crash leaves of it that loses all that was not synced. */
export function afterLoss({ bytes, syncedLength, replaced }: File): File {
  const left = replaced ?? bytes.slice(0, syncedLength);
  return { ...newFile(), bytes: left, length: left.length, syncedLength: left.length };
}

/** Something of it would not survive a crash for sure. */
export function hasUnsynced({ length, syncedLength }: File): boolean {
  return length > syncedLength;
}

/** What a crash leaves of it in the middle of a write: a part of the new contents, some of it zeros. */
export function afterTear({ bytes, length, syncedLength }: File, random: Random): File {
  const left = bytes.slice(0, random.int(syncedLength, length - 1) + 1);
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
  file.replaced ??= file.bytes.slice(0, file.syncedLength);
  file.syncedLength = 0;
}
