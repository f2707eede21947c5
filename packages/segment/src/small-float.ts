/** Lucene's `SmallFloat.intToByte4`: field lengths in one byte, exact up to 40, four significant bits above. */

const FREE_VALUES = 255 - longToInt4(2_147_483_647);

/** The norm byte (0..255) of a length; monotonic. */
export function intToByte4(value: number): number {
  return value < FREE_VALUES ? value : FREE_VALUES + longToInt4(value - FREE_VALUES);
}

/** The length a norm byte stands for: the largest that encodes to no more than it. */
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
