/** A replica at the first message of a new primary. Source: `IndexShard.acquireReplicaOperationPermit`. */

/** What a replica does when a primary of a newer term speaks to it for the first time. */
export type TermBump =
  | { readonly kind: "none" }
  /** Operations above the global checkpoint may differ from the new primary's: drop them first. */
  | { readonly kind: "roll-back"; readonly to: number }
  | { readonly kind: "keep" };

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
