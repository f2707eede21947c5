/** Limits on the documents and fields of an index that a request can see. */
import { matchesGlob, type JsonObject } from "@orrery/stdx";
import { METADATA_FIELDS } from "../mapping/metadata-fields.ts";

/** A restriction on what a request reads of an index: hidden documents, hidden fields, or both. */
export interface Restriction {
  /**
   * A query of the DSL: documents that it does not match are hidden. The query may use hidden
   * fields. Absent: no document is hidden.
   */
  readonly documents?: JsonObject;
  /**
   * Full paths, or patterns with `*`, of fields hidden in the index and in `_source`. An object
   * hides its members.
   */
  readonly hiddenFields?: readonly string[];
}

/** Whether the restriction hides anything. */
export function isRestricting({ documents, hiddenFields = [] }: Restriction): boolean {
  return documents !== undefined || hiddenFields.length > 0;
}

/** Combines two restrictions: whatever one of them hides is hidden. */
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

/**
 * Whether the field of this full path is hidden. Of the metadata fields only `_ignored` is hidden,
 * whatever the patterns.
 */
export type IsHidden = (path: string) => boolean;

/**
 * Returns a test for fields that match a pattern or belong to an object that does; the test caches
 * its results.
 */
export function hiddenBy(patterns: readonly string[]): IsHidden {
  const known = new Map<string, boolean>();
  const isHidden = (path: string): boolean => {
    // `_ignored` contains names of fields, perhaps hidden ones.
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

/**
 * The patterns of hidden fields together with patterns for the members of hidden objects, which a
 * filter of `_source` needs.
 */
export function hiddenInSource(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => [pattern, `${pattern}.*`]);
}
