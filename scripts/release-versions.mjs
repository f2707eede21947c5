/** Places of this repository that hold its version, and the notes of a version. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const manifest = /^(\s*"version": ")([^"]+)(")/m;

/** File and pattern of each place; the second group of the pattern is the version. */
export const places = [
  { file: "package.json", pattern: manifest },
  ...readdirSync(join(root, "packages")).map((name) => ({
    file: `packages/${name}/package.json`,
    pattern: manifest,
  })),
  { file: "packages/cli/src/version.ts", pattern: /(version = ")([^"]+)(")/ },
  { file: "integrations/pytest/pyproject.toml", pattern: /^(version = ")([^"]+)(")/m },
  {
    file: "integrations/junit5/pom.xml",
    pattern: /(<artifactId>orrery-junit5<\/artifactId>\s*<version>)([^<]+)(<)/,
  },
];

export const textOf = (file) => readFileSync(join(root, file), "utf8");

/** Version that a place holds; `undefined` if it holds none. */
export const versionAt = ({ file, pattern }) => pattern.exec(textOf(file))?.[2];

/** Notes of a version: its section of the changelog, without the title; `undefined` if there is none. */
export function notesOf(version, changelog = textOf("CHANGELOG.md")) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split("\n", 1)[0].trim() === version);
  return section?.slice(section.indexOf("\n")).trim();
}
