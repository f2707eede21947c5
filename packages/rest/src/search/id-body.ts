/** Bodies with scroll ids or point-in-time ids. Source: `ClearScrollRequest.fromXContent`, `DeletePitRequest.fromXContent`. */
import {
  javaText,
  illegalArgument,
  isJsonObject,
  OperationError,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { tokenOf, type Content } from "../content.ts";

/** The ids under `key`, one or a list; `undefined` without a body. */
export function readIds(
  content: Content | undefined,
  key: "scroll_id" | "pit_id",
): readonly string[] | undefined {
  if (content === undefined) return undefined;
  const ids: string[] = [];
  for (const [name, value] of Object.entries(readObject(content))) {
    if (name !== key || value === undefined || !isIdList(value))
      throw unknownParameter(name, value);
    for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (!isScalar(one)) throw illegalArgument(`${key} array element should only contain ${key}`);
      ids.push(javaText(one));
    }
  }
  return ids;
}

/** The body as an object. Throws the product's error for any other value. */
export function readObject(content: Content): JsonObject {
  const json = parsed(content);
  if (isJsonObject(json)) return json;
  throw illegalArgument("Malformed content, must start with an object");
}

function parsed(content: Content): Json {
  try {
    return content.json();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw illegalArgument("Failed to parse request body", error.problem);
  }
}

/** Error for an unknown member of a body with ids, or for a member of a wrong type. */
export function unknownParameter(name: string, value: Json | undefined): OperationError {
  return illegalArgument(
    `Unknown parameter [${name}] in request body or parameter is of the wrong type[${tokenOf(value)}] `,
  );
}

function isIdList(value: Json): boolean {
  return Array.isArray(value) || isScalar(value);
}

function isScalar(value: Json): boolean {
  return value !== null && typeof value !== "object";
}
