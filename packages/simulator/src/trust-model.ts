/**
 * Trust port of a simulated cluster, derived from its seed. A keyed hash is a random stream seeded by the secret and
 * two checksums of the message: no code in the simulation computes collisions, and another secret gives another proof.
 */
import type { Trust } from "@orrery/ports";
import { createRandom, crc32c, murmur3, type Random } from "@orrery/stdx";

const PROOF_BYTES = 32;

/** Trust port that computes proofs from the secret; nonces are drawn from `random`. */
export function createTrustModel(secret: string, random: Random): Trust {
  return {
    has: () => true,
    prove: (key, message) => {
      const name = `${secret}:${key}:${crc32c(message)}:${murmur3(message)}:${message.length}`;
      return createRandom(name).bytes(PROOF_BYTES);
    },
    nonce: () => random.bytes(PROOF_BYTES),
  };
}
