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

/** The same error from operations that also name the parameter `source`. */
export function missingBodyOrSource(): OperationError {
  const reason = "request body or source parameter is required";
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}

/** A parser that requires a body and returns it unparsed. */
export const requiredContent: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBody();
  return content;
};

/** The same with the error of `missingBodyOrSource`. */
export const requiredContentOrSource: BodyParser<Content> = (content) => {
  if (content === undefined) throw missingBodyOrSource();
  return content;
};

/** A body that was parsed as an object, with its bytes and positions. */
export interface ReadObject {
  readonly object: JsonObject;
  readonly content: Content;
}

/** Parses the body as a map of arbitrary keys. */
export const requiredMap: BodyParser<ReadObject> = (content) => {
  if (content === undefined) throw missingBody();
  return { object: content.map(), content };
};

/** Parses the body as a map; `undefined` without a body. */
export const optionalMap: BodyParser<ReadObject | undefined> = (content) =>
  content === undefined ? undefined : { object: content.map(), content };
