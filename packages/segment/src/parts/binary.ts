/** Binary doc values as a segment part: byte strings per document. */
import { assert } from "@orrery/stdx";
import {
  BinaryList,
  openBinaryColumn,
  writeBinaryColumn,
  type BinaryColumnEntry,
} from "../binary.ts";
import type { PartBuffer, PartMerge, SectionWriter, SegmentPart } from "../part.ts";
import type { BinaryColumn, FieldSpec, FieldValue } from "../types.ts";

interface BinaryEntry {
  readonly binary?: BinaryColumnEntry;
}

interface BinaryView {
  readonly binary: BinaryColumn | undefined;
}

/** The kind `binary`. */
export const binaryPart: SegmentPart<BinaryBuffer, BinaryEntry, BinaryView> = {
  kind: "binary",
  buffer: (spec) => new BinaryBuffer(spec),
  write: (file, { list }, { info, maxDoc }) =>
    // A binary field without doc values stores nothing: it has no index either.
    info.docValues ? { binary: writeBinaryColumn(file, list, maxDoc) } : {},
  merge: mergeBinary,
  open: (file, { binary }) => ({
    binary: binary === undefined ? undefined : openBinaryColumn(file, binary),
  }),
  columns: (view) => view,
};

/** Values of one field in the indexing buffer. */
class BinaryBuffer implements PartBuffer {
  readonly list: BinaryList = new BinaryList();
  readonly #name: string;
  #doc = -1;

  constructor({ name }: FieldSpec) {
    this.#name = name;
  }

  get ramBytes(): number {
    return this.list.bytes.length;
  }

  begin(doc: number): void {
    this.#doc = doc;
  }

  add(value: FieldValue["value"]): void {
    assert(value instanceof Uint8Array, `binary value of [${this.#name}]`);
    this.list.add(this.#doc, value);
  }
}

function* mergeBinary(
  file: SectionWriter,
  { info, sources, maxDoc }: PartMerge<BinaryView>,
): Generator<undefined, BinaryEntry> {
  // The whole column is one step of the merge, however many values it has.
  yield undefined;
  if (!info.docValues) return {};
  const list = new BinaryList();
  for (const { part, docMap } of sources) {
    if (part?.binary === undefined) continue;
    for (const [doc, target] of docMap.entries()) {
      if (target === -1) continue;
      for (const value of part.binary.values(doc)) list.add(target, value);
    }
  }
  return { binary: writeBinaryColumn(file, list, maxDoc) };
}
