/** The course of scenarios/README.md: each command runs as it stands there, and prints the lines that stand below it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exists, read, root } from "./repository.ts";

interface Step {
  readonly title: string;
  /** Blocks of commands, each with the lines that its last one prints. */
  readonly blocks: readonly string[];
}

const page = read("scenarios/README.md");
const [, course = ""] = /## A course of twelve steps\n(.*?)\n## /s.exec(page) ?? [];
const steps = course
  .split(/^### /m)
  .slice(1)
  .map((text): Step => ({
    title: text.slice(0, text.indexOf("\n")),
    blocks: [...text.matchAll(/```console\n(.*?)```/gs)].map(([, block]) => block ?? ""),
  }));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-course-"));
  symlinkSync(join(root, "scenarios"), join(folder, "scenarios"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("has twelve steps, each run and changed, and a question for each", () => {
  const questions =
    read("scenarios/TEACHING.md").match(/^\*\*\d+\. .*\?\*\* \(`[\w/-]+`\)$/gm) ?? [];

  expect(steps.map(({ title }) => title.split(".")[0])).toEqual(
    Array.from({ length: 12 }, (_, i) => String(i + 1)),
  );
  expect(steps.map(({ blocks }) => blocks.length)).toEqual(steps.map(() => 2));
  expect(questions).toHaveLength(12);
  for (const [i, { blocks }] of steps.entries()) {
    const [, name = ""] = /\(`([\w/-]+)`\)/.exec(questions[i] ?? "") ?? [];
    expect(blocks[0]).toContain(`scenarios/${name}.yaml`);
    expect(exists(`scenarios/${name}.yaml`)).toBe(true);
  }
});

describe.each(steps)("$title", ({ blocks }) => {
  test.each(blocks.map((block, i) => [i === 0 ? "as it is" : "changed", block]))(
    "%s",
    (_, block) => {
      const lines = block.trimEnd().split("\n");
      const commands = lines.filter((line) => line.startsWith("$ "));
      const expected = lines.filter((line) => !line.startsWith("$ "));
      const printed = commands.map((line) => shell(line.slice(2))).join("");

      expect(missing(expected, printed), printed).toEqual([]);
    },
    120_000,
  );
});

function shell(command: string): string {
  const orrery = `"${process.execPath}" "${join(root, "packages/cli/bin/orrery.mjs")}"`;
  const { stdout } = spawnSync("bash", ["-c", command.replace(/^npx orrery/, orrery)], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout;
}

/** Expected lines that do not begin a printed line after those of the ones before; times and counts may differ. */
function missing(expected: readonly string[], printed: string): readonly string[] {
  const found = printed.split("\n").map(plain);
  let from = 0;
  return expected.filter((line) => {
    const at = found.findIndex((one, i) => i >= from && one.startsWith(plain(line)));
    if (at === -1) return true;
    from = at + 1;
    return false;
  });
}

function plain(line: string): string {
  return line
    .trim()
    .replaceAll(/\d+\.\d+ s/g, "# s")
    .replaceAll(/[\d,]+ (requests|events|writes)/g, "# $1");
}
