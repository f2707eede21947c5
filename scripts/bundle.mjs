/**
 * `npm run bundle`: makes what users run, in `dist/bundle` of the packages. `--cli`: of the command alone, which takes no package
 * for development.
 */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle } from "./bundling.mjs";
import { root } from "./prepare.mjs";

await renew("packages/cli", {
  index: "src/index.ts",
  "node-process": "src/node-process.ts",
  "shared-node-process": "src/shared-node-process.ts",
  "faulty-node-process": "src/faulty-node-process.ts",
  "faulty-thread": "src/faulty-thread.ts",
  "sweep-job": "src/sweep/job.ts",
  "explore-job": "src/explore/job.ts",
  "thread-entry": "src/thread-entry.ts",
});
if (!process.argv.includes("--cli")) {
  await renewHelper("packages/testing", {
    index: "src/index.ts",
    matchers: "src/matchers.ts",
    jest: "src/jest.ts",
  });
  await renewHelper("packages/vitest", { index: "src/index.ts", matchers: "src/matchers.ts" });
}

async function renew(folder, entries) {
  const fresh = freshFolder(folder);
  await bundle(folder, { entries, dir: fresh });
  if (folder === "packages/cli")
    for (const schema of [
      "packages/scenario/schema/scenario.schema.json",
      "packages/cli/schema/orrery.schema.json",
    ])
      copyFileSync(join(root, schema), join(fresh, basename(schema)));
  swap(folder, fresh);
}

/**
 * A test helper, with its declarations for editors. Test runners take a program below `node_modules` as it is; any other they would
 * transform for each run, 5 MB of it.
 */
async function renewHelper(folder, entries) {
  const fresh = freshFolder(folder);
  await bundle(folder, { entries, dir: join(fresh, "node_modules"), extension: "mjs" });
  for (const entry of Object.keys(entries))
    writeFileSync(join(fresh, `${entry}.js`), `export * from "./node_modules/${entry}.mjs";\n`);
  const { flattenDeclarations } = await import("./declarations.mjs");
  await flattenDeclarations(folder, { entries, dir: fresh });
  swap(folder, fresh);
}

function freshFolder(folder) {
  return join(root, folder, `dist/bundle-${process.pid}`);
}

/** Replaces the bundle of a package. */
function swap(folder, fresh) {
  const target = join(root, folder, "dist/bundle");
  // A cluster that starts at this moment finds the old bundle or the new one, never half of each.
  rmSync(`${target}-old`, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, `${target}-old`);
  renameSync(fresh, target);
  rmSync(`${target}-old`, { recursive: true, force: true });
}
