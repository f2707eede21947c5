/**
 * Lists of any length, in place of a spread into a call. Arguments of a call are on the stack, so
 * `list.push(...items)` and `Math.max(...values)` throw a RangeError above some 100,000 items, and clients choose how
 * many items a request has. The lint rule `orrery/spread-arguments` refuses the spread.
 */

/** Appends the items in order. A list that is appended to itself is doubled. */
export function appendAll<T>(into: T[], items: Iterable<T>): void {
  const added = items === into ? into.slice() : items;
  for (const item of added) into.push(item);
}

/** The greatest value, as `Math.max`: −Infinity without values, NaN if a value is NaN. */
export function greatest(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The least value, as `Math.min`: Infinity without values, NaN if a value is NaN. */
export function least(values: Iterable<number>): number {
  let fewest = Infinity;
  for (const value of values) fewest = Math.min(fewest, value);
  return fewest;
}

/** One character per byte, U+0000 to U+00FF: such texts compare as their bytes do. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
