/** Process of several nodes, started by `orrery up --processes` with the data folder, the size of the cluster and their plans. */
import { join } from "node:path";
import type { NodePlan } from "./cluster-plan.ts";
import { report, startReported, untilStopped } from "./node-program.ts";

const [data = "", nodes = "1", given = "[]"] = process.argv.slice(2);
const onServed = untilStopped();
await Promise.all(
  (JSON.parse(given) as readonly NodePlan[]).map((plan) =>
    startReported({
      plan,
      folder: join(data, plan.name),
      nodes: Number(nodes),
      decorate: () => ({}),
      tell: (message) => report({ node: plan.name, report: message }),
      onServed,
    }),
  ),
);
