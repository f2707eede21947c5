/**
 * Strict parser of an update body. Unknown fields fail with a suggestion: `[UpdateRequest] unknown field [dac] did
 * you mean [doc]?`.
 */
import {
  jsonNumber,
  isJsonObject,
  lookup,
  OperationError,
  similar,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import type { Content } from "../content.ts";
import { tokenOf } from "../content.ts";
import type { UpdateBodyView } from "./write-checks.ts";

const KEYS = [
  "_source",
  "detect_noop",
  "doc",
  "doc_as_upsert",
  "if_primary_term",
  "if_seq_no",
  "script",
  "scripted_upsert",
  "upsert",
];

/** The parsed members that REST needs; the primary reads the body itself. */
export interface UpdateBody extends UpdateBodyView {
  /** Value of the member `_source`. */
  readonly source: Json | undefined;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
}

/** Parses the body. Throws for unknown fields and values of a wrong type. */
export function readUpdateBody(content: Content): UpdateBody {
  const value = content.json();
  if (!isJsonObject(value)) {
    throw parseProblem(`[UpdateRequest] Expected START_OBJECT but was: ${tokenOf(value)}`);
  }
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key)) throw unknownField(content, key);
  }
  for (const key of ["doc", "upsert"]) {
    const part = lookup(value, key);
    if (part === undefined || part === null || isJsonObject(part)) continue;
    throw parseProblem(
      `${content.at([key], "value")} [UpdateRequest] ${key} doesn't support values of type: ${tokenOf(part)}`,
    );
  }
  return viewOf(value);
}

function viewOf(body: JsonObject): UpdateBody {
  return {
    hasScript: body["script"] !== undefined && body["script"] !== null,
    hasDoc: isJsonObject(body["doc"]),
    hasUpsert: isJsonObject(body["upsert"]),
    docAsUpsert: body["doc_as_upsert"] === true || body["doc_as_upsert"] === "true",
    source: body["_source"],
    ifSeqNo: numberOf(body["if_seq_no"]),
    ifPrimaryTerm: numberOf(body["if_primary_term"]),
  };
}

function numberOf(value: Json | undefined): number | undefined {
  return value === undefined || value === null ? undefined : jsonNumber(value);
}

function unknownField(content: Content, key: string): OperationError {
  const near = similar(key, KEYS);
  const hint =
    near.length === 0
      ? ""
      : near.length === 1
        ? ` did you mean [${near[0]}]?`
        : ` did you mean any of [${near.join(", ")}]?`;
  return parseProblem(`${content.at([key], "key")} [UpdateRequest] unknown field [${key}]${hint}`);
}

function parseProblem(reason: string): OperationError {
  return new OperationError({ type: "x_content_parse_exception", reason, status: 400 });
}
