/** Damaged files are refused. */
import { forSeeds } from "@orrery/seeds";
import { crc32c } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { checksum } from "../src/checksum.ts";
import {
  CorruptFileError,
  coreSegmentParts,
  createSegmentWriter,
  decodeLiveDocs,
  deleteDocs,
  encodeLiveDocs,
  openSegment,
} from "../src/index.ts";
import { anyDocument } from "./model.ts";

describe("a damaged file", () => {
  test("INV-SEGMENT-5: is refused whichever byte is flipped and wherever it is cut", () => {
    forSeeds(20, (random) => {
      const writer = createSegmentWriter(coreSegmentParts);
      for (let i = 0; i < 20; i += 1) writer.add(anyDocument(random, i, 0.5));
      const [file] = writer.flush("_0").files;
      const bytes = file?.bytes ?? new Uint8Array(0);
      const open = (damaged: Uint8Array): unknown =>
        openSegment([{ name: "_0.seg", bytes: damaged }], coreSegmentParts);

      for (let i = 0; i < 200; i += 1) {
        const damaged = bytes.slice();
        const at = i < 32 ? bytes.length - 1 - i : random.int(0, bytes.length - 1);
        damaged[at] = (damaged[at] ?? 0) ^ random.int(1, 255);
        expect(() => open(damaged)).toThrow(CorruptFileError);
      }
      expect(() => open(bytes.slice(0, random.int(0, bytes.length - 1)))).toThrow(CorruptFileError);
      expect(() => open(bytes.slice())).not.toThrow();
    });
  });

  test("is refused for live docs too", () => {
    const live = encodeLiveDocs(deleteDocs(undefined, [3], { maxDoc: 70, roots: undefined }));
    for (let at = 0; at < live.length; at += 1) {
      const damaged = live.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 4;
      expect(() => decodeLiveDocs(damaged, "_0.liv")).toThrow(CorruptFileError);
    }
  });
});

test("the checksum is CRC-32C", () => {
  forSeeds(200, (random) => {
    const bytes = random.bytes(random.int(0, 200));
    expect(checksum(bytes)).toBe(crc32c(bytes));
  });
});
