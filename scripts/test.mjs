/**
 * `npm test`: installs and builds what is missing, then runs the tests; arguments go to vitest. It says what was not judged
 * where the folder `../shared` is absent.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";
import { notJudged } from "./shared-folder.mjs";

prepare();
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status } = spawnSync(newerNode(), [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
const absent = notJudged();
if (absent !== undefined) console.log(absent);
process.exit(status ?? 1);
