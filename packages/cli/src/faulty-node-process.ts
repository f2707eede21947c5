/** The process of one node whose ports are decorated: started as the plain one, and told which names are where and what is wrong. */
import type { FaultyStart } from "./node-messages.ts";
import { surroundWithFaults } from "./faulty-node.ts";
import { runNode } from "./node-program.ts";

const args = process.argv.slice(2);
await runNode(args, (plan) =>
  surroundWithFaults(plan.name, JSON.parse(args[3] ?? "{}") as FaultyStart),
);
