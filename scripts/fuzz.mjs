/** `npm run fuzz`: installs and builds what is missing, then runs the fuzzer from its sources with the given arguments. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { newerNode, prepare, root } from "./prepare.mjs";

prepare();
const program = `
  const { main } = await import(${JSON.stringify(join(root, "packages/fuzz/src/index.ts"))});
  process.exitCode = await main(process.argv.slice(1));`;
const { status } = spawnSync(
  newerNode(),
  ["--conditions=source", "--input-type=module", "-e", program, "--", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" },
);
process.exit(status ?? 1);
