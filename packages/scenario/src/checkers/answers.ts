/** Readers of JSON answers for checkers; no member is assumed to exist. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";

/** Member of an object; `undefined` if there is none, or the value is no object. */
export function at(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? lookup(value, name) : undefined;
}
