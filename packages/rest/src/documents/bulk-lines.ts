/**
 * Reader of bulk bodies: action lines and document lines, separated by byte 10. Documents stay slices of the body.
 * Source: `BulkRequestParser`.
 *
 * Error messages count lines from 1, blank ones included. A last action without its document is dropped, as in the
 * product.
 */
import type { SourceFilter, WriteItem } from "@orrery/node";
import { parseJson } from "@orrery/query";
import {
  jsonNumber,
  javaText,
  emptyBytes,
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { contentOf, tokenOf } from "../content.ts";
import { exact, numberFormatProblem, versionTypeNamed } from "../parameters.ts";
import { sourceFilterOfJson } from "./source-filter.ts";
import { readUpdateBody, type UpdateBody } from "./update-body.ts";

/** Options of the request, for actions without their own. */
export interface BulkDefaults {
  readonly index: string | undefined;
  readonly routing: string | undefined;
  readonly pipeline: string | undefined;
  readonly requireAlias: boolean | undefined;
  readonly source: SourceFilter | undefined;
}

/** One item of a bulk body: an action, with its document if it has one. */
export interface BulkEntry {
  readonly item: WriteItem;
  /** The parsed body of an update; `undefined` for other operations. */
  readonly update: UpdateBody | undefined;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const ACTIONS = ["create", "delete", "index", "update"];

/**
 * Entries of the body, one at a time: a line is parsed only when its entry is requested, and throws then if it is
 * malformed.
 */
export function* readBulk(body: Uint8Array, defaults: BulkDefaults): Generator<BulkEntry, void> {
  let from = 0;
  let line = 0;
  for (;;) {
    const end = nextLine(body, from);
    if (end < 0) return;
    line += 1;
    const text = utf8Decode(body.subarray(from, end));
    from = end + 1;
    if (text.trim() === "") continue;
    const action = readAction(text, line, defaults);
    if (action.name === "delete") {
      yield { item: itemOf(action, emptyBytes), update: undefined };
      continue;
    }
    const sourceEnd = nextLine(body, from);
    if (sourceEnd < 0) return;
    line += 1;
    const source = body.subarray(
      from,
      body[sourceEnd - 1] === CARRIAGE_RETURN ? sourceEnd - 1 : sourceEnd,
    );
    from = sourceEnd + 1;
    yield action.name === "update"
      ? updateEntry(action, source, defaults)
      : documentEntry(action, source);
  }
}

function nextLine(body: Uint8Array, from: number): number {
  const end = body.indexOf(NEWLINE, from);
  if (end >= 0 || from === body.length) return end;
  throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
}

interface Action {
  name: string;
  index: string | undefined;
  id: string | undefined;
  routing: string | undefined;
  opType: string | undefined;
  version: number | undefined;
  versionType: WriteItem["versionType"];
  ifSeqNo: number | undefined;
  ifPrimaryTerm: number | undefined;
  retryOnConflict: number | undefined;
  pipeline: string | undefined;
  source: SourceFilter | undefined;
  requireAlias: boolean | undefined;
}

function readAction(text: string, line: number, defaults: BulkDefaults): Action {
  const value = parseLine(text);
  const malformed = (what: string): OperationError =>
    illegalArgument(`Malformed action/metadata line [${line}], ${what}`);
  if (!isJsonObject(value)) throw malformed(`expected START_OBJECT but found [${tokenOf(value)}]`);
  const [name] = Object.keys(value);
  if (name === undefined) throw malformed("expected FIELD_NAME but found [END_OBJECT]");
  if (!ACTIONS.includes(name))
    throw malformed(`expected one of [${ACTIONS.join(", ")}] but found [${name}]`);
  const parameters = lookup(value, name);
  if (!isJsonObject(parameters)) {
    throw malformed(`expected START_OBJECT or END_OBJECT but found [${tokenOf(parameters)}]`);
  }
  return actionOf(name, parameters, { line, defaults, malformed });
}

function parseLine(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The exact parser fails with the product's message.
    return parseJson(utf8Encode(text));
  }
}

function actionOf(
  name: string,
  parameters: JsonObject,
  {
    line,
    defaults,
    malformed,
  }: {
    readonly line: number;
    readonly defaults: BulkDefaults;
    readonly malformed: (what: string) => OperationError;
  },
): Action {
  const action: Action = {
    name,
    index: defaults.index,
    id: undefined,
    routing: defaults.routing,
    opType: undefined,
    version: undefined,
    versionType: undefined,
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
    retryOnConflict: undefined,
    pipeline: defaults.pipeline,
    source: defaults.source,
    requireAlias: defaults.requireAlias,
  };
  for (const key in parameters) {
    const value = lookup(parameters, key);
    if (value === null || value === undefined) continue;
    if (Array.isArray(value))
      throw malformed(`expected a simple value for field [${key}] but found [START_ARRAY]`);
    if (typeof value === "object" && key !== "_source") {
      throw malformed(`expected a simple value for field [${key}] but found [START_OBJECT]`);
    }
    if (!setParameter(action, key, value)) {
      throw illegalArgument(
        `Action/metadata line [${line}] contains an unknown parameter [${key}]`,
      );
    }
  }
  return action;
}

/** Sets one parameter of an action line; false when the name is unknown. */
function setParameter(action: Action, key: string, value: Json): boolean {
  switch (key) {
    case "_index":
      action.index = javaText(value);
      return true;
    case "_id":
      action.id = javaText(value);
      return true;
    case "routing":
      action.routing = javaText(value);
      return true;
    case "op_type":
      action.opType = javaText(value).toLowerCase();
      return true;
    case "version":
      action.version = numberOf(value, "version");
      return true;
    case "version_type":
      action.versionType = versionTypeNamed(javaText(value));
      return true;
    case "if_seq_no":
      action.ifSeqNo = numberOf(value, "if_seq_no");
      return true;
    case "if_primary_term":
      action.ifPrimaryTerm = numberOf(value, "if_primary_term");
      return true;
    case "retry_on_conflict":
      action.retryOnConflict = numberOf(value, "retry_on_conflict");
      return true;
    case "pipeline":
      action.pipeline = javaText(value);
      return true;
    case "_source":
      action.source = sourceFilterOfJson(value);
      return true;
    case "require_alias":
      action.requireAlias = value === true || value === "true";
      return true;
    default:
      return false;
  }
}

function numberOf(value: Json, name: string): number {
  const number = jsonNumber(value);
  if (Number.isInteger(number)) return exact(number, name, javaText(value));
  throw new OperationError(numberFormatProblem(javaText(value)));
}

function documentEntry(action: Action, source: Uint8Array): BulkEntry {
  const isCreate = action.name === "create" || action.opType === "create";
  const item = itemOf({ ...action, name: isCreate ? "create" : "index" }, source);
  return { item, update: undefined };
}

function updateEntry(action: Action, source: Uint8Array, defaults: BulkDefaults): BulkEntry {
  if (action.version !== undefined || (action.versionType ?? "internal") !== "internal") {
    throw illegalArgument(
      "Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead",
    );
  }
  const update = readUpdateBody(contentOf(source, "json"));
  const fetchSource = sourceFilterOfJson(update.source) ?? action.source ?? defaults.source;
  const item = itemOf(
    {
      ...action,
      source: fetchSource,
      ifSeqNo: update.ifSeqNo ?? action.ifSeqNo,
      ifPrimaryTerm: update.ifPrimaryTerm ?? action.ifPrimaryTerm,
    },
    source,
  );
  return { item, update };
}

function itemOf(action: Action, source: Uint8Array): WriteItem {
  const item: { -readonly [Key in keyof WriteItem]: WriteItem[Key] } = {
    operation: action.name as WriteItem["operation"],
    index: action.index ?? "",
    id: action.id,
    routing: action.routing,
    source,
  };
  if (action.ifSeqNo !== undefined) item.ifSeqNo = action.ifSeqNo;
  if (action.ifPrimaryTerm !== undefined) item.ifPrimaryTerm = action.ifPrimaryTerm;
  if (action.version !== undefined) item.version = action.version;
  if (action.versionType !== undefined) item.versionType = action.versionType;
  if (action.retryOnConflict !== undefined) item.retryOnConflict = action.retryOnConflict;
  if (action.requireAlias !== undefined) item.requireAlias = action.requireAlias;
  if (action.name !== "delete" && action.pipeline !== undefined) item.pipeline = action.pipeline;
  if (action.name === "update" && action.source !== undefined) item.fetchSource = action.source;
  return item;
}
