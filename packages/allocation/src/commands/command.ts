/** How a reroute command reports: an explanation for whoever asked for it, or a refusal as an error. */
import { describeNode, type DiscoveryNode } from "@orrery/cluster-state";
import { fail, problemOf, type JsonObject, type Problem } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Decisions, type Verdict } from "../decision.ts";
import { resolveNode } from "../resolve-node.ts";
import type { RoutingNode } from "../routing-nodes.ts";
import type { CommandsOptions, RerouteCommand } from "../types.ts";

export interface Command<Kind extends RerouteCommand["kind"]> {
  readonly parse: (fields: JsonObject) => Extract<RerouteCommand, { readonly kind: Kind }>;
  readonly parameters: (command: Extract<RerouteCommand, { readonly kind: Kind }>) => JsonObject;
  readonly execute: (
    allocation: Allocation,
    command: Extract<RerouteCommand, { readonly kind: Kind }>,
    options: CommandsOptions,
  ) => Decisions;
}

export function decisionsOf(verdict: Verdict): Decisions {
  return { type: verdict.type, verdicts: [verdict] };
}

/** The refusal as an explanation when one was asked for, else thrown. */
export function refuse(
  { explain }: CommandsOptions,
  label: string,
  explanation: string,
  problem: Problem,
): Decisions {
  if (!explain) fail(problem);
  return decisionsOf(no(label, () => explanation));
}

export function illegal(reason: string): Problem {
  return { type: "illegal_argument_exception", reason, status: 400 };
}

/** `[allocate_replica] …`, or the same without the name under `allocate_replica (allocation command)`. */
export function refuseAllocate(options: CommandsOptions, name: string, reason: string): Decisions {
  return refuse(options, `${name} (allocation command)`, reason, illegal(`[${name}] ${reason}`));
}

export function ignoresDeciders(name: string): Decisions {
  return decisionsOf(yes(`${name} (allocation command)`, () => "ignore deciders"));
}

/** The data node to allocate on; or why there is none. */
export function dataNode(
  allocation: Allocation,
  expression: string,
  name: string,
  options: CommandsOptions,
): RoutingNode | Decisions {
  let node: DiscoveryNode;
  try {
    node = resolveNode(allocation.state, expression);
  } catch (error) {
    const problem = problemOf(error);
    return refuse(options, `${name} (allocation command)`, problem.reason ?? "", problem);
  }
  const routingNode = allocation.routing.nodes.get(node.id);
  if (routingNode !== undefined) return routingNode;
  const reason = `allocation can only be done on data nodes, not [${describeNode(node)}]`;
  return refuseAllocate(options, name, reason);
}

export function isDecisions(value: object): value is Decisions {
  return "verdicts" in value;
}
