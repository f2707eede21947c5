/** The body of a request, or of its `source` parameter: bytes, JSON value, and positions of values for error messages. */
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

/** A body. The parsed value is cached, so repeated calls cost nothing. */
export interface Content {
  readonly mediaType: MediaType;
  /** Bytes as sent; of a YAML body, the JSON that it was converted to. */
  readonly bytes: Uint8Array;
  /**
   * Parses a large body in turns, after which `json` costs nothing; `undefined` for a small one. Never rejects: a
   * syntax error is thrown by `json`.
   */
  prepare(clock: Cluster["clock"]): Promise<void> | undefined;
  /** The parsed value. Throws the parser's exception. */
  json(): Json;
  /** The value as an object. Throws `parsing_exception` for any other value. */
  object(): JsonObject;
  /** The value as a map. Throws `parse_exception` "Failed to parse content to map" with the parser's exception as cause. */
  map(): JsonObject;
  locate(path: Path, side: Side): Location;
  /** The position in the form `[line:column]`. */
  at(path: Path, side: Side): string;
  /** Offset in bytes of the first byte after the value. */
  offsetAfter(path: Path): number;
}

/** Size from which parsing takes longer than one turn. */
const LARGE_BYTES = 512 * 1024;

/** The content of a body. Throws for invalid YAML at once; invalid JSON is reported when it is read. */
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

/** Name of the JSON token that a value begins with, as in the messages of Jackson's parser. */
export function tokenOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "number" || typeof value === "bigint") return "VALUE_NUMBER";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}
