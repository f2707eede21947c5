/** A part of a module's own, as small as one can be: for each document the bytes of all its values, in order. */
import { Growth } from "@orrery/analysis";
import { illegalArgument, utf8Decode } from "@orrery/stdx";
import type { FieldSpec, FieldValue, PartBuffer, SegmentPart } from "../src/index.ts";

interface BagEntry {
  readonly starts: number;
  readonly bytes: number;
  /** Of all bytes of the field. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

export interface Bags {
  readonly range: BagEntry["range"];
  bag(doc: number): number[];
}

/** This value is refused. */
export const REFUSED: Uint8Array = Uint8Array.of(13, 13, 13);

class BagBuffer implements PartBuffer {
  readonly bags: number[][] = [];

  get ramBytes(): number {
    return this.bags.reduce((sum, bag) => sum + bag.length * 8, 0);
  }

  begin(): void {
    this.bags.push([]);
  }

  add(value: FieldValue["value"], growth: Growth): void {
    if (!(growth instanceof Growth)) throw new Error("there is an account of each document");
    if (!(value instanceof Uint8Array)) throw new Error(`no bytes: ${String(value)}`);
    if (utf8Decode(value) === utf8Decode(REFUSED)) throw illegalArgument("thirteen thrice");
    this.bags.at(-1)?.push(...value);
  }
}

export const bagPart: SegmentPart<BagBuffer, BagEntry, Bags> = {
  kind: "bag",
  buffer: () => new BagBuffer(),
  write(file, { bags }, { docs, maxDoc }) {
    const all: (readonly number[])[] = Array.from({ length: maxDoc }, () => []);
    for (const [entry, doc] of docs.entries()) all[doc] = bags[entry] ?? [];
    return layOut(file, all);
  },
  *merge(file, { sources, maxDoc }) {
    const all: (readonly number[])[] = Array.from({ length: maxDoc }, () => []);
    for (const { part, docMap } of sources) {
      for (const [doc, target] of docMap.entries()) {
        if (target !== -1) all[target] = part?.bag(doc) ?? [];
      }
      yield undefined;
    }
    return layOut(file, all);
  },
  open(file, { starts, bytes, range }) {
    const from = file.ints(starts);
    const values = file.bytes(bytes);
    return { range, bag: (doc) => [...values.subarray(from[doc], from[doc + 1])] };
  },
};

function layOut(
  file: Parameters<typeof bagPart.write>[0],
  bags: readonly (readonly number[])[],
): BagEntry {
  const starts = new Int32Array(bags.length + 1);
  for (const [doc, bag] of bags.entries()) starts[doc + 1] = (starts[doc] ?? 0) + bag.length;
  const bytes = Uint8Array.from(bags.flatMap((bag) => bag.toSorted((a, b) => a - b)));
  const [first] = bytes;
  const range = first === undefined ? null : { min: Math.min(...bytes), max: Math.max(...bytes) };
  return { starts: file.add(starts), bytes: file.add(bytes), range };
}

const plain = { index: "none", norms: false, docValues: false, points: false } as const;

/** A field of the part's own type, one of the core's with the part beside its own, and one of the core's alone. */
export const bag: FieldSpec = { ...plain, name: "own", type: "bag" };
export const blob: FieldSpec = {
  ...plain,
  name: "beside",
  type: "binary",
  docValues: true,
  parts: ["bag"],
};
export const alone: FieldSpec = { ...plain, name: "alone", type: "binary", docValues: true };
