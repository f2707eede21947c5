/**
 * Least-significant-digit radix sort of indices by one or two 32-bit keys: stable, linear, without a comparator.
 * Sorts points and the terms of a flush.
 */

/**
 * The indices 0..count-1 sorted by (`high`, `low`) as unsigned keys. Equal keys keep their order. Without `high` only
 * `low` counts. A digit that is equal in all keys costs one counting pass and no moves, so keys in a narrow range are
 * cheap.
 */
export function sortByKeys(
  count: number,
  low: Int32Array,
  high: Int32Array | undefined,
): Int32Array {
  let order: Int32Array = new Int32Array(count);
  for (let i = 0; i < count; i += 1) order[i] = i;
  if (count <= INSERTION_SORT_MAX) return insertionSort(order, low, high);
  let spare: Int32Array = new Int32Array(count);
  const counts = new Int32Array(257);
  // Least significant digit first: each stable pass preserves the order of the digits before it, so after the last
  // digit the order is complete.
  for (const keys of high === undefined ? [low] : [low, high]) {
    for (let shift = 0; shift < 32; shift += 8) {
      if (!countDigits(keys, count, shift, counts)) continue;
      for (let i = 0; i < count; i += 1) {
        const item = order[i] as number;
        const digit = ((keys[item] as number) >>> shift) & 255;
        const at = counts[digit] as number;
        counts[digit] = at + 1;
        spare[at] = item;
      }
      [order, spare] = [spare, order];
    }
  }
  return order;
}

/** Up to this number, an insertion sort finishes before the first counting pass would. */
const INSERTION_SORT_MAX = 24;

function insertionSort(
  order: Int32Array,
  low: Int32Array,
  high: Int32Array | undefined,
): Int32Array {
  for (let i = 1; i < order.length; i += 1) {
    const item = order[i] as number;
    let at = i;
    while (at > 0 && isAfter(order[at - 1] as number, item, low, high)) {
      order[at] = order[at - 1] as number;
      at -= 1;
    }
    order[at] = item;
  }
  return order;
}

function isAfter(a: number, b: number, low: Int32Array, high: Int32Array | undefined): boolean {
  if (high !== undefined && high[a] !== high[b])
    return (high[a] as number) >>> 0 > (high[b] as number) >>> 0;
  return (low[a] as number) >>> 0 > (low[b] as number) >>> 0;
}

/** Fills `counts` with the start of each digit's run; false if all keys have the same digit here. */
function countDigits(keys: Int32Array, count: number, shift: number, counts: Int32Array): boolean {
  counts.fill(0);
  // Shifted by one, so that the prefix sums below turn counts into starts in place.
  for (let i = 0; i < count; i += 1) {
    const digit = ((keys[i] as number) >>> shift) & 255;
    counts[digit + 1] = (counts[digit + 1] as number) + 1;
  }
  for (let digit = 1; digit <= 256; digit += 1) if (counts[digit] === count) return false;
  for (let digit = 1; digit <= 256; digit += 1) {
    counts[digit] = (counts[digit] as number) + (counts[digit - 1] as number);
  }
  return true;
}
