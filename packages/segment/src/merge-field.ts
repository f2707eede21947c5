/** Merges one field: its terms in step through all inputs, its columns document by document. */
import { BinaryList, writeBinaryColumn } from "./binary.ts";
import { countBits, setBit, wordCount } from "./bits.ts";
import type { FileBuilder } from "./file.ts";
import { IntList } from "./growable.ts";
import type { FieldEntry } from "./layout.ts";
import { mergeTerms, type FieldMerge } from "./merge-terms.ts";
import {
  ColumnCollector,
  NumberList,
  writeNumberColumn,
  writePoints,
  type PointsInput,
} from "./numbers.ts";
import type { NumberColumn } from "./types.ts";

export function* mergeField(
  file: FileBuilder,
  merge: FieldMerge,
): Generator<undefined, FieldEntry> {
  const { info, maxDoc } = merge;
  const present = mergePresence(merge);
  const docCount = countBits(present);
  const base: FieldEntry = {
    info,
    docCount,
    ...(docCount === maxDoc ? {} : { present: file.add(present) }),
  };
  if (info.type === "text" || info.type === "keyword") {
    return { ...base, ...(yield* mergeTerms(file, merge)) };
  }
  yield undefined;
  if (info.type === "binary") {
    return info.docValues ? { ...base, binary: mergeBinary(file, merge) } : base;
  }
  const type = info.type;
  const numbers = info.docValues
    ? { numbers: writeNumberColumn(file, type, mergeNumbers(merge).input(type, maxDoc)) }
    : {};
  yield undefined;
  const points = info.points ? { points: writePoints(file, type, mergePoints(merge)) } : {};
  return { ...base, ...numbers, ...points };
}

function mergePresence({ info, sources, maxDoc }: FieldMerge): Int32Array {
  const present = new Int32Array(wordCount(maxDoc));
  for (const { reader, docMap } of sources) {
    const docs = reader.documentsWith(info.name);
    if (docs === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc += 1) {
      const target = docMap[doc] as number;
      if (target !== -1 && docs.has(doc)) setBit(present, target);
    }
  }
  return present;
}

function mergeNumbers({ info, sources }: FieldMerge): ColumnCollector {
  const collector = new ColumnCollector();
  for (const { reader, docMap } of sources) {
    const column = reader.numbers(info.name);
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

function mergePoints({ info, sources, maxDoc }: FieldMerge): PointsInput {
  const type: NumberColumn["type"] = info.type === "double" ? "double" : "long";
  const docs = new IntList();
  const values = new NumberList();
  const seen = new Int32Array(wordCount(maxDoc));
  for (const { reader, docMap } of sources) {
    const points = reader.points(info.name);
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

function mergeBinary(
  file: FileBuilder,
  { info, sources, maxDoc }: FieldMerge,
): NonNullable<FieldEntry["binary"]> {
  const list = new BinaryList();
  for (const { reader, docMap } of sources) {
    const column = reader.binary(info.name);
    if (column === undefined) continue;
    for (const [doc, target] of docMap.entries()) {
      if (target === -1) continue;
      for (const value of column.values(doc)) list.add(target, value);
    }
  }
  return writeBinaryColumn(file, list, maxDoc);
}
