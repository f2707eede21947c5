/** `npm start`: installs and builds what is missing, then `orrery up` with the given arguments. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

prepare();
// The time until the cluster is green is that of the command, without the installation.
process.env.ORRERY_STARTED_AT ??= String(performance.timeOrigin + performance.now());
const command = join(root, "packages/cli/bin/orrery.mjs");
process.argv = [process.argv[0], command, "up", ...process.argv.slice(2)];
await import(pathToFileURL(command).href);
