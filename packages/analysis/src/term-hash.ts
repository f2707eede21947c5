/**
 * Hash of a term's UTF-8 bytes (FNV-1a with a final mix), shared by tokenizers, which compute it while scanning, and
 * the indexer.
 */

/** Initial value of the hash (the FNV offset basis). */
export const HASH_SEED: number = 0x811c9dc5 | 0;

/** The final mix: spreads the last bytes over all bits. Without it, tables of power-of-two size cluster. */
export function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** The hash of `bytes[0, length)`, as a signed 32-bit integer. */
export function hashTerm(bytes: Uint8Array, length: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < length; i += 1) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return finishHash(hash);
}
