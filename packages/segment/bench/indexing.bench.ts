/**
 * How fast documents become a segment, and segments one. Run: `node --conditions=source <this file> [documents]`.
 *
 * Prints milliseconds per phase, so that one sees where the time goes: analysing and logging, sorting and encoding
 * (flush), checking the file (open), merging.
 */
import { createAnalysis } from "@orrery/analysis";
import { utf8Encode } from "@orrery/stdx";
import {
  coreSegmentParts,
  createSegmentWriter,
  mergeSegments,
  openSegment,
  type FieldSpec,
} from "../src/index.ts";
import { createCorpus } from "./corpus.ts";
import { print } from "./print.ts";

const count = Number(process.argv[2] ?? 100_000);
const analyzer = createAnalysis({}).analyzer("standard");
const body: FieldSpec = {
  name: "body",
  type: "text",
  index: "positions",
  norms: true,
  docValues: false,
  points: false,
  analyzer,
};
const tag: FieldSpec = {
  ...body,
  name: "tag",
  type: "keyword",
  index: "docs",
  norms: false,
  docValues: true,
};
const rank: FieldSpec = { ...tag, name: "rank", type: "long", index: "none", points: true };

const { texts } = createCorpus(count);
const sources = texts.map((text) => utf8Encode(JSON.stringify({ text })));

/** In CPU time, which a busy machine distorts less than time on the wall. */
function timed<Result>(label: string, work: () => Result): Result {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  const ms = (user + system) / 1000;
  const rate = ((count / ms) * 1000).toFixed(0);
  print(`${label.padEnd(28)} ${ms.toFixed(0).padStart(7)} ms  ${rate} docs/s`);
  return result;
}

function index(from: number, to: number): ReturnType<typeof createSegmentWriter> {
  const writer = createSegmentWriter(coreSegmentParts);
  for (let i = from; i < to; i += 1) {
    writer.add({
      kind: "index",
      id: `document-${i}`,
      seqNo: i,
      primaryTerm: 1,
      version: 1,
      source: sources[i],
      fields: [
        { field: body, value: texts[i] ?? "" },
        { field: tag, value: `tag-${i % 1000}` },
        { field: rank, value: (i * 7919) % 1_000_003 },
      ],
    });
  }
  return writer;
}

for (let round = 0; round < 3; round += 1) {
  const writer = timed("analyse and log", () => index(0, count));
  print(`buffer ${(writer.ramBytes / 2 ** 20).toFixed(0)} MiB`);
  const image = timed("flush", () => writer.flush("_0"));
  print(`segment ${((image.files[0]?.bytes.length ?? 0) / 2 ** 20).toFixed(0)} MiB`);
  timed("open with checksum", () => openSegment(image.files, coreSegmentParts));
  const step = Math.ceil(count / 10);
  const parts = timed("ten segments", () =>
    Array.from({ length: 10 }, (_, i) =>
      openSegment(
        index(i * step, Math.min(count, (i + 1) * step)).flush(`_${i}`).files,
        coreSegmentParts,
        {
          isTrusted: true,
        },
      ),
    ),
  );
  timed("merge of the ten", () =>
    mergeSegments(
      parts.map((reader) => ({ reader, liveDocs: undefined })),
      { name: "_m", parts: coreSegmentParts },
    ),
  );
}
