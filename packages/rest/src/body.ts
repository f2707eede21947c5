/** Common body parsers, with the product's words for a missing body. */
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { Content } from "./content.ts";
import type { BodyParser } from "./operation.ts";

export function missingBody(): OperationError {
  return new OperationError({
    type: "parse_exception",
    reason: "request body is required",
    status: 400,
  });
}

export function missingBodyOrSource(): OperationError {
  const reason = "request body or source parameter is required";
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

export const requiredContent: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBody();
  return content;
};

export const requiredContentOrSource: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBodyOrSource();
  return content;
};

/** An object that was read; `undefined` without a body. */
export interface ReadObject {
  readonly object: JsonObject;
  readonly content: Content;
}

/** Read as a map, whatever its keys. */
export const requiredMap: BodyParser<ReadObject> = (content) => {
  if (content === undefined) throw missingBody();
  return { object: content.map(), content };
};

export const optionalMap: BodyParser<ReadObject | undefined> = (content) =>
  content === undefined ? undefined : { object: content.map(), content };
