/**
 * Lucene's `SmallFloat.intToByte4`: field lengths in one byte, exact up to 40, with four significant bits above.
 * Norms must use this encoding, or scores would differ from Lucene's.
 */

// Byte values that the 4-bit float does not need; they extend the range of exact small values.
const FREE_VALUES = 255 - longToInt4(2_147_483_647);

/** The norm byte (0..255) of a length; monotonic, so comparing bytes compares lengths. */
export function intToByte4(value: number): number {
  return value < FREE_VALUES ? value : FREE_VALUES + longToInt4(value - FREE_VALUES);
}

/** The length that a norm byte stands for: the smallest that encodes to it. */
export function byte4ToInt(byte: number): number {
  return byte < FREE_VALUES ? byte : FREE_VALUES + int4ToLong(byte - FREE_VALUES);
}

function longToInt4(value: number): number {
  const bits = value === 0 ? 0 : 32 - Math.clz32(value);
  if (bits < 4) return value;
  const shift = bits - 4;
  return ((value >>> shift) & 0x07) | ((shift + 1) << 3);
}

function int4ToLong(encoded: number): number {
  const bits = encoded & 0x07;
  const shift = (encoded >>> 3) - 1;
  return shift === -1 ? bits : (bits | 0x08) * 2 ** shift;
}
