/**
 * The Trust port: proofs are HMACs over SHA-256 with keys that only this module holds, nonces come from the system's
 * generator.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Trust, TrustKey } from "@orrery/ports";

/** The secrets of a node. */
export interface TrustSecrets {
  /** The cluster's secret, which all of its nodes share. */
  readonly secret: string;
  /** The secret of clients of other clusters. Absent: they must prove the cluster's own secret. */
  readonly clientSecret?: string | undefined;
}

export function createTrust({ secret, clientSecret }: TrustSecrets): Trust {
  const keys: Readonly<Record<TrustKey, Buffer>> = {
    // Each use has a key of its own, so a proof for one use is none for another.
    member: keyOf("orrery member", secret),
    client: keyOf("orrery client", clientSecret ?? secret),
  };
  return {
    has: () => true,
    // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
    prove: (key, message) => ownBytes(createHmac("sha256", keys[key]).update(message).digest()),
    nonce: () => ownBytes(randomBytes(32)),
  };
}

/** A random secret for a cluster without a configured one, such as a single node. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}

function keyOf(purpose: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}

function ownBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}
