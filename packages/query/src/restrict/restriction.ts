/** What of an index a request may see. */
import { matchesGlob, type JsonObject } from "@orrery/stdx";
import { METADATA_FIELDS } from "../mapping/metadata-fields.ts";

export interface Restriction {
  /** A query: documents that it does not match are not there. It may ask for hidden fields. Absent: all are. */
  readonly documents?: JsonObject;
  /** Full paths, or patterns with `*`, of fields that are not there, in the index and in `_source`; an object hides what is in it. */
  readonly hiddenFields?: readonly string[];
}

/** A restriction that leaves nothing out is none. */
export function isRestricting({ documents, hiddenFields = [] }: Restriction): boolean {
  return documents !== undefined || hiddenFields.length > 0;
}

/** What both leave. */
export function bothRestrictions(one: Restriction, other: Restriction): Restriction {
  const filters = [one.documents, other.documents].filter((filter) => filter !== undefined);
  const [first] = filters;
  return {
    ...(first !== undefined && {
      documents: filters.length === 1 ? first : { bool: { filter: filters } },
    }),
    hiddenFields: [...(one.hiddenFields ?? []), ...(other.hiddenFields ?? [])],
  };
}

/** By full path. Of metadata fields `_ignored` is hidden with any other field, and the others never are. */
export type IsHidden = (path: string) => boolean;

export function hiddenBy(patterns: readonly string[]): IsHidden {
  const known = new Map<string, boolean>();
  const isHidden = (path: string): boolean => {
    // It names fields, hidden ones among them.
    if (METADATA_FIELDS.has(path)) return path === "_ignored";
    for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
      const start = path.slice(0, end);
      if (patterns.some((pattern) => matchesGlob(pattern, start))) return true;
    }
    return false;
  };
  return (path) => {
    let hides = known.get(path);
    if (hides === undefined) known.set(path, (hides = isHidden(path)));
    return hides;
  };
}

/** For `_source`, where a name with dots stands for objects. */
export function hiddenInSource(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => [pattern, `${pattern}.*`]);
}
