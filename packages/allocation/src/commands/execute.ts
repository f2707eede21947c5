/**
 * Reroute commands of an operator (`AllocationCommands`). Throws `OperationError` for a command that cannot be
 * executed.
 */
import type { ClusterState } from "@orrery/cluster-state";
import { isJsonObject, lookup, OperationError, type Json, type JsonObject } from "@orrery/stdx";
import { createAllocation, type Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { printDeciders } from "../print-decision.ts";
import { place, resetFailedCounters, resultOf } from "../reroute.ts";
import type {
  AllocationInputs,
  CommandsOptions,
  CommandsResult,
  RerouteCommand,
} from "../types.ts";
import { allocateEmptyPrimary, allocateStalePrimary } from "./allocate-primary.ts";
import { allocateReplica } from "./allocate-replica.ts";
import { cancel } from "./cancel.ts";
import type { Command } from "./command.ts";
import { move } from "./move.ts";

const table: { readonly [Kind in RerouteCommand["kind"]]: Command<Kind> } = {
  move,
  cancel,
  allocate_replica: allocateReplica,
  allocate_stale_primary: allocateStalePrimary,
  allocate_empty_primary: allocateEmptyPrimary,
};

/** The `commands` of a reroute body. */
export function parseCommands(body: JsonObject): readonly RerouteCommand[] {
  const unknown = Object.keys(body).find((key) => key !== "commands");
  if (unknown !== undefined) {
    throw malformed("x_content_parse_exception", `[cluster_reroute] unknown field [${unknown}]`);
  }
  const list = body["commands"];
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    throw malformed("parse_exception", "commands should follow with an array element");
  }
  const entries: readonly Json[] = list;
  return entries.map(parseCommand);
}

function parseCommand(entry: Json): RerouteCommand {
  const [kind, ...others] = isJsonObject(entry) ? Object.keys(entry) : [];
  const fields = isJsonObject(entry) && kind !== undefined ? lookup(entry, kind) : undefined;
  if (kind === undefined || others.length > 0 || !isJsonObject(fields)) {
    throw malformed("parse_exception", "allocation command is malformed");
  }
  if (!isKind(kind)) {
    throw malformed("named_object_not_found_exception", `unknown field [${kind}]`);
  }
  return table[kind].parse(fields);
}

function isKind(kind: string): kind is RerouteCommand["kind"] {
  return Object.hasOwn(table, kind);
}

function malformed(type: string, reason: string): OperationError {
  return new OperationError({ type, reason, status: 400 });
}

/**
 * Executes all commands, then places as `reroute` does. For a dry run the caller uses the state and drops the delta.
 */
export function executeCommands(
  state: ClusterState,
  inputs: AllocationInputs,
  commands: readonly RerouteCommand[],
  options: CommandsOptions,
): CommandsResult {
  const allocation = createAllocation(state, inputs);
  if (options.retryFailed) resetFailedCounters(allocation);
  allocation.explains = true;
  allocation.ignoresDisable = true;
  const explanations = commands.map((command) => executeOne(allocation, command, options));
  allocation.explains = false;
  allocation.ignoresDisable = false;
  place(allocation);
  return { ...resultOf(allocation), explanations };
}

function executeOne<Kind extends RerouteCommand["kind"]>(
  allocation: Allocation,
  command: Extract<RerouteCommand, { readonly kind: Kind }>,
  options: CommandsOptions,
): JsonObject {
  const { execute, parameters } = table[command.kind];
  const decisions: Decisions = execute(allocation, command, options);
  return {
    command: command.kind,
    parameters: parameters(command),
    decisions: printDeciders(decisions, true),
  };
}
