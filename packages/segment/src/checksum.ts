/**
 * CRC-32C of a whole segment file, by slicing-by-16: sixteen table look-ups per 16 bytes instead of one per byte. The
 * result equals `crc32c` of stdx, which is several times slower; every flush, merge and untrusted open pays for it.
 */

const TABLES: Int32Array = makeTables();

/** Unsigned 32-bit CRC-32C of `bytes`, which must start at a multiple of 4 in their buffer (they are read as words). */
export function checksum(bytes: Uint8Array): number {
  const count = bytes.length >>> 4;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, count * 4);
  const t = TABLES;
  let crc = -1;
  for (let i = 0; i < count * 4; i += 4) {
    // The register is folded into the first word only. Each byte then contributes the CRC of itself followed by the
    // bytes that come after it in this step, which its table has precomputed; the contributions are linear and
    // combine by XOR.
    const a = (words[i] as number) ^ crc;
    const b = words[i + 1] as number;
    const c = words[i + 2] as number;
    const d = words[i + 3] as number;
    crc =
      (t[3840 + (a & 255)] as number) ^
      (t[3584 + ((a >>> 8) & 255)] as number) ^
      (t[3328 + ((a >>> 16) & 255)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 255)] as number) ^
      (t[2560 + ((b >>> 8) & 255)] as number) ^
      (t[2304 + ((b >>> 16) & 255)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 255)] as number) ^
      (t[1536 + ((c >>> 8) & 255)] as number) ^
      (t[1280 + ((c >>> 16) & 255)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 255)] as number) ^
      (t[512 + ((d >>> 8) & 255)] as number) ^
      (t[256 + ((d >>> 16) & 255)] as number) ^
      (t[d >>> 24] as number);
  }
  // The rest of fewer than 16 bytes, one at a time.
  for (let i = count * 16; i < bytes.length; i += 1) {
    crc = (t[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/**
 * Sixteen tables of 256 entries: entry `byte` of table k is the CRC of the byte followed by k zero bytes. 0x82f63b78
 * is the reflected Castagnoli polynomial.
 */
function makeTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    tables[byte] = crc;
  }
  for (let i = 256; i < tables.length; i += 1) {
    const before = tables[i - 256] as number;
    tables[i] = (tables[before & 255] as number) ^ (before >>> 8);
  }
  return tables;
}
