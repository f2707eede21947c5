/** The release: one version everywhere, with notes, and nothing published by hand. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./repository.ts";

interface Place {
  readonly file: string;
  readonly pattern: RegExp;
}

interface Versions {
  readonly places: readonly Place[];
  readonly versionAt: (place: Place) => string | undefined;
  readonly notesOf: (version: string, changelog?: string) => string | undefined;
}

const { places, versionAt, notesOf } = (await import(
  join(root, "scripts/release-versions.mjs")
)) as Versions;

const version = (): string => versionAt(places[0] as Place) ?? "";

test.each(places)("$file holds the version of the repository", (place) => {
  expect(versionAt(place)).toBe(version());
});

test("the changelog has notes of the version, which end where the next section begins", () => {
  const changelog =
    "# Changelog\n\n## 0.3.0\n\nThird.\n\n### Part\n\n- one\n\n## 0.2.0\n\nSecond.\n";

  expect(notesOf(version())).toMatch(/\S/);
  expect(notesOf("0.3.0", changelog)).toBe("Third.\n\n### Part\n\n- one");
  expect(notesOf("0.2.0", changelog)).toBe("Second.");
  expect(notesOf("0.2", changelog)).toBeUndefined();
});

describe("the command refuses", () => {
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "scripts/release.mjs"), ...args], {
      encoding: "utf8",
      env: { ...process.env, GITHUB_ACTIONS: "" },
    });

  test("a version that no place holds, and that has no notes", () => {
    const { status, stderr } = release("--dry-run", "99.0.0");

    expect(status).toBe(2);
    expect(stderr).toContain("release: packages/cli/package.json says [");
    expect(stderr).toContain("release: CHANGELOG.md has no section [## 99.0.0]");
  });

  test("what is no version", () => {
    expect(release("--dry-run", "next").stderr).toContain("expected one version such as [0.2.0]");
  });

  test("to publish from a machine of somebody's", () => {
    const { status, stderr } = release();

    expect(status).toBe(2);
    expect(stderr).toContain("provenance needs the identity of a workflow");
  });
});
