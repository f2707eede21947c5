/** The figures of this very process. */
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createLog, createProcessInfo, createRandomStreams } from "../src/index.ts";

test("the process is the one that asks", () => {
  const info = createProcessInfo("/data");

  expect(info.pid).toBe(process.pid);
  expect(info.runtime.version).toBe(process.versions.node);
  expect(info.os.availableProcessors).toBeGreaterThanOrEqual(1);
  expect(info.dataPath).toBe("/data");
});

test("every figure is a number that can be", () => {
  const stats = createProcessInfo("").stats();

  const { loadAverage, ...numbers } = stats;
  for (const [name, value] of [...Object.entries(numbers), ["load", loadAverage[0]] as const]) {
    expect(Number.isFinite(value), name).toBe(true);
    expect(value, name).toBeGreaterThanOrEqual(0);
  }
  expect(stats.heapUsedBytes).toBeLessThanOrEqual(stats.heapMaxBytes);
  expect(stats.residentBytes).toBeGreaterThan(stats.heapUsedBytes);
  expect(stats.cpuPercent).toBeLessThanOrEqual(100);
  expect(stats.openFileDescriptors).toBeLessThanOrEqual(stats.maxFileDescriptors);
});

test("the same purpose goes on with its stream, another one has its own", () => {
  const [once, again] = [createRandomStreams("s"), createRandomStreams("s")];

  const continued = [once("a").float(), once("a").float()];
  again("b").float();
  const alone = again("a");

  expect(continued).toEqual([alone.float(), alone.float()]);
});

test("a log line has time with its zone, level, node and message, and lower levels are left out", () => {
  const lines: string[] = [];
  const write = process.stderr.write;
  process.stderr.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
  const log = createLog("data-1", "info");

  log("debug", "not this");
  log("warn", "this one");
  process.stderr.write = write;

  expect(lines.map(stripVTControlCharacters)).toEqual([
    expect.stringMatching(/^\[\d{4}-\d\d-\d\dT[\d:]+,\d{3}Z\]\[WARN \]\[data-1\] this one\n$/),
  ]);
});
