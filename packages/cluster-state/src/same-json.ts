/** Deep equality of JSON values, big integers included; the order of keys does not matter. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";

/** Whether both values are equal; members that are `undefined` count as absent. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a).filter((key) => lookup(a, key) !== undefined);
    const others = Object.keys(b).filter((key) => lookup(b, key) !== undefined);
    return (
      keys.length === others.length &&
      keys.every((key) => isSameJson(lookup(a, key), lookup(b, key)))
    );
  }
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const left: readonly Json[] = a;
  const right: readonly Json[] = b;
  return left.length === right.length && left.every((item, i) => isSameJson(item, right[i]));
}
