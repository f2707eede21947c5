/** Whether the tests of a mutant's package find it: they run on the sources, with the mutant's text in place of one. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newerNode, root } from "../prepare.mjs";

/** Tests that take longer hang. */
const PATIENCE_MS = 600_000;

/** Ends at the first test that fails. */
export function testWith(texts, file, folder) {
  const replaced = join(folder, "texts.json");
  writeFileSync(replaced, JSON.stringify([...texts]));
  const args = [
    ...[join(root, "node_modules/vitest/vitest.mjs"), "run", `packages/${file.split("/")[1]}/test`],
    ...["--config", join(import.meta.dirname, "vitest.config.mjs"), "--root", root, "--bail", "1"],
  ];
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(newerNode(), args, {
      ...{ cwd: root, stdio: "ignore", env: { ...process.env, ORRERY_MUTANT: replaced } },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.on("close", (code) => {
      clearTimeout(timer);
      const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
      resolve({ found: code !== 0, seconds });
    });
  });
}
