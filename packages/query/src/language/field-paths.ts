/** Names that a request's pattern selects, and paths of values in the source. */
import { isGlob } from "@orrery/stdx";
import type { Mapping } from "./mapping.ts";

/** The fields that a pattern with `*` matches; a name selects itself, whether the mapping has it or not. */
export function namesOf(mapping: Pick<Mapping, "matchFields">, pattern: string): readonly string[] {
  return isGlob(pattern) ? mapping.matchFields(pattern) : [pattern];
}

/** The path of a field's values in the source. A multi-field has its parent's. */
export function valuePathOf(mapping: Pick<Mapping, "field" | "object">, name: string): string {
  const at = name.lastIndexOf(".");
  if (at < 0) return name;
  const parent = name.slice(0, at);
  return mapping.object(parent) === undefined && mapping.field(parent) !== undefined
    ? valuePathOf(mapping, parent)
    : name;
}
