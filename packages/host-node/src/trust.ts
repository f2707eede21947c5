/** Proofs with a secret that only this module holds: HMAC over SHA-256, and nonces of the machine's own chance. */
import { createHmac, randomBytes } from "node:crypto";
import type { Trust, TrustKey } from "@orrery/ports";

export interface TrustSecrets {
  /** Of the cluster: its nodes have it, and nobody else. */
  readonly secret: string;
  /** For clients of other clusters; without: none is believed that does not have one made of the cluster's own. */
  readonly clientSecret?: string | undefined;
}

export function createTrust({ secret, clientSecret }: TrustSecrets): Trust {
  const keys: Readonly<Record<TrustKey, Buffer>> = {
    // Each use has a key of its own: what is proved with one says nothing about another.
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

/** For a cluster that was given none, such as one of a single node. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}

function keyOf(purpose: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}

function ownBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}
