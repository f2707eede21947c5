/** The commands of a reroute body, checked in the product's words. */
import {
  isJsonObject,
  OperationError,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { Path } from "../../json/locate.ts";

interface CommandShape {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const COMMANDS: Readonly<Record<string, CommandShape>> = {
  allocate_empty_primary: { required: ["index", "shard", "node"], optional: ["accept_data_loss"] },
  allocate_stale_primary: { required: ["index", "shard", "node"], optional: ["accept_data_loss"] },
  allocate_replica: { required: ["index", "shard", "node"], optional: [] },
  cancel: { required: ["index", "shard", "node"], optional: ["allow_primary"] },
  move: { required: ["index", "shard", "from_node", "to_node"], optional: [] },
};

export interface RerouteBody {
  readonly commands: readonly JsonObject[];
  readonly dryRun: boolean | undefined;
}

export function rerouteBody(content: Content | undefined): RerouteBody {
  if (content === undefined) return { commands: [], dryRun: undefined };
  const body = content.object();
  for (const key of Object.keys(body)) {
    if (key === "commands" || key === "dry_run") continue;
    throw parseProblem(`${content.at([key], "key")} [cluster_reroute] unknown field [${key}]`);
  }
  const list = body["commands"] ?? [];
  const commands = (Array.isArray(list) ? list : []) as readonly Json[];
  commands.forEach((command, i) => checkCommand(content, command, ["commands", i]));
  return {
    commands: commands.filter(isJsonObject),
    dryRun: body["dry_run"] === undefined ? undefined : body["dry_run"] === true,
  };
}

function checkCommand(content: Content, command: Json, path: Path): void {
  if (!isJsonObject(command)) {
    const causedBy = {
      type: "parse_exception",
      reason: `allocation command is malformed, got [${tokenOf(command)}]`,
      status: 400,
    };
    throw inCommands(content.at(path, "value"), causedBy);
  }
  for (const [name, parameters] of Object.entries(command)) {
    const shape = COMMANDS[name];
    const inner = [...path, name];
    if (shape === undefined) {
      const at = content.at(inner, "value");
      throw inCommands(at, {
        type: "named_object_not_found_exception",
        reason: `${at} unknown field [${name}]`,
        status: 400,
      });
    }
    checkParameters(
      content,
      { name, shape, parameters: isJsonObject(parameters) ? parameters : {} },
      inner,
    );
  }
}

function checkParameters(
  content: Content,
  {
    name,
    shape,
    parameters,
  }: { readonly name: string; readonly shape: CommandShape; readonly parameters: JsonObject },
  path: Path,
): void {
  for (const key of Object.keys(parameters)) {
    if (shape.required.includes(key) || shape.optional.includes(key)) continue;
    const reason = `${content.at([...path, key], "key")} [${name}] unknown field [${key}]`;
    throw inCommands(content.at([...path, key], "value"), {
      type: "x_content_parse_exception",
      reason,
      status: 400,
    });
  }
  const missing = shape.required.find(
    (key) => parameters[key] === undefined || parameters[key] === null,
  );
  if (missing === undefined) return;
  const reason = `[${name}] command missing the ${missing} parameter`;
  throw inCommands(content.at(path, "end"), { type: "parse_exception", reason, status: 400 });
}

function inCommands(at: string, causedBy: Problem): OperationError {
  return parseProblem(`${at} [cluster_reroute] failed to parse field [commands]`, causedBy);
}

function parseProblem(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "x_content_parse_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}
