/** Metadata blobs, plain and compressed: each is read whatever was chosen since, and a damaged one is refused, never half read. */
import { forSeeds } from "@orrery/seeds";
import { concatBytes, crc32c, utf8Encode } from "@orrery/stdx";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { corrupt, decodeBlob, encodeBlob, INFLATED_BYTES_MOST } from "../src/blob-format.ts";

const compressions = ["none", "deflate"] as const;
const value = { indices: Array.from({ length: 50 }, (_, i) => `índex-${i}`), at: 1.5, no: null };
const damaged = corrupt("index-x", "codec footer mismatch (file truncated?)").message;

describe.each(compressions)("a blob written with compression %s", (compression) => {
  test("is read back as it was", () => {
    expect(decodeBlob(encodeBlob(value, compression, "index-x"), "index-x")).toEqual(value);
  });

  test("is refused when any bit of it is another, and when its end is missing", () => {
    const whole = encodeBlob(value, compression, "index-x");
    forSeeds(300, (random) => {
      const at = random.int(0, whole.length - 1);
      const rotten = whole.slice();
      rotten[at] = (rotten[at] ?? 0) ^ (1 << random.int(0, 7));

      expect(() => decodeBlob(rotten, "index-x")).toThrow(damaged);
      expect(() => decodeBlob(whole.subarray(0, at), "index-x")).toThrow(damaged);
    });
  });
});

test("a blob in the place of another is refused, and one without a place is read anywhere", () => {
  const whole = encodeBlob(value, "none", "indices/i/0/snap-u.dat");
  const body = JSON.stringify(value);
  const sum = crc32c(utf8Encode(body)).toString(16).padStart(8, "0");

  expect(() => decodeBlob(whole, "indices/i/1/snap-u.dat")).toThrow("codec footer mismatch");
  expect(decodeBlob(utf8Encode(`${sum}\n${body}`), "index-x")).toEqual(value);
});

test("a compressed body begins as the product's does, and is smaller", () => {
  const plain = encodeBlob(value, "none", "index-x");
  const small = encodeBlob(value, "deflate", "index-x");

  expect(new TextDecoder().decode(small.subarray(9, 13))).toBe("DFL\0");
  expect(small.length).toBeLessThan(plain.length / 2);
});

test("a compressed body that holds more than a node writes is refused before it is all in memory", () => {
  const bomb = deflateRawSync(new Uint8Array(INFLATED_BYTES_MOST + 1), { level: 1 });
  const body = concatBytes([Uint8Array.from([0x44, 0x46, 0x4c, 0]), bomb]);
  const checksum = crc32c(body).toString(16).padStart(8, "0");

  expect(() => decodeBlob(concatBytes([utf8Encode(`${checksum}\n`), body]), "index-x")).toThrow(
    `compressed body holds more than ${INFLATED_BYTES_MOST} bytes`,
  );
});

test("what a reader would refuse for its size is refused by the writer", () => {
  const large = "x".repeat(INFLATED_BYTES_MOST);

  expect(() => encodeBlob(large, "deflate", "index-x")).toThrow(
    `blob [index-x] of [${INFLATED_BYTES_MOST + 2}] bytes is not written, as it is larger than [${INFLATED_BYTES_MOST}] bytes`,
  );
});

test("a compressed body of several pieces is read whole", () => {
  const numbers = Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 1_000_003);

  expect(decodeBlob(encodeBlob(numbers, "deflate", "index-x"), "index-x")).toEqual(numbers);
});
