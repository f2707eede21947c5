/**
 * Makes what users run: one file a program in place of hundreds of modules, because loading is most of what a start
 * takes. What is native stays outside.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const root = join(import.meta.dirname, "..");

/** Our own packages are taken from their sources: each entry point of each package, under the name that it is imported by. */
const sources = Object.fromEntries(
  readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name);
    const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return Object.entries(exports)
      .filter(([, { source }]) => source !== undefined)
      .map(([entry, { source }]) => [`@orrery/${name}${entry.slice(1)}$`, join(folder, source)]);
  }),
);

await bundle("packages/cli", {
  index: "src/index.ts",
  "node-process": "src/node-process.ts",
  "faulty-node-process": "src/faulty-node-process.ts",
  "faulty-thread": "src/faulty-thread.ts",
  "sweep-job": "src/sweep/job.ts",
  "explore-job": "src/explore/job.ts",
  "thread-entry": "src/thread-entry.ts",
});
// Test runners load modules one by one, and some of them take each apart first.
await bundle("packages/vitest", { index: "src/index.ts" });

/** Into `dist/bundle` of the folder: one file for each entry. */
async function bundle(folder, entries) {
  const target = join(root, folder, "dist/bundle");
  const fresh = `${target}-${process.pid}`;
  await build({
    cwd: join(root, folder),
    input: entries,
    platform: "node",
    resolve: { alias: sources },
    external: ["better-sqlite3"],
    // The integers of protobuf would compile a module of WebAssembly at each start, for divisions that nothing here makes.
    transform: { define: { WebAssembly: "undefined" } },
    logLevel: "warn",
    output: {
      dir: fresh,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
    },
  });
  // A cluster that starts at this moment finds the old bundle or the new one, never half of each.
  rmSync(`${target}-old`, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, `${target}-old`);
  renameSync(fresh, target);
  rmSync(`${target}-old`, { recursive: true, force: true });
}
