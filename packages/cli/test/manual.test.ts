/** Manual pages: a formatter accepts them, and they are as the help texts are. */
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { manualPages } from "../src/manual.ts";

const folder = join(import.meta.dirname, "../man");

test("the published pages are what the table of commands says", () => {
  const published = readdirSync(folder).map((file): [string, string] => [
    file,
    readFileSync(join(folder, file), "utf8"),
  ]);

  expect(new Map(published)).toEqual(manualPages());
});

const hasFormatter = spawnSync("groff", ["--version"]).status === 0;

test.skipIf(!hasFormatter).each([...manualPages()])(
  "%s is formatted without a warning",
  (_, page) => {
    const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-P-cbou"], {
      input: page,
      encoding: "utf8",
    });

    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^NAME\n +orrery/m);
  },
);

test("a page has usage, options and examples of its command", () => {
  const page = manualPages().get("orrery-up.1") ?? "";

  expect(page).toContain(".B orrery up [options]");
  expect(page).toMatch(/^\.B \\-\\-http\\-port P$/m);
  expect(page).toMatch(/^orrery up \\-\\-nodes 5 /m);
});
