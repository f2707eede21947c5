/**
 * Numbers as segment parts, kinds `long` and `double`: a column in document order for sorts and aggregations, and
 * points in value order for ranges, both made from one buffer.
 */
import { assert } from "@orrery/stdx";
import { countBits, setBit, wordCount } from "../bits.ts";
import { IntList } from "../growable.ts";
import {
  ColumnCollector,
  NumberList,
  openNumberColumn,
  openPoints,
  pointsOf,
  writeNumberColumn,
  writePoints,
  type ColumnInput,
  type NumberColumnEntry,
  type PointsEntry,
  type PointsInput,
} from "../numbers.ts";
import type {
  Columns,
  PartBuffer,
  PartMerge,
  SectionReader,
  SectionWriter,
  SegmentPart,
} from "../part.ts";
import type { FieldSpec, FieldValue, NumberColumn, Points } from "../types.ts";

type NumberType = NumberColumn["type"];

interface NumbersEntry {
  readonly numbers?: NumberColumnEntry;
  readonly points?: PointsEntry;
}

/** The kind `long`: int64 values. */
export const longPart: SegmentPart<NumbersBuffer, NumbersEntry, NumbersView> = numbersPart("long");
/** The kind `double`: float64 values. */
export const doublePart: SegmentPart<NumbersBuffer, NumbersEntry, NumbersView> =
  numbersPart("double");

/** Both kinds share all code; the type only decides how values are narrowed and compared. */
function numbersPart(type: NumberType): SegmentPart<NumbersBuffer, NumbersEntry, NumbersView> {
  return {
    kind: type,
    buffer: (spec) => new NumbersBuffer(spec),
    write(file, { values, firstValues }, { info, docs, maxDoc }) {
      const input: ColumnInput = {
        maxDoc,
        docs,
        firstValues: firstValues.view(),
        values: values.array(type),
      };
      return {
        ...(info.docValues ? { numbers: writeNumberColumn(file, type, input) } : {}),
        ...(info.points ? { points: writePoints(file, type, pointsOf(input)) } : {}),
      };
    },
    merge: (file, merge) => mergeNumbers(file, type, merge),
    open: (file, entry, { maxDoc }) => new NumbersView(file, entry, maxDoc),
    columns: (view) => view,
  };
}

class NumbersBuffer implements PartBuffer {
  readonly values: NumberList = new NumberList();
  /** For each document the index of its first value. */
  readonly firstValues: IntList = new IntList();
  readonly #name: string;

  constructor({ name }: FieldSpec) {
    this.#name = name;
  }

  get ramBytes(): number {
    return this.values.length * 8;
  }

  begin(): void {
    this.firstValues.push(this.values.length);
  }

  add(value: FieldValue["value"]): void {
    assert(typeof value === "number" || typeof value === "bigint", `number of [${this.#name}]`);
    this.values.push(value);
  }
}

/** A view that opens column and points separately, because a sort needs one and a range query the other. */
class NumbersView implements Columns {
  readonly #file: SectionReader;
  readonly #entry: NumbersEntry;
  readonly #maxDoc: number;
  #numbers: NumberColumn | undefined;
  #points: Points | undefined;

  constructor(file: SectionReader, entry: NumbersEntry, maxDoc: number) {
    this.#file = file;
    this.#entry = entry;
    this.#maxDoc = maxDoc;
  }

  get numbers(): NumberColumn | undefined {
    const { numbers } = this.#entry;
    if (numbers === undefined) return undefined;
    this.#numbers ??= openNumberColumn(this.#file, numbers, this.#maxDoc);
    return this.#numbers;
  }

  get points(): Points | undefined {
    const { points } = this.#entry;
    if (points === undefined) return undefined;
    this.#points ??= openPoints(this.#file, points);
    return this.#points;
  }
}

function* mergeNumbers(
  file: SectionWriter,
  type: NumberType,
  merge: PartMerge<NumbersView>,
): Generator<undefined, NumbersEntry> {
  const { info, maxDoc } = merge;
  // Column and points are two steps: each sorts or copies all values of the field.
  yield undefined;
  const numbers = info.docValues
    ? { numbers: writeNumberColumn(file, type, mergeColumn(merge).input(type, maxDoc)) }
    : {};
  yield undefined;
  const points = info.points ? { points: writePoints(file, type, mergePoints(type, merge)) } : {};
  return { ...numbers, ...points };
}

/** Documents ascend within an input and inputs follow one another, so the collected documents ascend without sorting. */
function mergeColumn({ sources }: PartMerge<NumbersView>): ColumnCollector {
  const collector = new ColumnCollector();
  for (const { part, docMap } of sources) {
    const column = part?.numbers;
    if (column === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc += 1) {
      const target = docMap[doc] as number;
      if (target === -1 || !column.has(doc) || column.count(doc) === 0) continue;
      collector.start(target);
      const end = column.end(doc);
      for (let i = column.start(doc); i < end; i += 1) {
        collector.values.push(column.values[i] as number | bigint);
      }
    }
  }
  return collector;
}

/**
 * Points of all inputs under their new documents. They are concatenated, not merged: the radix sort of `writePoints`
 * is linear anyway, and its stability keeps documents with equal values ascending, since inputs are in document
 * order.
 */
function mergePoints(type: NumberType, { sources, maxDoc }: PartMerge<NumbersView>): PointsInput {
  const docs = new IntList();
  const values = new NumberList();
  const seen = new Int32Array(wordCount(maxDoc));
  for (const { part, docMap } of sources) {
    const points = part?.points;
    if (points === undefined) continue;
    for (let i = 0; i < points.docs.length; i += 1) {
      const target = docMap[points.docs[i] as number] as number;
      if (target === -1) continue;
      setBit(seen, target);
      // A document with several values occurs several times; the bits count it once.
      docs.push(target);
      values.push(points.values[i] as number | bigint);
    }
  }
  return { values: values.array(type), docs: docs.view(), docCount: countBits(seen) };
}
