/**
 * Process of a node with decorated ports: started as the plain one, with the names of all addresses and the active
 * rules as further input.
 */
import type { FaultyStart } from "./node-messages.ts";
import { decorateWithFaults } from "./faulty-node.ts";
import { runNode } from "./node-program.ts";

const args = process.argv.slice(2);
await runNode(args, (plan) =>
  decorateWithFaults(plan.name, JSON.parse(args[3] ?? "{}") as FaultyStart),
);
