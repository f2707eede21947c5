/**
 * `npm run coverage`: branches of the pure packages that tests of this repository take; arguments go to vitest. Tests that read
 * `../shared` and those that compare hashes of whole runs are left out.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";
import { readersOfShared } from "./shared-folder.mjs";

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
