/**
 * `npm run pack -- DIR`: writes the packages that users install as tarballs into a folder. Each has all it needs but native
 * parts, and is checked as npm and TypeScript will read it. Prints a line of JSON for each: `{"name","file","packed_bytes"}`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";

prepare();

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
const { optionalDependencies, version, license } = manifestOf(".");

/** Members that all published packages have. */
const shared = { version, license, type: "module", engines: { node: ">=20" } };

/** The published packages: where each comes from, what its manifest adds, and how its folder is filled. */
const rows = [
  {
    name: "@orrery/cli",
    description:
      "OpenSearch-compatible search clusters: as processes, in one process, and in a deterministic simulation",
    folder: "packages/cli",
    manifest: () => ({
      bin: { orrery: "bin/orrery.mjs" },
      files: ["bin", "dist", "man"],
      man: readdirSync(join(root, "packages/cli/man")).map((file) => `./man/${file}`),
      exports: { "./package.json": "./package.json" },
      dependencies: {
        "better-sqlite3": manifestOf("packages/cli").devDependencies["better-sqlite3"],
      },
      // The native parts need Node 22. An older one starts the Node of these packages.
      optionalDependencies,
    }),
    fill: (stage) => {
      for (const part of ["bin", "dist/bundle", "man"])
        cpSync(join(root, "packages/cli", part), join(stage, part), { recursive: true });
    },
  },
  {
    name: "@orrery/vitest",
    description:
      "A search cluster of its own for each test, in virtual time, with real URLs; for vitest, jest and node:test",
    folder: "packages/vitest",
    manifest: () => ({
      files: ["dist"],
      exports: {
        ".": {
          import: { types: "./dist/index.d.ts", default: "./dist/index.js" },
          require: { types: "./dist/index.d.cts", default: "./dist/index.cjs" },
        },
        "./package.json": "./package.json",
      },
    }),
    fill: async (stage) => {
      const { bundle } = await import("./bundling.mjs");
      const { flattenDeclarations } = await import("./declarations.mjs");
      const dir = join(stage, "dist");
      const entries = { index: "src/index.ts" };
      await bundle("packages/vitest", { entries, dir });
      await bundle("packages/vitest", { entries, dir, format: "cjs", extension: "cjs" });
      await flattenDeclarations("packages/vitest", dir);
      copyFileSync(join(dir, "index.d.ts"), join(dir, "index.d.cts"));
    },
  },
];

const [given, ...rest] = process.argv.slice(2);
if (given === undefined || rest.length > 0) {
  console.error("expected [npm run pack -- DIR], the folder of the tarballs");
  process.exit(2);
}
const target = resolve(given);
mkdirSync(target, { recursive: true });
// Declarations come from the compiler, which the bundle does without.
execFileSync(
  newerNode(),
  [join(root, "node_modules/typescript/bin/tsc"), "-b", "tsconfig.build.json"],
  { cwd: root, stdio: ["ignore", 2, 2] },
);
for (const row of rows) await pack(row);

async function pack({ name, description, folder, manifest, fill }) {
  const stage = mkdtempSync(join(tmpdir(), "orrery-pack-"));
  try {
    const own = { name, description, ...shared, ...manifest() };
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(own, undefined, 2)}\n`);
    copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    copyFileSync(join(root, folder, "PUBLISHED.md"), join(stage, "README.md"));
    await fill(stage);
    const told = execFileSync(
      "npm",
      ["pack", stage, "--pack-destination", target, "--json", "--ignore-scripts"],
      { encoding: "utf8" },
    );
    const [{ filename }] = JSON.parse(told);
    const file = join(target, basename(filename));
    check(file);
    console.log(JSON.stringify({ name, file, packed_bytes: statSync(file).size }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Ends the program where a checker of published packages finds a problem. */
function check(file) {
  for (const [program, ...args] of [
    ["publint", "run", file, "--strict"],
    ["attw", file, "--profile", "node16", "--format", "ascii", "--no-emoji"],
  ]) {
    const { status, stdout, stderr } = spawnSync(
      newerNode(),
      [join(root, "node_modules/.bin", program), ...args],
      { encoding: "utf8" },
    );
    if (status === 0) continue;
    console.error(`${program} finds problems in ${file}:\n${stdout}${stderr}`);
    process.exit(1);
  }
}
