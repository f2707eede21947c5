/**
 * The offset at which a segment file's directory begins. Repositories store contents and directory as separate blobs,
 * like a Lucene compound file and its entries.
 */
import { DIRECTORY_POINTER_BYTES } from "./file.ts";

/** Number of bytes at the end of a file that `directoryOffset` needs: the footer. */
export const TAIL_BYTES: number = DIRECTORY_POINTER_BYTES;

/** Offset of the directory, read from the footer. `tail` must begin with the first 8 bytes of the footer. */
export function directoryOffset(tail: Uint8Array): number {
  return new DataView(tail.buffer, tail.byteOffset, tail.length).getFloat64(0, true);
}
