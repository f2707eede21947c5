/** Mapping types are gone: a mapping under `_doc` is refused where an index or an older template is made. */
import { illegalArgument, type JsonObject } from "@orrery/stdx";

export function refuseTypedMapping(mapping: JsonObject): void {
  const keys = Object.keys(mapping);
  if (keys.length !== 1 || keys[0] !== "_doc") return;
  throw illegalArgument("The mapping definition cannot be nested under a type");
}
