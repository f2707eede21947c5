/** Where a segment file's contents end and its directory begins: repositories keep the two apart, as compound files are. */
import { DIRECTORY_POINTER_BYTES } from "./file.ts";

/** How much of a file's end `directoryOffset` reads. */
export const TAIL_BYTES: number = DIRECTORY_POINTER_BYTES;

export function directoryOffset(tail: Uint8Array): number {
  return new DataView(tail.buffer, tail.byteOffset, tail.length).getFloat64(0, true);
}
