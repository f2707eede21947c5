/**
 * The checksum by which copies compare files. A CRC would not do: all files that end with their own CRC have the same
 * one.
 */
import { murmur3 } from "@orrery/stdx";

/** The MurmurHash3 of a file, unsigned, 32 bits. */
export function fileChecksum(bytes: Uint8Array): number {
  return murmur3(bytes) >>> 0;
}
