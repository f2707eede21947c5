/** Parsers of members in the bodies of snapshot operations, with the product's errors. */
import {
  jsonDigits,
  illegalArgument,
  isJsonObject,
  javaText,
  lookup,
  OperationError,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import type { Content } from "../content.ts";
import { missingBody } from "../body.ts";
import type { BodyParser } from "../operation.ts";
import { checkWildcards, splitNames } from "../parameters.ts";
import { validate } from "../validation.ts";
import { writtenBytes } from "./metadata-size.ts";

/** The body as an object; any other value counts as an empty object. */
export const optionalObject: BodyParser<JsonObject> = (content) => objectOf(content);

/** The body as an object; any other value counts as an empty object. Throws without a body. */
export const requiredObject: BodyParser<JsonObject> = (content) => {
  if (content === undefined) throw missingBody();
  return objectOf(content);
};

function objectOf(content: Content | undefined): JsonObject {
  const value = content?.json();
  return isJsonObject(value) ? value : {};
}

/** The member `indices`: a comma-separated text or a list of names; empty when absent. */
export function indicesIn(body: JsonObject): readonly string[] {
  const given = body["indices"];
  if (given === undefined) return [];
  if (typeof given === "string") return splitNames(given);
  if (!Array.isArray(given)) {
    throw illegalArgument("malformed indices section, should be an array of strings");
  }
  validate([given.includes(null) && "index is null"]);
  return (given as readonly Json[]).map(javaText);
}

/** A boolean or the text of one; the fallback when absent. */
export function booleanIn(body: JsonObject, key: string, fallback: boolean): boolean {
  const given = lookup(body, key);
  if (given === undefined || given === null) return fallback;
  if (given === true || given === false) return given;
  if (given === "true" || given === "false") return given === "true";
  const reason = `Failed to parse value [${text(given)}] as only [true] or [false] are allowed.`;
  throw illegalArgument(`Could not convert [${key}] to boolean`, {
    type: "illegal_argument_exception",
    reason,
    status: 400,
  });
}

/** A text; `undefined` when absent. Throws for any other value, null included. */
export function textIn(body: JsonObject, key: string): string | undefined {
  const given = lookup(body, key);
  if (given === undefined || typeof given === "string") return given;
  throw illegalArgument(`malformed ${key}`);
}

function text(value: Json): string {
  return typeof value === "string" ? value : jsonDigits(value);
}

/** The indices options of a body, in camel case or snake case. */
export function indicesOptionsIn(body: JsonObject): JsonObject {
  const given = { ...inSnakeCase(body), ...body };
  const wildcards = given["expand_wildcards"];
  const list = Array.isArray(wildcards)
    ? (wildcards as readonly Json[]).map(javaText)
    : wildcards === undefined || wildcards === null
      ? undefined
      : splitNames(text(wildcards));
  return {
    ...(given["ignore_unavailable"] === undefined
      ? {}
      : { ignore_unavailable: booleanIn(given, "ignore_unavailable", false) }),
    ...(given["allow_no_indices"] === undefined
      ? {}
      : { allow_no_indices: booleanIn(given, "allow_no_indices", true) }),
    ...(list === undefined ? {} : { expand_wildcards: checkWildcards(list) }),
  };
}

const otherNames: Readonly<Record<string, string>> = {
  expandWildcards: "expand_wildcards",
  ignoreUnavailable: "ignore_unavailable",
  allowNoIndices: "allow_no_indices",
};

function inSnakeCase(body: JsonObject): JsonObject {
  const named = Object.entries(otherNames).flatMap(([camel, snake]) =>
    lookup(body, camel) === undefined ? [] : [[snake, lookup(body, camel)] as const],
  );
  return Object.fromEntries(named);
}

const METADATA_BYTES_MOST = 1024;

/**
 * The member `metadata`; `undefined` for null and when absent. Throws when it is no object or exceeds the product's
 * size limit.
 */
export function metadataIn(body: JsonObject): JsonObject | undefined {
  const given = body["metadata"];
  if (given === undefined || given === null) return undefined;
  if (!isJsonObject(given)) throw illegalArgument("malformed metadata, should be an object");
  const size = writtenBytes(given);
  if (size <= METADATA_BYTES_MOST) return given;
  const reason = `Validation Failed: 1: metadata must be smaller than 1024 bytes, but was [${size}];`;
  throw new OperationError({ type: "action_request_validation_exception", reason, status: 400 });
}
