/** Bytes that share memory do not share places in it. */
import { expect, test } from "vitest";
import { shortBytes, shortCopy, shortJoin, shortText, utf8Encode } from "../src/bytes.ts";

test("what is written to one of many never shows in another, whatever their lengths", () => {
  const made = Array.from({ length: 500 }, (_, i) => shortBytes((i * 37) % 1200));

  expect(made.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  made.forEach((bytes, i) => bytes.fill(i % 256));

  expect(made.map(({ length }) => length)).toEqual(made.map((_, i) => (i * 37) % 1200));
  expect(made.every((bytes, i) => bytes.every((byte) => byte === i % 256))).toBe(true);
});

test("a copy stays as it was when the original changes", () => {
  const original = Uint8Array.of(1, 2, 3);
  const copy = shortCopy(original);
  original.fill(9);

  expect([...copy]).toEqual([1, 2, 3]);
});

test.each(["", "plain", "ä€𐍈".repeat(30), "x".repeat(200), "y".repeat(2000)])(
  "a text of %# has its UTF-8 in short bytes, too, and what follows has room of its own",
  (text) => {
    const made = shortText(text);
    const next = shortBytes(3 * text.length + 8).fill(255);

    expect([...made]).toEqual([...utf8Encode(text)]);
    expect(next.every((byte) => byte === 255)).toBe(true);
  },
);

test("texts and bytes are joined in order, short or long, and bytes taken afterwards are zero", () => {
  const source = Uint8Array.from([1, 2, 3]);

  for (const times of [1, 20, 500]) {
    const [before, after] = ["ä".repeat(times), "b".repeat(times)];
    const joined = shortJoin([before, source, after]);

    expect([...joined]).toEqual([...utf8Encode(before), 1, 2, 3, ...utf8Encode(after)]);
    expect([...shortBytes(64)]).toEqual([...new Uint8Array(64)]);
  }
});
