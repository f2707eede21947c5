/**
 * The interface of reroute commands, and their refusals: an explanation if the request asks for explanations, else an
 * error (`AllocationCommand`).
 */
import { describeNode, type DiscoveryNode } from "@orrery/cluster-state";
import { fail, problemOf, type JsonObject, type Problem } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { no, yes, type Decisions, type Verdict } from "../decision.ts";
import { resolveNode } from "../resolve-node.ts";
import type { RoutingNode } from "../routing-nodes.ts";
import type { CommandsOptions, RerouteCommand } from "../types.ts";

/** A kind of reroute command: `parse` reads its fields, `parameters` prints them, `execute` applies it to the round. */
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

/** Returns the refusal of a command as an explanation if the request asks for explanations, else throws its problem. */
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

/** A refusal of an allocate command, with the command's name as the product prints it in errors and in labels. */
export function refuseAllocate(options: CommandsOptions, name: string, reason: string): Decisions {
  return refuse(options, `${name} (allocation command)`, reason, illegal(`[${name}] ${reason}`));
}

export function ignoresDeciders(name: string): Decisions {
  return decisionsOf(yes(`${name} (allocation command)`, () => "ignore deciders"));
}

/** The data node that an allocate command names, or the refusal of the command (`refuse`). */
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
