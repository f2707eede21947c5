/** After a promotion: what the new primary sends to every other copy, and in which batches. Source: `PrimaryReplicaSyncer`. */

/** One batch of consecutive items whose sizes stay within `maxBytes`, at least one item each. */
export function batchBySize<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxBytes: number,
): T[][] {
  const batches: T[][] = [];
  let current: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (current.length > 0 && bytes + size > maxBytes) {
      batches.push(current);
      current = [];
      bytes = 0;
    }
    current.push(item);
    bytes += size;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}

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
