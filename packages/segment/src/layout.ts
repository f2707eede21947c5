/** What a segment file's directory says: where each part lies. Written by `assemble.ts`, read by `reader.ts`. */
import { assert, defined } from "@orrery/stdx";
import type { NumberColumnEntry, PointsEntry } from "./numbers.ts";
import type { PartEntry, SegmentPart, SegmentParts } from "./part.ts";
import type { StoredEntry } from "./stored.ts";
import type { FieldInfo, FieldSpec } from "./types.ts";

export interface SegmentDirectory {
  readonly name: string;
  readonly maxDoc: number;
  readonly rootCount: number;
  readonly minSeqNo: number;
  readonly maxSeqNo: number;
  /** Section of the bits of documents that are not nested, if any is. */
  readonly roots?: number;
  readonly stored: StoredEntry;
  readonly idTable: number;
  readonly seqNos: NumberColumnEntry;
  readonly seqNoPoints: PointsEntry;
  readonly primaryTerms: NumberColumnEntry;
  readonly versions: NumberColumnEntry;
  readonly fields: readonly FieldEntry[];
}

/** What every field has, and beside it the members of the entry of its type's part. */
export interface FieldEntry {
  readonly info: FieldInfo;
  /** Documents that have the field: how many, and the section of their bits unless all do. */
  readonly docCount: number;
  readonly present?: number;
  /** Entries of the field's other parts, as `info.parts` names them. */
  readonly others?: readonly PartEntry[];
}

/** The kinds of a field's parts; that of its type comes first. */
export function kindsOf({ type, parts = [] }: FieldInfo | FieldSpec): readonly string[] {
  return [type, ...parts];
}

/** A kind that nobody provides is a bug of whoever composed the parts, or mapped the field. */
export function rowOf(parts: SegmentParts, kind: string): SegmentPart {
  return defined(parts.get(kind), `segment part of kind [${kind}]`);
}

/** `entries` in the order of `kindsOf`. */
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

/** The reverse. */
export function entriesOf(field: FieldEntry): readonly PartEntry[] {
  return [field, ...(field.others ?? [])];
}
