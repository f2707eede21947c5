/** A part of a module's own through writer, merge and reader, against a model; and what an earlier version wrote. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { forSeeds, type Random } from "@orrery/seeds";
import { createRandom, OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  composeSegmentParts,
  CorruptFileError,
  coreSegmentParts,
  createSegmentWriter,
  deleteDocs,
  mergeSegments,
  openSegment,
  type DocumentInput,
  type FieldSpec,
  type FieldValue,
  type LiveDocs,
  type SegmentFile,
  type WholeSegmentReader,
} from "../src/index.ts";
import { alone, bag, bagPart, blob, REFUSED } from "./bag-part.ts";
import { anyDocument, describeModel, describeReader, flatten } from "./model.ts";

const parts = composeSegmentParts([bagPart]);
const specs = [bag, blob, alone];

function anyValues(random: Random): FieldValue[] {
  return specs.flatMap((field) => {
    const count = random.pick([0, 0, 1, 3]);
    return Array.from({ length: count }, () => ({ field, value: random.bytes(random.int(0, 4)) }));
  });
}

function documentOf(seqNo: number, fields: readonly FieldValue[]): DocumentInput {
  return { kind: "index", id: `id-${seqNo}`, seqNo, primaryTerm: 1, version: 1, fields };
}

interface Written {
  readonly files: readonly SegmentFile[];
  readonly reader: WholeSegmentReader;
  readonly live: LiveDocs | undefined;
  /** Of each document. */
  readonly values: readonly (readonly FieldValue[])[];
}

/** Documents of which some are deleted, and of which one may have been refused. */
function anySegment(random: Random, firstSeqNo: number): Written {
  const writer = createSegmentWriter(parts);
  const values: FieldValue[][] = [];
  const count = random.int(1, 40);
  for (let i = 0; i < count; i += 1) {
    const fields = anyValues(random);
    const isRefused = random.int(0, 9) === 0;
    const input = documentOf(
      firstSeqNo + i,
      isRefused ? [...fields, { field: blob, value: REFUSED }] : fields,
    );
    if (isRefused) expect(() => writer.add(input)).toThrow("thirteen thrice");
    else writer.add(input);
    values.push(fields);
  }
  const image = writer.flush(`_${firstSeqNo}`);
  const reader = openSegment(image.files, parts, { isTrusted: random.pick([true, false]) });
  const dead = values.flatMap((_, doc) => (random.int(0, 3) === 0 ? [doc] : []));
  const live = dead.length === 0 ? image.liveDocs : deleteDocs(image.liveDocs, dead, reader);
  return { files: image.files, reader, live, values };
}

function bytesOf(fields: readonly FieldValue[], spec: FieldSpec): number[] {
  return fields.flatMap(({ field, value }) => (field === spec ? [...(value as Uint8Array)] : []));
}

function sorted(bytes: readonly number[]): number[] {
  return bytes.toSorted((a, b) => a - b);
}

/** What a reader says of both fields that have the part. */
function described(reader: WholeSegmentReader, isLive: (doc: number) => boolean): unknown[] {
  const docs = Array.from({ length: reader.maxDoc }, (_, doc) => doc).filter(isLive);
  return [bag, blob].map(({ name }) =>
    docs.map((doc) => reader.part(bagPart, name)?.bag(doc) ?? []),
  );
}

function isLiveIn(live: LiveDocs | undefined): (doc: number) => boolean {
  return (doc) => live === undefined || ((live.words[doc >> 5] ?? 0) & (1 << (doc & 31))) !== 0;
}

