/** A field type whose values lie in a part of its own alone: no column of the core has them. */
import {
  setWeight,
  stringOf,
  type CompiledType,
  type FieldType,
  type Plan,
} from "@orrery/query/extension";
import type { PartBuffer, SectionWriter, SegmentPart } from "@orrery/shard-worker";
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import type { Faults } from "./faults.ts";

type TallyBuffer = PartBuffer & { readonly rows: string[][] };
type Entry = { readonly text: number };
export type Tallies = readonly (readonly string[])[];

/** The strokes of each document, as JSON. */
export function tallyPart(faults: Faults): SegmentPart<TallyBuffer, Entry, Tallies> {
  return {
    kind: "tally",
    buffer: () => ({
      rows: [],
      get ramBytes() {
        return this.rows.flat().length * 8;
      },
      begin() {
        this.rows.push([]);
      },
      add(value) {
        if (value instanceof Uint8Array) this.rows.at(-1)?.push(utf8Decode(value));
      },
    }),
    write: (file, { rows }, { docs, maxDoc }) =>
      layOut(file, maxDoc, new Map([...docs].map((doc, i) => [doc, rows[i] ?? []]))),
    *merge(file, { sources, maxDoc }) {
      faults.meet("merge");
      const rows = new Map<number, readonly string[]>();
      for (const { part, docMap } of sources) {
        docMap.forEach((target, doc) => rows.set(target, part?.[doc] ?? []));
        yield undefined;
      }
      return layOut(file, maxDoc, rows);
    },
    open: (file, { text }) => {
      faults.meet("open");
      return JSON.parse(utf8Decode(file.bytes(text))) as Tallies;
    },
  };
}

/** Documents below zero are left out. */
function layOut(
  file: SectionWriter,
  maxDoc: number,
  rows: ReadonlyMap<number, readonly string[]>,
): Entry {
  const all = Array.from({ length: maxDoc }, (_, doc) => rows.get(doc) ?? []);
  return { text: file.add(utf8Encode(JSON.stringify(all))) };
}

const kept = { index: "none", norms: false, docValues: false, points: false } as const;

/** What a type tells the core of its values. */
export type Telling = Pick<CompiledType, "columnValues" | "queries">;

export function tallyType(
  part: ReturnType<typeof tallyPart>,
  telling: (name: string) => Telling,
): FieldType {
  return {
    parameters: {},
    compile: ({ name }) => {
      const spec = { ...kept, name, type: part.kind };
      return {
        spec,
        values: { kind: "none" },
        index: (value, sink) => sink.add(spec, utf8Encode(stringOf(value, sink))),
        isIndexed: false,
        hasDocValues: true,
        ...telling(name),
      };
    },
  };
}

export function columnValuesOf(
  part: ReturnType<typeof tallyPart>,
  faults: Faults,
): NonNullable<Telling["columnValues"]> {
  return (reader, column, doc) => {
    faults.meet("columnValues");
    return reader.part(part, column)?.[doc] ?? [];
  };
}

export function existsOf(part: ReturnType<typeof tallyPart>, name: string): Plan {
  return {
    kind: "own",
    description: `tallies of ${name}`,
    weight: () =>
      setWeight(1, ({ reader, maxDoc }) => {
        const tallies = reader.part(part, name);
        if (tallies === undefined) return undefined;
        return { kind: "test", test: (doc) => (tallies[doc] ?? []).length > 0, cost: maxDoc };
      }),
  };
}
