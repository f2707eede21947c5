/** Parser of a reroute body: in order, token by token, with the product's error at the first fault. */
import {
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import type { Path } from "../../json/locate.ts";
import { readFields, readOptions, type CommandShape } from "./command-fields.ts";
import { booleanAt, contentProblem, unknownField, unsupported } from "./values.ts";

const allocatePrimary: CommandShape = {
  read: readOptions,
  required: ["index", "shard", "node"],
  flags: ["accept_data_loss"],
};

const COMMANDS: Readonly<Record<string, CommandShape>> = {
  allocate_empty_primary: allocatePrimary,
  allocate_stale_primary: allocatePrimary,
  allocate_replica: { read: readOptions, required: ["index", "shard", "node"], flags: [] },
  cancel: {
    read: readFields,
    required: ["index", "shard", "node"],
    flags: ["allow_primary", "allowPrimary"],
  },
  move: { read: readFields, required: ["index", "shard", "from_node", "to_node"], flags: [] },
};

const PARSER = "cluster_reroute";

/** The parsed body of a reroute: its commands in order, and its member `dry_run`; `undefined`: the body has none. */
export interface RerouteBody {
  readonly commands: readonly JsonObject[];
  readonly dryRun: boolean | undefined;
}

/** Maximum of commands in one request: the elected cluster manager executes them in one turn, in which it sends no heartbeats. */
const MOST_COMMANDS = 1000;

/** Parses the body; without one there are no commands. */
export function rerouteBody(content: Content | undefined): RerouteBody {
  if (content === undefined) return { commands: [], dryRun: undefined };
  const body = content.json();
  if (!isJsonObject(body)) {
    const what = `Expected START_OBJECT but was: ${tokenOf(body)}`;
    throw new OperationError(contentProblem(`${content.at([], "value")} [${PARSER}] ${what}`));
  }
  let commands: readonly JsonObject[] = [];
  let dryRun: boolean | undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key === "commands") commands = readCommands(content, value ?? null);
    else if (key === "dry_run") dryRun = booleanAt({ content, path: [key], parser: PARSER }, value);
    else {
      const place = { content, path: [key], parser: PARSER };
      throw new OperationError(unknownField(place, ["commands", "dry_run"]));
    }
  }
  return { commands, dryRun };
}

function readCommands(content: Content, value: Json): readonly JsonObject[] {
  const path = ["commands"];
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    if (list.length > MOST_COMMANDS) {
      throw illegalArgument(
        `a reroute may have at most [${MOST_COMMANDS}] commands, and was given [${list.length}]`,
      );
    }
    return list.map((command, i) => readCommand(content, command, [...path, i]));
  }
  if (!isJsonObject(value)) {
    throw new OperationError(unsupported({ content, path, parser: PARSER }, "commands", value));
  }
  const reason =
    "expected either field name [commands], or start array, got [START_OBJECT] instead";
  throw inCommands(content.at(path, "value"), malformed(reason));
}

function readCommand(content: Content, command: Json, path: Path): JsonObject {
  if (!isJsonObject(command)) {
    const reason = `allocation command is malformed, got [${tokenOf(command)}] instead`;
    throw inCommands(content.at(path, "value"), malformed(reason));
  }
  const [name, second] = Object.keys(command);
  if (name === undefined) throw unknownCommand(nextTo(content, path), "null");
  const shape = lookup(COMMANDS, name);
  const inner = [...path, name];
  if (shape === undefined) throw unknownCommand(content.at(inner, "value"), name);
  const parameters = shape.read(
    { name, shape, value: lookup(command, name) ?? null },
    { content, path: inner, refuse: inCommands },
  );
  if (second === undefined) return { [name]: parameters };
  const reason =
    "allocation command is malformed, done parsing a command, but didn't get END_OBJECT, got [START_OBJECT] instead";
  throw inCommands(content.at([...path, second], "key"), malformed(reason));
}

/** Position of the token after the place where the command's name is missing: the product has read it already. */
function nextTo(content: Content, path: Path): string {
  const { line, col } = content.locate(path, "end");
  return `[${line}:${col + 1}]`;
}

function unknownCommand(at: string, name: string): OperationError {
  return inCommands(at, {
    type: "named_object_not_found_exception",
    reason: `${at} unknown field [${name}]`,
    status: 400,
  });
}

function malformed(reason: string): Problem {
  return { type: "parse_exception", reason, status: 400 };
}

function inCommands(at: string, causedBy: Problem): OperationError {
  const reason = `${at} [${PARSER}] failed to parse field [commands]`;
  return new OperationError({ ...contentProblem(reason), causedBy });
}
