/**
 * The commit marker: a file beside the node's state that holds the seal of the last commit.
 *
 * The write-ahead file of SQLite ends where its first frame does not check: a flipped bit looks like a shorter file. The marker is
 * what tells them apart. Two pages take turns, so that a torn write leaves the seal before; each page holds its seal twice, so that a
 * flipped bit leaves the other copy. A commit is acknowledged when its marker is durable.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { PRIVATE_FILE } from "./private-files.ts";
import { decodeSeal, encodeSeal, sealBytes, type Seal } from "./seal.ts";

const pageBytes = 4096;
const copyOffsets = [0, pageBytes / 2];

export type MarkerState =
  | { readonly kind: "absent" }
  /** No seal can be read. */
  | { readonly kind: "unreadable" }
  | {
      readonly kind: "sealed";
      readonly seal: Seal;
      /** The other page cannot be read: it may have held a later seal. */
      readonly isOtherLost: boolean;
      /** One copy in a page was damaged, and the other one was not. */
      readonly isCopyDamaged: boolean;
    };

export function readMarker(file: string): MarkerState {
  if (!existsSync(file)) return { kind: "absent" };
  const bytes = readFileSync(file);
  const pages = [0, 1].map((page) => readPage(bytes, page));
  const [newest] = pages.flatMap(({ seals }) => seals).toSorted((a, b) => b.sequence - a.sequence);
  // A crash in the first write leaves a short file.
  if (newest === undefined) return { kind: bytes.length < pageBytes ? "absent" : "unreadable" };
  return {
    kind: "sealed",
    seal: newest,
    isOtherLost: pages.some(({ seals }) => seals.length === 0),
    isCopyDamaged: pages.some(({ seals }) => seals.length === 1),
  };
}

function readPage(bytes: Buffer, page: number): { readonly seals: readonly Seal[] } {
  const seals = copyOffsets.flatMap((offset) => {
    const at = page * pageBytes + offset;
    return decodeSeal(bytes.subarray(at, at + sealBytes)) ?? [];
  });
  return { seals };
}

export interface CommitMarker {
  /** Durable when it returns. */
  write(seal: Seal): void;
  /** The first seal of a new file, whose pages and name become durable together. */
  begin(seal: Seal): void;
  /** Writes both pages, one after the other: nothing of what the file held counts any more. */
  replace(seal: Seal): void;
  close(): void;
}

/** Makes the file when it is missing. */
export function openMarker(file: string): CommitMarker {
  const descriptor = openSync(file, existsSync(file) ? "r+" : "w+", PRIVATE_FILE);

  const write = (seal: Seal, page: number): void => {
    writeSync(descriptor, pageOf(seal), 0, pageBytes, page * pageBytes);
    fdatasyncSync(descriptor);
  };

  return {
    write: (seal) => write(seal, seal.sequence % 2),
    begin(seal) {
      const page = pageOf(seal);
      writeSync(descriptor, Buffer.concat([page, page]), 0, 2 * pageBytes, 0);
      fsyncSync(descriptor);
      syncFolder(dirname(file));
    },
    replace(seal) {
      write(seal, 0);
      write(seal, 1);
      syncFolder(dirname(file));
    },
    close: () => closeSync(descriptor),
  };
}

function pageOf(seal: Seal): Buffer {
  const encoded = encodeSeal(seal);
  const bytes = Buffer.alloc(pageBytes);
  for (const offset of copyOffsets) bytes.set(encoded, offset);
  return bytes;
}

/** The name of a new file is durable when its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
