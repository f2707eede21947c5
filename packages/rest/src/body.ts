/** Body parsers that many operations share, with the product's errors for a missing body. */
import { OperationError, type JsonObject } from "@orrery/stdx";
import type { Content } from "./content.ts";
import type { BodyParser } from "./operation.ts";

/** Error for an operation that requires a body. */
export function missingBody(): OperationError {
  return new OperationError({
    type: "parse_exception",
    reason: "request body is required",
    status: 400,
  });
}

/** Error for an operation that requires a body, or the parameter `source` in its place. */
export function missingBodyOrSource(): OperationError {
  const reason = "request body or source parameter is required";
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

/** A parser that returns the body unparsed. Without a body it throws `missingBody`. */
export const requiredContent: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBody();
  return content;
};

/** A parser that returns the body unparsed. Without a body it throws `missingBodyOrSource`. */
export const requiredContentOrSource: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBodyOrSource();
  return content;
};

/** A body that was parsed as an object, with its bytes and positions. */
export interface ReadObject {
  readonly object: JsonObject;
  readonly content: Content;
}

/**
 * Parses the body as a map of arbitrary keys. Throws `missingBody` without a body, and `parse_exception` for any other
 * value.
 */
export const requiredMap: BodyParser<ReadObject> = (content) => {
  if (content === undefined) throw missingBody();
  return { object: content.map(), content };
};

/** Parses the body as a map; `undefined` without a body. */
export const optionalMap: BodyParser<ReadObject | undefined> = (content) =>
  content === undefined ? undefined : { object: content.map(), content };
