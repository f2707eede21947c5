/** CRC-32C (Castagnoli), slicing by four: the checksum of every durable record and file. */

const TABLES: readonly Int32Array[] = makeTables();

/** The CRC-32C of bytes, unsigned. `previous`: the checksum of the bytes before these, which the result continues. */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  const [t0, t1, t2, t3] = TABLES as [Int32Array, Int32Array, Int32Array, Int32Array];
  let crc = ~previous;
  let i = 0;
  const end = bytes.length - 3;
  for (; i < end; i += 4) {
    crc ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    crc =
      (t3[crc & 255] as number) ^
      (t2[(crc >>> 8) & 255] as number) ^
      (t1[(crc >>> 16) & 255] as number) ^
      (t0[crc >>> 24] as number);
  }
  for (; i < bytes.length; i += 1) {
    crc = (t0[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

function makeTables(): Int32Array[] {
  const first = new Int32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    first[byte] = crc;
  }
  const tables = [first];
  for (let k = 1; k < 4; k += 1) {
    const before = tables[k - 1] as Int32Array;
    const next = new Int32Array(256);
    for (let byte = 0; byte < 256; byte += 1) {
      const crc = before[byte] as number;
      next[byte] = (first[crc & 255] as number) ^ (crc >>> 8);
    }
    tables.push(next);
  }
  return tables;
}
