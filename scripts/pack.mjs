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
const { optionalDependencies, version, license, repository } = manifestOf(".");

/** Members that all published packages have. */
const shared = { version, license, repository, type: "module", engines: { node: ">=20" } };

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
  helper({
    name: "@orrery/testing",
    description:
      "A search cluster of its own for each test, in virtual time, with real URLs; for any test runner",
    folder: "packages/testing",
    entries: { index: "src/index.ts", matchers: "src/matchers.ts", jest: "src/jest.ts" },
  }),
  helper({
    name: "@orrery/vitest",
    description:
      "A search cluster of its own for each test under vitest, in virtual time, with real URLs and matchers",
    folder: "packages/vitest",
    entries: { index: "src/index.ts", matchers: "src/matchers.ts" },
    // vitest is no CommonJS module, so what imports it is none either.
    esmOnly: ["matchers"],
    more: {
      peerDependencies: { vitest: ">=3" },
      peerDependenciesMeta: { vitest: { optional: true } },
    },
  }),
];

/**
 * A test helper, with declarations for ES modules and for CommonJS. The program is CommonJS, and its ES modules export what that
 * exports: a suite that loads both has one pool of clusters, and the package has the program once.
 */
function helper({ entries, esmOnly = [], more = {}, ...row }) {
  const common = Object.keys(entries).filter((entry) => !esmOnly.includes(entry));
  const exported = Object.keys(entries).map((entry) => {
    const both = {
      import: { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
      require: { types: `./dist/${entry}.d.cts`, default: `./dist/${entry}.cjs` },
    };
    const path = entry === "index" ? "." : `./${entry}`;
    return [path, esmOnly.includes(entry) ? { import: both.import } : both];
  });
  return {
    ...row,
    esmOnly,
    manifest: () => ({
      files: ["dist"],
      exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
      ...more,
    }),
    fill: async (stage) => {
      const { bundle } = await import("./bundling.mjs");
      const { flattenDeclarations } = await import("./declarations.mjs");
      const dir = join(stage, "dist");
      const some = (names) => Object.fromEntries(names.map((name) => [name, entries[name]]));
      await bundle(row.folder, {
        entries: some(common),
        dir,
        format: "cjs",
        extension: "cjs",
      });
      if (esmOnly.length > 0) await bundle(row.folder, { entries: some(esmOnly), dir });
      await flattenDeclarations(row.folder, { entries, dir });
      for (const entry of common) {
        copyFileSync(join(dir, `${entry}.d.ts`), join(dir, `${entry}.d.cts`));
        writeFileSync(join(dir, `${entry}.js`), moduleAround(dir, entry));
      }
    },
  };
}

/** Text of the ES module that exports what the CommonJS module of an entry exports. */
function moduleAround(dir, entry) {
  const text = readFileSync(join(dir, `${entry}.cjs`), "utf8");
  const names = [...text.matchAll(/^exports\.(\w+) = /gm)].map(([, name]) => name);
  if (names.length === 0) return `import "./${entry}.cjs";\n`;
  return `import program from "./${entry}.cjs";\nexport const { ${names.join(", ")} } = program;\n`;
}

const [given, ...rest] = process.argv.slice(2);
if (given === undefined || rest.length > 0) {
  console.error("expected [npm run pack -- DIR], the folder of the tarballs");
  process.exit(2);
}
const target = resolve(given);
mkdirSync(target, { recursive: true });
for (const row of rows) await pack(row);

async function pack({ name, description, folder, manifest, fill, esmOnly = [] }) {
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
    check(file, esmOnly);
    console.log(JSON.stringify({ name, file, packed_bytes: statSync(file).size }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Ends the program where a checker of published packages finds a problem. */
function check(file, esmOnly) {
  const types = ["attw", file, "--format", "ascii", "--no-emoji"];
  const programs = [
    ["publint", "run", file, "--strict"],
    [
      ...types,
      "--profile",
      "node16",
      ...(esmOnly.length > 0 ? ["--exclude-entrypoints", ...esmOnly] : []),
    ],
    ...(esmOnly.length > 0
      ? [[...types, "--profile", "esm-only", "--entrypoints", ...esmOnly]]
      : []),
  ];
  for (const [program, ...args] of programs) {
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
