/** Hashes against published values: a different bit would put documents on other shards, or call good files broken. */
import { expect, test } from "vitest";
import { crc32c, hashRouting, murmur3, utf8Encode } from "../src/index.ts";

// From the product's own Murmur3HashFunctionTests.
test.each([
  ["hell", 0x5a0cb7c3],
  ["hello", 0xd7c31989],
  ["hello w", 0x22ab2984],
  ["hello wo", 0xdf0ca123],
  ["hello wor", 0xe7744d61],
  ["The quick brown fox jumps over the lazy dog", 0xe07db09c],
  ["The quick brown fox jumps over the lazy cog", 0x4e63d2ad],
])("the routing value %o hashes as in the product", (text, hash) => {
  expect(hashRouting(text)).toBe(hash | 0);
});

test.each([
  ["", 0, 0],
  ["", 1, 0x514e28b7],
  ["hello", 0, 0x248bfa47],
  ["hello, world", 0, 0x149bbb7f],
])("murmur3 of %o with seed %i has the published value", (text, seed, hash) => {
  expect(murmur3(utf8Encode(text), seed) >>> 0).toBe(hash);
});

test("crc32c has the published check value, whole or in pieces", () => {
  const bytes = utf8Encode("123456789");

  expect(crc32c(bytes)).toBe(0xe3069283);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(0xe3069283);
  }
});
