/** One field of an open segment: its parts and the documents that have it, each opened when first asked for. */
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

export class FieldReader {
  readonly #file: SectionReader;
  readonly #entry: FieldEntry;
  readonly #options: OpenOptions;
  /** In the order of `kindsOf`. */
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

  /** `undefined`: the field has no part of this kind. */
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

  /** Of the part of the field's type. */
  get columns(): Columns {
    if (this.#columns === undefined) {
      const row = rowOf(this.#options.parts, this.#entry.info.type);
      this.#columns = row.columns?.(this.part(row)) ?? {};
    }
    return this.#columns;
  }

  get documents(): DocSet {
    const { docCount, present } = this.#entry;
    this.#documents ??= createDocSet(
      docCount,
      present === undefined ? undefined : this.#file.ints(present),
    );
    return this.#documents;
  }
}
