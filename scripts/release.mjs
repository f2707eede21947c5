/**
 * `npm run release -- [--dry-run] [VERSION]`: prepares and publishes a release. Without a version that of the repository.
 *
 * `--set VERSION` writes the version everywhere, for the commit of the release. The other form checks that every place has it and
 * that the changelog has its notes, packs the packages, and publishes them with provenance: npm signs where and from which commit a
 * package was built, which only a workflow with an identity can ask for (`.github/workflows/release.yml`). `--dry-run` publishes
 * nothing, and prints what it would run. Ends with a line of JSON.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./prepare.mjs";
import { notesOf, places, textOf, versionAt } from "./release-versions.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "dry-run": { type: "boolean", default: false },
    set: { type: "string" },
    out: { type: "string" },
  },
});
const isDry = values["dry-run"];
const current = versionAt(places[0]);
const version = values.set ?? positionals[0] ?? current;
if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version) || positionals.length > 1)
  refuse(`expected one version such as [0.2.0], not [${positionals.join(" ") || version}]`);

if (values.set !== undefined) setVersion();
else release();

function refuse(...problems) {
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exit(2);
}

/** Writes the version into every place, and into the lock file. */
function setVersion() {
  const changed = places.filter((place) => versionAt(place) !== version);
  for (const { file } of changed)
    console.log(`${isDry ? "would set" : "set"} ${version} in ${file}`);
  if (isDry) return;
  for (const { file, pattern } of changed)
    writeFileSync(join(root, file), textOf(file).replace(pattern, `$1${version}$3`));
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
    ...{ cwd: root, stdio: "inherit", shell: process.platform === "win32" },
  });
}

function release() {
  const notes = notesOf(version);
  const elsewhere = places.filter((place) => versionAt(place) !== version);
  const problems = [
    ...elsewhere.map((place) => `${place.file} says [${versionAt(place)}], not [${version}]`),
    ...(notes ? [] : [`CHANGELOG.md has no section [## ${version}]`]),
    ...(isDry || process.env.GITHUB_ACTIONS === "true"
      ? []
      : ["provenance needs the identity of a workflow: push the tag, or use [--dry-run]"]),
    ...(isDry || "repository" in JSON.parse(textOf("package.json"))
      ? []
      : [
          "package.json names no [repository], which provenance compares with that of the workflow",
        ]),
    ...(isDry || isClean() ? [] : ["there are changes that are not committed"]),
  ];
  if (problems.length > 0) refuse(...problems);
  const out = values.out ?? mkdtempSync(join(tmpdir(), "orrery-release-"));
  try {
    const packed = pack(out);
    writeFileSync(join(out, "NOTES.md"), `${notes}\n`);
    const tag = version.includes("-") ? "next" : "latest";
    for (const { file } of packed) {
      const args = ["publish", file, "--provenance", "--access", "public", "--tag", tag];
      if (isDry) console.log(`would run: npm ${args.join(" ")}`);
      else execFileSync("npm", args, { cwd: root, stdio: "inherit" });
    }
    const packages = packed.map(({ name, packed_bytes }) => ({ name, packed_bytes }));
    console.log(
      JSON.stringify({
        event: isDry ? "dry-run" : "published",
        version,
        notes: notes.length,
        packages,
      }),
    );
  } finally {
    if (values.out === undefined) rmSync(out, { recursive: true, force: true });
  }
}

function isClean() {
  return execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) === "";
}

function pack(out) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, "scripts/pack.mjs"), out], {
    ...{ cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  });
  if (status !== 0) refuse("the packages could not be made");
  const packed = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  for (const { name, packed_bytes } of packed)
    console.log(`${name} ${version}: ${packed_bytes} bytes`);
  return packed;
}
