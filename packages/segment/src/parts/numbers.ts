/** Numbers as parts: a column in document order, and points in order of value, of one buffer. */
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

export const longPart: SegmentPart<NumbersBuffer, NumbersEntry, NumbersView> = numbersPart("long");
export const doublePart: SegmentPart<NumbersBuffer, NumbersEntry, NumbersView> =
  numbersPart("double");

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
  /** Where the values of each document start. */
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

/** Both columns are opened when they are asked for. */
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
  yield undefined;
  const numbers = info.docValues
    ? { numbers: writeNumberColumn(file, type, mergeColumn(merge).input(type, maxDoc)) }
    : {};
  yield undefined;
  const points = info.points ? { points: writePoints(file, type, mergePoints(type, merge)) } : {};
  return { ...numbers, ...points };
}

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
      docs.push(target);
      values.push(points.values[i] as number | bigint);
    }
  }
  return { values: values.array(type), docs: docs.view(), docCount: countBits(seen) };
}
