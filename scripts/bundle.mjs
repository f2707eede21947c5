/**
 * Makes what users run: one file a program in place of hundreds of modules, because loading is most of what a start
 * takes. What is native stays outside.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const root = join(import.meta.dirname, "..");

/** Our own packages are taken from their sources. */
const sources = Object.fromEntries(
  readdirSync(join(root, "packages")).map((name) => [
    `@orrery/${name}`,
    join(root, "packages", name, "src/index.ts"),
  ]),
);

await build({
  cwd: root,
  input: {
    index: "packages/cli/src/index.ts",
    "node-process": "packages/cli/src/node-process.ts",
    "thread-entry": "packages/host-node/src/thread-entry.ts",
  },
  platform: "node",
  resolve: { alias: sources },
  external: ["better-sqlite3"],
  logLevel: "warn",
  output: {
    dir: "packages/cli/dist/bundle",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    cleanDir: true,
  },
});
