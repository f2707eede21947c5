/**
 * `npm run coverage`: branches of the pure packages that tests of this repository take; arguments go to vitest. Tests that read
 * `../shared` and those that compare hashes of whole runs are left out.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";

const SHARED = "../../shared";

/** Test files that read the folder beside the repository, by themselves or by a helper next to them. */
function readersOfShared() {
  const files = ["packages", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith(".ts") && /(^|\/)test\//.test(file)),
  );
  const texts = new Map(
    files
      .filter((file) => !file.includes("node_modules"))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  const direct = new Set([...texts].filter(([, text]) => text.includes(SHARED)).map(([f]) => f));
  const imports = (file, text) =>
    [...text.matchAll(/from "(\.[^"]+)"/g)].some(([, to]) => direct.has(join(dirname(file), to)));
  return [...texts]
    .filter(([file, text]) => direct.has(file) || imports(file, text))
    .map(([file]) => file)
    .filter((file) => file.endsWith(".test.ts"));
}

prepare();
// Reads YAML with a dependency, which is installed only now.
const { rings } = await import("./architecture/rings.mjs");
const { packages } = rings.find(({ ring }) => ring === "pure");
const left = [...readersOfShared(), "test/determinism.test.ts"];
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(
  newerNode(),
  [
    ...[vitest, "run", "--coverage"],
    ...Object.keys(packages).map((name) => `--coverage.include=packages/${name}/src/**/*.ts`),
    ...left.flatMap((file) => ["--exclude", file]),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit" },
);
process.exit(status ?? 1);
