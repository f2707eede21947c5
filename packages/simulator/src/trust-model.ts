/**
 * The secrets of a simulated cluster, made of its seed. A keyed hash is a stream of chance that secret and message name: nobody
 * computes in here, and one who has another secret makes another proof.
 */
import type { Trust } from "@orrery/ports";
import { createRandom, crc32c, utf8Decode, type Random } from "@orrery/stdx";

const PROOF_BYTES = 32;

export function createTrustModel(secret: string, random: Random): Trust {
  return {
    has: () => true,
    prove: (key, message) => {
      const name = `${secret}:${key}:${crc32c(message)}:${utf8Decode(message)}`;
      return createRandom(name).bytes(PROOF_BYTES);
    },
    nonce: () => random.bytes(PROOF_BYTES),
  };
}
