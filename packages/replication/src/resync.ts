/**
 * The reaction of a replica to the first message of a new primary (`IndexShard.acquireReplicaOperationPermit`).
 *
 * A promoted replica becomes the truth for all operations above the global checkpoint: some copies have operations
 * there that it lacks, others lack operations that it has. Up to the global checkpoint every in-sync copy has the
 * same operations.
 */

/**
 * The action of a replica before it accepts an operation of a new term. none: it knows the term. roll-back: it has
 * operations above the global checkpoint. keep: it has none.
 */
export type TermBump =
  | { readonly kind: "none" }
  /** Operations above `to` are rolled back; they stay in the translog until the resync has replaced them (INV-REPL-9). */
  | { readonly kind: "roll-back"; readonly to: number }
  | { readonly kind: "keep" };

/**
 * Decides for a copy and the term of a message. Rolling back later than the first message of the new term would let
 * an operation of the old term stand under a number that the new primary has assigned again.
 */
export function onNewTerm(copy: {
  readonly primaryTerm: number;
  readonly newTerm: number;
  readonly globalCheckpoint: number;
  readonly maxSeqNo: number;
}): TermBump {
  if (copy.newTerm <= copy.primaryTerm) return { kind: "none" };
  if (copy.maxSeqNo > copy.globalCheckpoint)
    return { kind: "roll-back", to: copy.globalCheckpoint };
  return { kind: "keep" };
}
