/**
 * Field capabilities of one index: the types of fields, and whether they can be searched and
 * aggregated. Source: `TransportFieldCapabilitiesIndexAction`.
 */
import { isGlob, lookup, matchesGlob, setKey } from "@orrery/stdx";
import type { Mapping } from "../language/mapping.ts";

/**
 * The type of one field or object, and whether it can be searched and aggregated. The members are
 * printed as they are.
 */
export interface FieldCapability {
  readonly type: string;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
  readonly meta: Readonly<Record<string, string>>;
}

/** The fields that match, by full path, with the objects around them. */
export function fieldCapabilities(
  mapping: Mapping,
  patterns: readonly string[],
): Record<string, FieldCapability> {
  const matches = (name: string): boolean =>
    patterns.some((pattern) => (isGlob(pattern) ? matchesGlob(pattern, name) : pattern === name));
  const found: Record<string, FieldCapability> = {};
  for (const [name, field] of mapping.fields) {
    if (!matches(name)) continue;
    setKey(found, name, {
      type: field.type,
      searchable: field.isIndexed,
      aggregatable: field.hasDocValues || name === "_id" || name === "_index",
      meta: (field.definition["meta"] as Readonly<Record<string, string>> | undefined) ?? {},
    });
    for (const parent of parentsOf(name)) {
      const object = mapping.object(parent);
      if (object === undefined || lookup(found, parent) !== undefined) continue;
      setKey(found, parent, {
        type: object.isNested ? "nested" : "object",
        searchable: false,
        aggregatable: false,
        meta: {},
      });
    }
  }
  return found;
}

/** Paths of the objects around a field. */
function parentsOf(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("."));
}
