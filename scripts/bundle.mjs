/** `npm run bundle`: makes what users run, in `dist/bundle` of the packages. */
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle } from "./bundling.mjs";
import { flattenDeclarations } from "./declarations.mjs";
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
// Test runners load modules one by one, and some of them transform each: few files, with their declarations for editors.
const typed = { isTyped: true };
await renew(
  "packages/testing",
  { index: "src/index.ts", matchers: "src/matchers.ts", jest: "src/jest.ts" },
  typed,
);
await renew("packages/vitest", { index: "src/index.ts", matchers: "src/matchers.ts" }, typed);

async function renew(folder, entries, { isTyped = false } = {}) {
  const target = join(root, folder, "dist/bundle");
  const fresh = `${target}-${process.pid}`;
  await bundle(folder, { entries, dir: fresh });
  if (folder === "packages/cli")
    for (const schema of [
      "packages/scenario/schema/scenario.schema.json",
      "packages/cli/schema/orrery.schema.json",
    ])
      copyFileSync(join(root, schema), join(fresh, basename(schema)));
  if (isTyped) await flattenDeclarations(folder, { entries, dir: fresh });
  // A cluster that starts at this moment finds the old bundle or the new one, never half of each.
  rmSync(`${target}-old`, { recursive: true, force: true });
  if (existsSync(target)) renameSync(target, `${target}-old`);
  renameSync(fresh, target);
  rmSync(`${target}-old`, { recursive: true, force: true });
}
