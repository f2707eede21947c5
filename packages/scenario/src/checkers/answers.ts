/** What checkers read in answers: nothing in them is believed to be there. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";

/** A member of an object; `undefined` where there is none, or no object. */
export function at(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? lookup(value, name) : undefined;
}
