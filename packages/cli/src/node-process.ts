/** Process of one node, started by `orrery up` with its folder, the size of the cluster and its plan. */
import { runNode } from "./node-program.ts";

await runNode(process.argv.slice(2), () => ({}));
