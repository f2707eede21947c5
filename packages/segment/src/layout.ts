/**
 * The directory of a segment file, which names the sections of each part. Written by `assemble.ts`, read by
 * `reader.ts`; every number of a section is its index in the file.
 *
 * The directory is JSON in files that are kept: a member never changes its meaning, and a new one must be optional.
 */
import { assert, defined } from "@orrery/stdx";
import type { NumberColumnEntry, PointsEntry } from "./numbers.ts";
import type { PartEntry, SegmentPart, SegmentParts } from "./part.ts";
import type { StoredEntry } from "./stored.ts";
import type { FieldInfo, FieldSpec } from "./types.ts";

/** The directory of a segment file: number of documents, and the sections of all columns and fields. */
export interface SegmentDirectory {
  readonly name: string;
  /** Number of documents, nested and deleted ones included. */
  readonly maxDoc: number;
  /** Number of documents that are not nested. */
  readonly rootCount: number;
  /** Smallest and largest sequence number of the operations; both -1 without any. */
  readonly minSeqNo: number;
  readonly maxSeqNo: number;
  /** Section of the root bits; absent: no document is nested. */
  readonly roots?: number;
  readonly stored: StoredEntry;
  /** Section of the hash table from `_id` to documents. */
  readonly idTable: number;
  readonly seqNos: NumberColumnEntry;
  /** Operations in order of sequence number, for recoveries. */
  readonly seqNoPoints: PointsEntry;
  readonly primaryTerms: NumberColumnEntry;
  readonly versions: NumberColumnEntry;
  readonly fields: readonly FieldEntry[];
}

/**
 * Directory entry of a field. The members of the entry of its type's part are merged into this object.
 */
export interface FieldEntry {
  readonly info: FieldInfo;
  /** Number of documents that have the field, and the section of their bits; without the section all documents have it. */
  readonly docCount: number;
  readonly present?: number;
  /** Entries of the field's other parts, in the order of `info.parts`. */
  readonly others?: readonly PartEntry[];
}

/** Kinds of a field's parts: the kind of its type first, then further kinds. */
export function kindsOf({ type, parts = [] }: FieldInfo | FieldSpec): readonly string[] {
  return [type, ...parts];
}

/**
 * The row of a kind of parts. Asserts that the kind is known: a file with an unknown kind is refused when it is opened
 * (`reader.ts`).
 */
export function rowOf(parts: SegmentParts, kind: string): SegmentPart {
  return defined(parts.get(kind), `segment part of kind [${kind}]`);
}

/** The field entry from the entries of its parts, in the order of `kindsOf`. */
export function entryOf(
  {
    info,
    docCount,
    present,
  }: Pick<FieldEntry, "info" | "docCount"> & {
    readonly present: number | undefined;
  },
  [own, ...others]: readonly PartEntry[],
): FieldEntry {
  const base = {
    info,
    docCount,
    ...(present === undefined ? {} : { present }),
    ...(others.length === 0 ? {} : { others }),
  };
  for (const member of Object.keys(base)) {
    assert(!Object.hasOwn(own ?? {}, member), `[${member}] is a member of every field's entry`);
  }
  return { ...base, ...own };
}

/** Entries of the parts, in the order of `kindsOf`; the inverse of `entryOf`. */
export function entriesOf(field: FieldEntry): readonly PartEntry[] {
  return [field, ...(field.others ?? [])];
}
