/** Murmur3, 32 bits, x86 variant (`Murmur3HashFunction`). */

/** The 32-bit MurmurHash3 of bytes, signed. */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  let hash = seed | 0;
  const blocks = bytes.length >> 2;
  for (let i = 0; i < blocks; i += 1) {
    const at = i * 4;
    const k =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    hash = mixHash(hash, k);
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= blocks * 4; i -= 1) tail = (tail << 8) | (bytes[i] ?? 0);
  return finish(hash ^ mixBlock(tail), bytes.length);
}

/** The signed 32-bit hash that maps a routing value to its shard: over its UTF-16 code units, little endian. */
export function hashRouting(routing: string): number {
  let hash = 0;
  const pairs = routing.length >> 1;
  for (let i = 0; i < pairs; i += 1) {
    hash = mixHash(hash, routing.charCodeAt(i * 2) | (routing.charCodeAt(i * 2 + 1) << 16));
  }
  if (routing.length % 2 === 1) hash ^= mixBlock(routing.charCodeAt(routing.length - 1));
  return finish(hash, routing.length * 2);
}

function mixBlock(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

function mixHash(hash: number, block: number): number {
  const mixed = hash ^ mixBlock(block);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, length: number): number {
  let h = hash ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
