/** Random documents: segments, merges, ids, history and live docs against the model. */
import { forSeeds, type Random } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import {
  createIdKey,
  coreSegmentParts,
  createSegmentWriter,
  decodeLiveDocs,
  deleteDocs,
  encodeLiveDocs,
  mergeSegments,
  openSegment,
  type DocumentInput,
  type LiveDocs,
  type WholeSegmentReader,
} from "../src/index.ts";
import {
  anyDocument,
  describeModel,
  describeReader,
  flatten,
  type ModelDocument,
} from "./model.ts";

interface Written {
  readonly reader: WholeSegmentReader;
  readonly live: LiveDocs | undefined;
  readonly documents: readonly ModelDocument[];
  readonly isLive: boolean[];
}

/** Some documents through a writer, a few deleted in the buffer and a few afterwards. */
function anySegment(random: Random, firstSeqNo: number, count: number): Written {
  const density = random.pick([0.1, 0.6, 1]);
  const inputs = Array.from({ length: count }, (_, i) =>
    anyDocument(random, firstSeqNo + i, density),
  );
  return write(random, inputs);
}

function write(random: Random, inputs: readonly DocumentInput[]): Written {
  const writer = createSegmentWriter(coreSegmentParts);
  const documents = flatten(inputs);
  const isLive = documents.map(({ input }) => input.kind === "index");
  const kill = (root: number): void => {
    isLive[root] = false;
    for (let child = root - 1; documents[child]?.isNested === true; child -= 1)
      isLive[child] = false;
  };
  for (const input of inputs) {
    const doc = writer.add(input);
    if (random.int(0, 9) > 0) continue;
    writer.delete(doc);
    kill(doc);
  }
  const image = writer.flush("_0");
  const reader = openSegment(image.files, coreSegmentParts);
  const roots = documents.flatMap(({ isNested }, doc) => (isNested ? [] : [doc]));
  const later = roots.filter(() => random.int(0, 9) === 0);
  const live = later.length === 0 ? image.liveDocs : deleteDocs(image.liveDocs, later, reader);
  for (const doc of later) kill(doc);
  return { reader, live, documents, isLive };
}

describe("a segment", () => {
  test("INV-SEGMENT-1: says what its documents say", () => {
    forSeeds(15, (random) => {
      const { reader, live, documents, isLive } = anySegment(random, 0, random.int(1, 300));

      expect(describeReader(reader, live)).toEqual(describeModel(documents, isLive));
    });
  });

  test("INV-SEGMENT-2: merged from several is the segment of the documents that stay", () => {
    forSeeds(15, (random) => {
      let seqNo = 0;
      const parts = Array.from({ length: random.int(1, 5) }, () => {
        const count = random.int(1, 120);
        seqNo += count;
        return anySegment(random, seqNo - count, count);
      });
      const retainFromSeqNo = random.pick([0, Math.floor(seqNo / 2), Infinity]);

      const { image, docMaps } = mergeSegments(
        parts.map(({ reader, live }) => ({ reader, liveDocs: live })),
        { name: "_m", parts: coreSegmentParts, retainFromSeqNo },
      );

      const kept = parts.flatMap(({ documents, isLive }) =>
        documents.flatMap((document, doc) =>
          isLive[doc] === true || document.input.seqNo >= retainFromSeqNo
            ? [{ document, isLive: isLive[doc] === true }]
            : [],
        ),
      );
      const expected = describeModel(
        kept.map(({ document }) => document),
        kept.map(({ isLive }) => isLive),
      );
      const merged = describeReader(openSegment(image.files, coreSegmentParts), image.liveDocs);
      expect(merged.documents).toEqual(expected.documents);
      const named = (fields: readonly unknown[]): Map<string, unknown> =>
        new Map(fields.map((field) => [(field as { name: string }).name, field]));
      // A field whose last document is gone may stay, empty.
      for (const [name, field] of named(expected.fields))
        expect(named(merged.fields).get(name)).toEqual(field);
      expect(docMaps.flatMap((map) => [...map].filter((doc) => doc !== -1))).toEqual(
        kept.map((_, i) => i),
      );
    });
  });

  test("INV-SEGMENT-3: finds operations by id and by seqNo", () => {
    forSeeds(15, (random) => {
      const { reader, live, documents, isLive } = anySegment(random, 100, random.int(1, 200));

      for (const id of ["", "é-7", "é-8", "é-150", "none"]) {
        const all = documents.flatMap(({ input, isNested }, doc) =>
          input.id === id && !isNested ? [doc] : [],
        );
        expect(reader.findAll(createIdKey(id))).toEqual(all);
        expect(reader.find(createIdKey(id), live)).toBe(all.findLast((doc) => isLive[doc]) ?? -1);
      }
      const [from, to] = [random.int(90, 310), random.int(90, 310)];
      const wanted = documents.flatMap(({ input, isNested }, doc) =>
        !isNested && input.seqNo >= from && input.seqNo <= to ? [doc] : [],
      );
      expect([...reader.operations(from, to)]).toEqual(wanted);
    });
  });
});

test("INV-SEGMENT-4: live docs come back from their file as they were", () => {
  forSeeds(50, (random) => {
    const { live, reader } = anySegment(random, 0, random.int(1, 100));
    const docs = live ?? deleteDocs(undefined, [0], reader);

    expect(decodeLiveDocs(encodeLiveDocs(docs), "_0.liv")).toEqual(docs);
  });
});
