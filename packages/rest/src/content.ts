/** A request's body, or what its `source` parameter holds instead: bytes, JSON value, and where things stand in it. */
import { inTurns, MAIN_TURN_MS, type Cluster } from "@orrery/node";
import { parseJson, parseJsonSteps } from "@orrery/query";
import {
  jsonDigits,
  isJsonObject,
  OperationError,
  utf8Decode,
  utf8Encode,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import {
  locate,
  offsetAfter,
  printed,
  type Location,
  type Path,
  type Side,
} from "./json/locate.ts";
import { jsonOfYaml } from "./json/read-yaml.ts";
import type { MediaType } from "./media-type.ts";

export interface Content {
  readonly mediaType: MediaType;
  /** As sent; JSON when it came as YAML. */
  readonly bytes: Uint8Array;
  /** Reads a large body in turns, so that `json` has no work left; `undefined` for another. Throws nothing that `json` throws. */
  prepare(clock: Cluster["clock"]): Promise<void> | undefined;
  /** Throws the parser's own exception. */
  json(): Json;
  /** Throws `parsing_exception` when it is no object. */
  object(): JsonObject;
  /** Throws `parse_exception` "Failed to parse content to map", with the parser's exception as its cause. */
  map(): JsonObject;
  locate(path: Path, side: Side): Location;
  /** `[line:column]` */
  at(path: Path, side: Side): string;
  /** In bytes, behind the value. */
  offsetAfter(path: Path): number;
}

/** From this size on reading a body takes longer than a turn. */
const LARGE_BYTES = 512 * 1024;

export function contentOf(sent: Uint8Array, mediaType: MediaType): Content {
  const bytes = mediaType === "yaml" ? utf8Encode(jsonDigits(jsonOfYaml(utf8Decode(sent)))) : sent;
  let parsed: { readonly value: Json } | { readonly refusal: OperationError } | undefined;
  const json = (): Json => {
    parsed ??= { value: parseJson(bytes) };
    if ("refusal" in parsed) throw parsed.refusal;
    return parsed.value;
  };
  const readInTurns = async (clock: Cluster["clock"]): Promise<void> => {
    const start = (isTurnOver: () => boolean) => parseJsonSteps(bytes, isTurnOver);
    try {
      parsed = { value: await inTurns(clock, start, MAIN_TURN_MS) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      parsed = { refusal: error };
    }
  };
  const place = (path: Path, side: Side): Location => locate(bytes, path, side);
  return {
    mediaType,
    bytes,
    prepare: (clock) => (bytes.length < LARGE_BYTES ? undefined : readInTurns(clock)),
    json,
    object: () => {
      const value = json();
      if (isJsonObject(value)) return value;
      const reason = `Expected [START_OBJECT] but found [${tokenOf(value)}]`;
      const metadata = { ...place([], "value") };
      throw new OperationError({ type: "parsing_exception", reason, status: 400, metadata });
    },
    map: () => asMap(json),
    locate: place,
    at: (path, side) => printed(place(path, side)),
    offsetAfter: (path) => offsetAfter(bytes, path),
  };
}

function asMap(json: () => Json): JsonObject {
  const reason = "Failed to parse content to map";
  try {
    const value = json();
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new OperationError({
      type: "parse_exception",
      reason,
      status: 400,
      causedBy: error.problem,
    });
  }
  throw new OperationError({ type: "parse_exception", reason, status: 400 });
}

/** The name of the JSON token a value begins with, as parser messages have it. */
export function tokenOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "number" || typeof value === "bigint") return "VALUE_NUMBER";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}
