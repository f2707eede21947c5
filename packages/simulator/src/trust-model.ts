/**
 * The secrets of a simulated cluster, made of its seed. A keyed hash is a stream of chance that the secret and two checksums of the
 * message name: nobody computes collisions in here, and one who has another secret makes another proof.
 */
import type { Trust } from "@orrery/ports";
import { createRandom, crc32c, murmur3, type Random } from "@orrery/stdx";

const PROOF_BYTES = 32;

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
