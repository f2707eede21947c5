/** `npm test`: installs and builds what is missing, then runs the tests; arguments go to vitest. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";

prepare();
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(newerNode(), [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(status ?? 1);
