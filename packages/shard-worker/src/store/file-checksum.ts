/**
 * The checksum by which copies compare files. Not a CRC: files that end with their own CRC all have the same one.
 */
import { murmur3 } from "@orrery/stdx";

/** Unsigned 32 bit. */
export function fileChecksum(bytes: Uint8Array): number {
  return murmur3(bytes) >>> 0;
}
