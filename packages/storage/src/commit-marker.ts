/**
 * The commit marker: a file beside the node's state with the seal of the last commit.
 *
 * SQLite ends its write-ahead file at the first frame with a bad checksum, so a flipped bit looks like a shorter
 * file. The marker tells the two apart. Two pages are written in turn, so that a torn write leaves the previous seal;
 * each page holds its seal twice, so that a flipped bit leaves the other copy. A commit is acknowledged only when its
 * marker is durable.
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
import { canSyncFolders } from "./folder-durability.ts";
import { PRIVATE_FILE } from "./private-files.ts";
import { decodeSeal, encodeSeal, sealBytes, type Seal } from "./seal.ts";

const pageBytes = 4096;
const copyOffsets = [0, pageBytes / 2];

/** The state of a marker file. */
export type MarkerState =
  /** No file, or the rest of a first write that crashed: no commit was acknowledged behind it. */
  | { readonly kind: "absent" }
  /** Neither page has a readable seal. */
  | { readonly kind: "unreadable" }
  | {
      readonly kind: "sealed";
      readonly seal: Seal;
      /** The other page is unreadable and may have held a later seal. */
      readonly isOtherLost: boolean;
      /** Of a page's two copies one is damaged. */
      readonly isCopyDamaged: boolean;
    };

/** Reads the newest seal of a marker file. */
export function readMarker(file: string): MarkerState {
  if (!existsSync(file)) return { kind: "absent" };
  const bytes = readFileSync(file);
  const pages = [0, 1].map((page) => readPage(bytes, page));
  const [newest] = pages.flatMap(({ seals }) => seals).toSorted((a, b) => b.sequence - a.sequence);
  // A short file is the rest of a first write that crashed: no commit was acknowledged behind it.
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

/** An open marker file. All writes are durable when they return. */
export interface CommitMarker {
  /** Writes the page whose turn it is. */
  write(seal: Seal): void;
  /** Writes the first seal of a new file: both pages, then the file's name. */
  begin(seal: Seal): void;
  /** Writes both pages, one after the other, so that no earlier seal remains. */
  replace(seal: Seal): void;
  close(): void;
}

/** Opens a marker file; a missing one is created. */
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

/** A new file's name is durable only once its folder is synced. */
function syncFolder(folder: string): void {
  if (!canSyncFolders) return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
