/**
 * What a node proves its membership with. The secret itself stays in the world: a program that cannot read it cannot print it,
 * log it or send it.
 */

/** `member`: the cluster's own secret. `client`: what clients of other clusters are told to prove. */
export type TrustKey = "member" | "client";

export interface Trust {
  /** Whether there is anything to prove with; without it no proof is made or believed. */
  has(key: TrustKey): boolean;
  /** A keyed hash of the message, 32 bytes: only who has the same secret makes the same one. */
  prove(key: TrustKey, message: Uint8Array): Uint8Array;
  /** 32 bytes that nobody can foresee, never the same twice; in a simulation drawn from its seed. */
  nonce(): Uint8Array;
}
