/** The report: everything a person asks first, in one file that fetches nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBundle, renderReport, type Bundle } from "../src/index.ts";
import { writeBundle } from "./runs.ts";

let folder: string;
let bundle: Bundle;
let html: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  writeBundle(join(folder, "run.bundle"));
  bundle = openBundle(join(folder, "run.bundle"));
  html = renderReport(bundle, "npx orrery run small.yaml --seed 7");
});
afterAll(() => {
  bundle.close();
  rmSync(folder, { recursive: true, force: true });
});

test("says what was found, and how to see it again", () => {
  expect(html).toContain('<span class="badge fail">fail</span>');
  expect(html).toContain("INV-COORD-2");
  expect(html).toContain("npx orrery run small.yaml --seed 7");
  expect(html).toContain("00112233445566ff");
});

test("escapes what the run brought", () => {
  expect(html).toContain("it is &lt;gone&gt;");
  expect(html).toContain("Used by &lt;tests&gt;.");
  expect(html).not.toContain("<gone>");
});

test("needs no other file", () => {
  expect(html).not.toMatch(/(src|href)=|@import|url\(/);
});

test("bands the fault in every drawing over time, and in the space-time diagram", () => {
  const drawings = html.split("<svg").slice(1);

  expect(drawings).toHaveLength(4);
  for (const drawing of drawings) expect(drawing).toContain('class="fault"');
});

test("draws each copy's row, each request's wait, and each message's arrow", () => {
  expect(html).toContain("[books][0] node-1");
  expect(html).toContain("c1 #1 PUT /books: 200 ok after 10.0 ms");
  expect(html.match(/class="arrow/g)).toHaveLength(3);
  expect(html.match(/class="arrow bad"/g)).toHaveLength(1);
});

test("ends its time axis soon after the last action, and says so", () => {
  expect(html).toContain("Drawn up to");
});
