/** Durations and byte sizes as the product reads and prints them. */
import { expect, test } from "vitest";
import {
  byteSizeOf,
  formatByteSize,
  formatDuration,
  parseByteSize,
  parseDuration,
} from "../src/index.ts";

test.each([
  ["30s", 30_000],
  ["1.5h", 5_400_000],
  ["1M", undefined],
  ["1H", 3_600_000],
  ["100ms", 100],
  ["2D", 172_800_000],
  ["5m", 300_000],
  ["250micros", 0.25],
  [" 1s ", 1000],
  ["0", 0],
  ["-1", -1],
  ["10", undefined],
  ["-5s", undefined],
  ["s", undefined],
  ["", undefined],
  ["1 s", undefined],
])("the duration %o is %o ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [0, "0s"],
  [1500, "1.5s"],
  [60_000, "1m"],
  [90_000, "1.5m"],
  [86_400_000, "1d"],
  [999, "999ms"],
  [-1, "-1"],
])("%i ms print as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  ["512mb", 512 * 1024 ** 2],
  ["1.5kb", 1536],
  ["2K", 2048],
  ["3b", 3],
  ["1pb", 1024 ** 5],
  ["0", 0],
  ["-1", -1],
  ["12", undefined],
  ["-2mb", undefined],
  ["mb", undefined],
])("the byte size %o is %o bytes", (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each([
  [230, "230b"],
  [1024, "1kb"],
  [1536, "1.5kb"],
  [5 * 1024 ** 3, "5gb"],
  [0, "0b"],
])("%i bytes print as %s", (bytes, text) => {
  expect(formatByteSize(bytes)).toBe(text);
});

test.each([
  ["1kb", 1024],
  ["2G", 2 * 1024 ** 3],
  ["-1", -1],
  ["-1b", -1],
  ["0", 0],
  ["9223372036854775807b", 2 ** 63],
])("the setting %o is %o bytes", (text, bytes) => {
  expect(byteSizeOf("x", text)).toBe(bytes);
});

test.each([
  ["1.5mb", "Fractional bytes values have been deprecated"],
  ["5", "failed to parse setting [x] with value [5] as a size in bytes: unit is missing"],
  ["5zb", "Failed to parse value [5zb] for setting [x]"],
  ["x.5mb", "failed to parse [x.5mb]"],
  ["-5mb", "failed to parse setting [x] with value [-5mb] as a size in bytes"],
  ["9999999999gb", "failed to parse setting [x] with value [9999999999gb] as a size in bytes"],
])("the setting %o is refused: %s", (text, reason) => {
  expect(() => byteSizeOf("x", text)).toThrow(reason);
});
