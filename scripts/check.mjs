/**
 * `npm run check`: all checks of a working copy, one after the other. A check whose files have not changed since it passed is not
 * run again (`turbo.json`). Arguments go to turbo: `--force` runs all.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { install, root } from "./prepare.mjs";

install();
const checks = ["format:check", "lint", "typecheck", "knip", "generated", "test"];
const { status } = spawnSync(
  join(root, "node_modules/.bin/turbo"),
  [
    "run",
    ...checks,
    "--concurrency=1",
    "--ui=stream",
    "--output-logs=new-only",
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  },
);
process.exit(status ?? 1);
