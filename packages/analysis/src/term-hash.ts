/** The hash of a term's UTF-8 bytes, shared by the tokenizers (which compute it while scanning) and the indexer. */

export const HASH_SEED: number = 0x811c9dc5 | 0;

/** Spreads the last bytes over all bits; without it tables with power-of-two sizes cluster. */
export function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

export function hashTerm(bytes: Uint8Array, length: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < length; i += 1) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return finishHash(hash);
}
