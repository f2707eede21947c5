/** Refuses mappings with a type: a mapping under `_doc` in an index creation or a legacy template. */
import { illegalArgument, type JsonObject } from "@orrery/stdx";

/** Throws when the mapping has the type `_doc`. */
export function refuseTypedMapping(mapping: JsonObject): void {
  const keys = Object.keys(mapping);
  if (keys.length !== 1 || keys[0] !== "_doc") return;
  throw illegalArgument("The mapping definition cannot be nested under a type");
}
