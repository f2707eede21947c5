/** The report: everything a person asks first, in one file that fetches nothing. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBundle, openBundle, renderReport, type Bundle } from "../src/index.ts";
import { identity, outcome, state, writeBundle } from "./runs.ts";

const words = {
  replay: "npx orrery run small.yaml --seed 7",
  faultSays: (kind: string) => (kind === "crash" ? "Cuts the power of nodes." : ""),
  checkerSays: (name: string) => (name === "test" ? "Every <copy> is there." : ""),
};

let folder: string;
let bundle: Bundle;
let html: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  writeBundle(join(folder, "run.bundle"));
  bundle = openBundle(join(folder, "run.bundle"));
  html = renderReport(bundle, words);
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

test("says what the invariant means, and how the finding came about", () => {
  expect(html).toContain("The invariant: Every &lt;copy&gt; is there.");
  const links = [...html.matchAll(/<li class="(\w+)">.*?<\/i> (.*?)<\/span>/g)];

  expect(links.map(([, kind, says]) => `${kind}: ${says}`)).toEqual([
    "fault: node-2 lost power (fault crash) at 0.50 s",
    "loss: test found at 0.90 s: it is &lt;gone&gt;",
  ]);
});

test("tells the moments, and the last events that touch what was violated", () => {
  expect(html).toMatch(/data-at="500">0.50 s<\/button><span>node-2 loses power</);
  const [, table = ""] = html.split("The last 13 events that touch what was violated");

  expect(table).toContain("goes down");
  expect(table).toContain("node-1 → node-2 indices:data/write/bulk[s][r] request lost");
  expect(table.split("</table>")[0]).not.toContain("c1 asks");
});

test("offers filters by node and shard, and runs its own script alone", () => {
  expect(html).toMatch(/<select id="by-node">.*<option>node-2<\/option>/);
  expect(html).toMatch(/<select id="by-shard">.*<option>books\/0<\/option>/);
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const digest = createHash("sha256").update(script).digest("base64");

  expect(html).toContain(`script-src 'sha256-${digest}'"`);
  expect(html.match(/<script/g)).toHaveLength(1);
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

test("says of whom a fault is, and what it does", () => {
  expect(html).toContain('>node-2<br><span class="soft">Cuts the power of nodes.</span></td>');
});

test("names no cluster when there is only one", () => {
  expect(html).not.toContain('class="cluster"');
});

test("draws nodes and copies of several clusters below the name of each", () => {
  const file = join(folder, "two.bundle");
  const writer = createBundle(file, identity);
  for (const node of ["b-1", "a-1", "b-2", "a-2", "stray-1"])
    writer.event({ at_ms: 1, node, kind: "node-started" });
  for (const cluster of ["b", "a"]) {
    const nodes = [`${cluster}-1`, `${cluster}-2`];
    const shards = state.shards.map((copy) => ({ ...copy, node: nodes[1] }));
    writer.state(99, { ...state, cluster, nodes, shards });
  }
  writer.finish(outcome);
  const two = openBundle(file);
  const [, timeline = "", spaceTime = "", shards = ""] = renderReport(two, words).split("<svg");
  two.close();
  /** From top to bottom, and from left to right. */
  const labels = (drawing: string): unknown =>
    [...drawing.matchAll(/class="(?:lane|cluster)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)]
      .map(([, x, y, text]) => ({ x: Number(x), y: Number(y), text }))
      .toSorted((one, other) => one.y - other.y || one.x - other.x)
      .map(({ text }) => text);

  expect(labels(timeline)).toEqual([
    ...["b", "b-1", "b-2", "a", "a-1", "a-2", "in no cluster", "stray-1", "clients"],
  ]);
  expect(labels(spaceTime)).toEqual([
    ...["b", "a", "in no cluster", "b-1", "b-2", "a-1", "a-2", "stray-1"],
  ]);
  expect(labels(shards)).toEqual(["b", "[books][0] b-2", "a", "[books][0] a-2"]);
});

test("ends its time axis soon after the last action, and says so", () => {
  expect(html).toContain("Drawn up to");
});