describe("a part of a module's own", () => {
  test("INV-SEGMENT-10: says what its documents say", () => {
    forSeeds(60, (random) => {
      const { reader, live, values } = anySegment(random, 0);

      const kept = values.filter((_, doc) => isLiveIn(live)(doc));
      expect(described(reader, isLiveIn(live))).toEqual(
        [bag, blob].map((spec) => kept.map((fields) => sorted(bytesOf(fields, spec)))),
      );
    });
  });

  test("INV-SEGMENT-10: merged from several says what the documents that stay say", () => {
    forSeeds(60, (random) => {
      const inputs = Array.from({ length: random.int(1, 4) }, (_, i) =>
        anySegment(random, i * 100),
      );

      const { image } = mergeSegments(
        inputs.map(({ reader, live }) => ({ reader, liveDocs: live })),
        { name: "_m", parts },
      );

      const merged = openSegment(
        image.files.map(({ name, bytes }) => ({ name, bytes })),
        parts,
      );
      const kept = inputs.flatMap(({ values, live }) =>
        values.filter((_, doc) => isLiveIn(live)(doc)),
      );
      expect(described(merged, () => true)).toEqual(
        [bag, blob].map((spec) => kept.map((fields) => sorted(bytesOf(fields, spec)))),
      );
      // The field's own columns lie beside the part's.
      const columns = kept.map((_, doc) => merged.binary(blob.name)?.values(doc) ?? []);
      expect(columns.map((values) => values.flatMap((value) => [...value]))).toEqual(
        kept.map((fields) => bytesOf(fields, blob)),
      );
      const has = (name: string, doc: number): boolean =>
        merged.documentsWith(name)?.has(doc) ?? false;
      for (const spec of specs) {
        expect(kept.map((_, doc) => has(spec.name, doc))).toEqual(
          kept.map((fields) => fields.some(({ field }) => field === spec)),
        );
      }
    });
  });

  test("is merged with segments in which the field has not got it", () => {
    const before: FieldSpec = { ...blob, parts: undefined };
    const readers = [before, blob].map((field, i) => {
      const writer = createSegmentWriter(parts);
      writer.add(documentOf(i, [{ field, value: Uint8Array.of(i, 7) }]));
      return openSegment(writer.flush(`_${i}`).files, parts);
    });
    expect(readers[0]?.part(bagPart, blob.name)).toBe(undefined);

    const { image } = mergeSegments(
      readers.map((reader) => ({ reader, liveDocs: undefined })),
      { name: "_m", parts },
    );

    const merged = openSegment(image.files, parts);
    expect(merged.field(blob.name)?.parts).toEqual(["bag"]);
    expect(merged.part(bagPart, blob.name)?.bag(0)).toEqual([]);
    expect(merged.part(bagPart, blob.name)?.bag(1)).toEqual([1, 7]);
  });

  test("counts for the memory of the buffer", () => {
    const [core, own] = [alone, bag].map((field) => {
      const writer = createSegmentWriter(parts);
      writer.add(documentOf(0, [{ field, value: new Uint8Array(100) }]));
      return writer.ramBytes;
    });

    expect((own ?? 0) - (core ?? 0)).toBe(100 * 8 - 100);
  });

  test("is refused at opening where its kind is unknown, with the kind's name, and not as damage", () => {
    for (const field of [bag, blob]) {
      const writer = createSegmentWriter(parts);
      writer.add(documentOf(0, [{ field, value: Uint8Array.of(1) }]));
      const { files } = writer.flush("_0");

      const open = (): WholeSegmentReader => openSegment(files, coreSegmentParts);

      expect(open).toThrow(OperationError);
      expect(open).not.toThrow(CorruptFileError);
      expect(open).toThrow(
        `A segment part of kind [bag], which field [${field.name}] has, does not exist. The node supports the following kinds: [text, keyword, long, double, binary] (resource=_0.seg)`,
      );
    }
  });

  test("INV-SEGMENT-5: is refused when one of its bytes is damaged", () => {
    const writer = createSegmentWriter(parts);
    const value = Uint8Array.from({ length: 100 }, (_, i) => i + 100);
    writer.add(documentOf(0, [{ field: bag, value }]));
    const bytes = writer.flush("_0").files[0]?.bytes.slice() ?? new Uint8Array(0);
    const at = Buffer.from(bytes).indexOf(value);
    const open = (): number[] | undefined =>
      openSegment([{ name: "_0.seg", bytes }], parts)
        .part(bagPart, bag.name)
        ?.bag(0);
    expect(open()).toEqual([...value]);

    for (const byte of [at, at + 50, at + 99]) {
      const before = bytes[byte] ?? 0;
      bytes[byte] = before ^ 1;
      expect(open).toThrow(CorruptFileError);
      bytes[byte] = before;
    }
  });
});

test("two parts of one kind do not compose", () => {
  expect(() => composeSegmentParts([bagPart, bagPart])).toThrow("of one kind");
  expect(() => composeSegmentParts([{ ...bagPart, kind: "text" }])).toThrow("of one kind");
});

describe("a segment of the core's kinds", () => {
  test("is opened as an earlier version wrote it", () => {
    const bytes = new Uint8Array(readFileSync(new URL("testdata/format-1.seg", import.meta.url)));
    const random = createRandom("format-1");
    const inputs = Array.from({ length: 40 }, (_, i) => anyDocument(random, i, 0.6));
    const documents = flatten(inputs);

    const reader = openSegment([{ name: "_0.seg", bytes }], coreSegmentParts);

    const everyOneLive = documents.map(() => true);
    expect(describeReader(reader, undefined)).toEqual(describeModel(documents, everyOneLive));
  });

  test.each([
    ["format-1", 40, ["be44d402ea211356", "bb7dffdc4f0426f0", "fb431cceef0653d4"]],
    ["format-2", 300, ["6b8d17c1aa1dd215", "4327248f7500f0c7", "2c6e8d49086b4338"]],
    ["format-3", 300, ["614146f20d6c7178", "1fc8e000cdd0d4e2", "99342feabeafb8a5"]],
  ] as const)("is written and merged byte for byte as before: %s", (seed, count, expected) => {
    const random = createRandom(seed);
    const images = [0, 1].map((n) => {
      const writer = createSegmentWriter(parts);
      for (let i = 0; i < count; i += 1) writer.add(anyDocument(random, n * count + i, 0.6));
      return writer.flush(`_${n}`);
    });
    const merged = mergeSegments(
      images.map(({ files, liveDocs }) => ({ reader: openSegment(files, parts), liveDocs })),
      { name: "_m", parts },
    );

    const hashes = [...images, merged.image].map(({ files }) =>
      createHash("sha256")
        .update(files[0]?.bytes ?? "")
        .digest("hex")
        .slice(0, 16),
    );

    expect(hashes).toEqual(expected);
  });
});
