/** Bytes, varints, base64, ids: what is written is read again, on any input. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import {
  AssertionError,
  base64ToBytes,
  bytesEqual,
  bytesToBase64Url,
  compareBytes,
  concatBytes,
  createByteReader,
  createByteWriter,
  createRandom,
  newDocumentId,
  newUuid,
  utf8Decode,
  utf8Encode,
} from "../src/index.ts";

test("base64 and back gives the same bytes, and agrees with the platform's", () => {
  forSeeds(200, (random) => {
    const bytes = random.bytes(random.int(0, 40));
    const text = bytesToBase64Url(bytes);

    expect(text).toBe(Buffer.from(bytes).toString("base64url"));
    expect(base64ToBytes(text)).toEqual(bytes);
    expect(base64ToBytes(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
  });
});

test("text that is no base64 is undefined", () => {
  expect(base64ToBytes("a*b")).toBeUndefined();
});

test("bytes compare as unsigned numbers, a prefix before what it starts", () => {
  forSeeds(300, (random) => {
    const a = random.bytes(random.int(0, 4));
    const b = random.int(0, 3) === 0 ? a.slice() : random.bytes(random.int(0, 4));

    expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b));
    expect(bytesEqual(a, b)).toBe(Buffer.compare(a, b) === 0);
  });
});

test("text survives as UTF-8, also over shared memory", () => {
  const text = "zürich 東京 😀 \u0000";
  const shared = new Uint8Array(new SharedArrayBuffer(utf8Encode(text).length));
  shared.set(utf8Encode(text));

  expect([utf8Decode(utf8Encode(text)), utf8Decode(shared)]).toEqual([text, text]);
  expect(utf8Decode(Uint8Array.of(0xff))).toBe("\ufffd");
});

test("what a writer wrote a reader reads, whatever the order and the sizes", () => {
  forSeeds(200, (random) => {
    const values = Array.from({ length: random.int(0, 30) }, () => random.int(0, 2)).map((kind) => {
      if (kind === 0) return random.pick([0, 1, 127, 128, 300, 2 ** 31, 2 ** 32, 2 ** 53 - 1]);
      if (kind === 1) return random.pick(["", "a", "ünï".repeat(random.int(1, 60)), "😀"]);
      return random.bytes(random.int(0, 300));
    });
    const writer = createByteWriter(1);
    for (const value of values) {
      if (typeof value === "number") writer.varint(value);
      else if (typeof value === "string") writer.text(value);
      else writer.block(value);
    }
    const reader = createByteReader(writer.finish());

    const read = values.map((value) => {
      if (typeof value === "number") return reader.varint();
      return typeof value === "string" ? reader.text() : reader.block();
    });

    expect(read).toEqual(values);
    expect(reader.rest()).toHaveLength(0);
  });
});

describe("a reader", () => {
  test("refuses to read past the end", () => {
    const writer = createByteWriter();
    writer.block(Uint8Array.of(1, 2, 3));
    const cut = writer.finish().slice(0, 3);

    expect(() => createByteReader(cut).block()).toThrow(AssertionError);
    expect(() => createByteReader(new Uint8Array(0)).byte()).toThrow(AssertionError);
    expect(() => createByteReader(Uint8Array.of(0x80)).varint()).toThrow(AssertionError);
  });
});

test("parts are joined in order", () => {
  const parts = [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)];

  expect(concatBytes(parts)).toEqual(Uint8Array.of(1, 2, 3));
});

test("ids have the product's lengths, and document ids of one moment lie together", () => {
  const random = createRandom("ids");
  const ids = [1, 2, 3].map(() => newDocumentId(random, 1_700_000_000_000));

  expect(newUuid(random)).toMatch(/^[\w-]{22}$/);
  for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/);
  expect(new Set(ids).size).toBe(3);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(1);
});
