/**
 * The Trust port: proofs of membership. The secret itself stays in the world: a program that cannot read it can
 * neither print nor log nor send it.
 */

/** The secret of a proof. `member`: the cluster's own. `client`: the secret that clients of other clusters prove. */
export type TrustKey = "member" | "client";

export interface Trust {
  /** Whether the world has this secret; without it no proof is made or accepted. */
  has(key: TrustKey): boolean;
  /** A keyed hash of the message, 32 bytes: equal only for equal secrets. */
  prove(key: TrustKey, message: Uint8Array): Uint8Array;
  /** 32 unpredictable bytes, never the same twice; in a simulation drawn from its seed. */
  nonce(): Uint8Array;
}
