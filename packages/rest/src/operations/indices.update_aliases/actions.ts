/** Strict parser of the actions in an `_aliases` body. Source: `IndicesAliasesRequest.AliasActions`. */
import type { AliasMetadata } from "@orrery/cluster-state";
import {
  javaText,
  illegalArgument,
  isJsonObject,
  OperationError,
  similar,
  type Json,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../../content.ts";
import { aliasOfJson, ALIAS_KEYS } from "../../indices/alias-metadata.ts";
import type { Path } from "../../json/locate.ts";

/** An action as it was sent, before names are resolved. */
export interface WantedAction {
  readonly kind: "add" | "remove" | "remove_index";
  readonly indices: readonly string[];
  readonly aliases: readonly string[];
  readonly metadata: AliasMetadata;
  readonly mustExist: boolean | undefined;
}

const COMMON = ["index", "indices"];
const KEYS: Readonly<Record<WantedAction["kind"], readonly string[]>> = {
  add: [...COMMON, "alias", "aliases", ...ALIAS_KEYS, "must_exist"],
  remove: [...COMMON, "alias", "aliases", "must_exist"],
  remove_index: COMMON,
};

/** Parses the actions in their order. */
export function wantedActions(content: Content): readonly WantedAction[] {
  const body = content.object();
  for (const key of Object.keys(body)) {
    if (key !== "actions")
      throw parseProblem(`${content.at([key], "key")} [aliases] unknown field [${key}]`);
  }
  const list = body["actions"];
  const actions = (Array.isArray(list) ? list : []) as readonly Json[];
  if (actions.length === 0) throw illegalArgument("No action specified");
  return actions.map((action, i) => wantedAction(content, action, ["actions", i]));
}

function wantedAction(content: Content, action: Json, path: Path): WantedAction {
  if (!isJsonObject(action)) {
    const reason = `${content.at(path, "value")} [alias_action] Expected START_OBJECT but was: ${tokenOf(action)}`;
    throw inActions(content.at(path, "value"), {
      type: "x_content_parse_exception",
      reason,
      status: 400,
    });
  }
  const [name] = Object.keys(action);
  if (name === undefined) throw illegalArgument("No action specified");
  const inner = [...path, name];
  if (name !== "add" && name !== "remove" && name !== "remove_index") {
    const reason = `${content.at(inner, "key")} [alias_action] unknown field [${name}]`;
    throw inActions(content.at(inner, "value"), {
      type: "x_content_parse_exception",
      reason,
      status: 400,
    });
  }
  const parameters = action[name];
  const given = isJsonObject(parameters) ? parameters : {};
  checkKeys(content, { kind: name, given }, inner);
  return readAction(content, { kind: name, given });
}

function checkKeys(
  content: Content,
  { kind, given }: { readonly kind: WantedAction["kind"]; readonly given: JsonObject },
  path: Path,
): void {
  for (const [key, value] of Object.entries(given)) {
    if (KEYS[kind].includes(key)) {
      refuseEmpty(content, { kind, key, value: value ?? null }, [...path, key]);
      continue;
    }
    const near = similar(key, KEYS[kind]);
    const hint = near.length === 0 ? "" : ` did you mean [${near[0]}]?`;
    const at = content.at([...path, key], "value");
    const unknown = {
      type: "x_content_parse_exception",
      reason: `${content.at([...path, key], "key")} [${kind}] unknown field [${key}]${hint}`,
      status: 400,
    };
    const reason = `${at} [alias_action] failed to parse field [${kind}]`;
    throw inActions(at, {
      type: "x_content_parse_exception",
      reason,
      status: 400,
      causedBy: unknown,
    });
  }
}

const nameKeys: ReadonlySet<string> = new Set(["index", "indices", "alias", "aliases"]);

interface GivenNames {
  readonly kind: WantedAction["kind"];
  readonly key: string;
  readonly value: Json;
}

function refuseEmpty(content: Content, { kind, key, value }: GivenNames, path: Path): void {
  if (!nameKeys.has(key)) return;
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (value !== "" && !isEmptyList) return;
  const start = content.locate(path, "value");
  // An empty list is rejected at its closing bracket.
  const at = `[${start.line}:${start.col + (isEmptyList ? 1 : 0)}]`;
  const failed = (where: string, field: string, causedBy: Problem): Problem => ({
    type: "x_content_parse_exception",
    reason: `${at} [${where}] failed to parse field [${field}]`,
    status: 400,
    causedBy,
  });
  const what = isEmptyList ? `[${key}] can't be empty` : `[${key}] can't be empty string`;
  const empty = { type: "illegal_argument_exception", reason: what, status: 400 };
  throw inActions(at, failed("alias_action", kind, failed(kind, key, empty)));
}

function readAction(
  content: Content,
  { kind, given }: { readonly kind: WantedAction["kind"]; readonly given: JsonObject },
): WantedAction {
  const indices = textsOf(given["index"] ?? given["indices"]);
  const aliases = textsOf(given["alias"] ?? given["aliases"]);
  const missing = (what: string): OperationError =>
    inActions(content.at(["actions"], "end"), {
      type: "illegal_argument_exception",
      reason: what,
      status: 400,
    });
  if (indices === undefined) throw missing("One of [index] or [indices] is required");
  if (indices.length === 0) throw missing("[indices] can't be empty");
  if (kind !== "remove_index") {
    if (aliases === undefined) throw missing("One of [alias] or [aliases] is required");
    if (aliases.length === 0) throw missing("[aliases] can't be empty");
  }
  const mustExist = given["must_exist"];
  return {
    kind,
    indices,
    aliases: aliases ?? [],
    metadata: kind === "add" ? aliasOfJson(given) : {},
    mustExist:
      mustExist === undefined || mustExist === null
        ? undefined
        : mustExist === true || mustExist === "true",
  };
}

function textsOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
}

function inActions(at: string, causedBy: Problem): OperationError {
  return parseProblem(`${at} [aliases] failed to parse field [actions]`, causedBy);
}

function parseProblem(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "x_content_parse_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}
