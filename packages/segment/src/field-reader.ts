/**
 * One field of an open segment. Parts and the presence set are opened at their first use, because most searches touch
 * few of the fields.
 */
import { assert } from "@orrery/stdx";
import { createDocSet } from "./bits.ts";
import { entriesOf, kindsOf, rowOf, type FieldEntry } from "./layout.ts";
import type {
  Columns,
  PartBuffer,
  PartEntry,
  SectionReader,
  SegmentPart,
  SegmentParts,
} from "./part.ts";
import type { DocSet, FieldInfo } from "./types.ts";

interface OpenOptions {
  readonly parts: SegmentParts;
  readonly maxDoc: number;
}

/** Views of a field's parts, cached; safe to share between searches, since a view holds no cursor. */
export class FieldReader {
  readonly #file: SectionReader;
  readonly #entry: FieldEntry;
  readonly #options: OpenOptions;
  /** Opened views in the order of `kindsOf`; a hole is a part that has not been used yet. */
  #views: unknown[] | undefined;
  #columns: Columns | undefined;
  #documents: DocSet | undefined;

  constructor(file: SectionReader, entry: FieldEntry, options: OpenOptions) {
    this.#file = file;
    this.#entry = entry;
    this.#options = options;
  }

  get info(): FieldInfo {
    return this.#entry.info;
  }

  /**
   * The view of one part; `undefined`: the field has no part of this kind. The row must be the very one the segment
   * was opened with, because its `View` type describes what that row's `open` returns.
   */
  part<View>(
    row: Pick<SegmentPart<PartBuffer, PartEntry, View>, "kind" | "open">,
  ): View | undefined {
    const { info } = this.#entry;
    const at = kindsOf(info).indexOf(row.kind);
    const entry = entriesOf(this.#entry)[at];
    if (entry === undefined) return undefined;
    assert(
      rowOf(this.#options.parts, row.kind) === row,
      `segment part [${row.kind}] of another module`,
    );
    const { maxDoc } = this.#options;
    this.#views ??= [];
    this.#views[at] ??= row.open(this.#file, entry, { info, maxDoc });
    return this.#views[at] as View;
  }

  /** Columns of the part that the field's type names. */
  get columns(): Columns {
    if (this.#columns === undefined) {
      const row = rowOf(this.#options.parts, this.#entry.info.type);
      this.#columns = row.columns?.(this.part(row)) ?? {};
    }
    return this.#columns;
  }

  /** Documents that have the field, for `exists` and doc counts. */
  get documents(): DocSet {
    const { docCount, present } = this.#entry;
    this.#documents ??= createDocSet(
      docCount,
      present === undefined ? undefined : this.#file.ints(present),
    );
    return this.#documents;
  }
}
