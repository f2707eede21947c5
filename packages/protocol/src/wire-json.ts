/**
 * JSON values in messages of unknown content. As in `JSON.stringify`, members without a JSON value are left out and
 * numbers without one are null; integers keep their digits.
 *
 * `readWireJson` builds a value from a peer's message or rejects it, whatever the message contains. Messages are
 * decoded to a limited depth (`@orrery/stdx/codec`), so both directions may recurse.
 */
import { OperationError, setKey, type Json } from "@orrery/stdx";
import type { JsonValue } from "../generated/json.js";

const kinds = ["null", "false", "true", "number", "integer", "text", "list", "object"] as const;
type Kind = (typeof kinds)[number];

const places = Object.fromEntries(kinds.map((kind, place) => [kind, place])) as Readonly<
  Record<Kind, number>
>;

/** A JSON value in the form that the encoder of `JsonValue` messages takes. */
export interface WireJson {
  readonly kind: number;
  readonly number?: number;
  readonly text?: string;
  readonly keys?: readonly string[];
  readonly items?: readonly WireJson[];
}

const nothing: WireJson = { kind: places.null };

/** Converts a JSON value to the form that its message is encoded from. */
export function wireJson(value: unknown): WireJson {
  switch (typeof value) {
    case "string":
      return { kind: places.text, text: wireText(value) };
    case "number":
      return Number.isFinite(value) ? { kind: places.number, number: value } : nothing;
    case "boolean":
      return { kind: value ? places.true : places.false };
    case "bigint":
      return { kind: places.integer, text: String(value) };
    case "object":
      if (value === null) return nothing;
      return Array.isArray(value)
        ? { kind: places.list, items: value.map(wireJson) }
        : wireObject(value);
    default:
      return nothing;
  }
}

function wireObject(value: object): WireJson {
  const keys: string[] = [];
  const items: WireJson[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    keys.push(wireText(key));
    items.push(wireJson(item));
  }
  return { kind: places.object, keys, items };
}

/**
 * The text with each lone surrogate replaced by `?`, as Java's encoder does: UTF-8 cannot encode one, and the message
 * would be invalid.
 */
export function wireText(text: string): string {
  return /\p{Surrogate}/u.test(text) ? text.replaceAll(/\p{Surrogate}/gu, "?") : text;
}

/** An integer, limited to a number of digits that parses in negligible time; no field or counter has more. */
const INTEGER = /^-?\d{1,1000}$/;

/**
 * The JSON value of a decoded message.
 * @throws OperationError The message is malformed or absent.
 */
export function readWireJson(message: JsonValue | null): unknown {
  if (message === null) throw malformed("there is none");
  return read(message);
}

function read(message: JsonValue): Json {
  const { kind, number, text, keys, items } = message;
  switch (kinds[kind]) {
    case "null":
      return null;
    case "false":
      return false;
    case "true":
      return true;
    case "number":
      return number;
    case "integer":
      if (!INTEGER.test(text)) throw malformed("an integer has other characters than digits");
      return BigInt(text);
    case "text":
      return text;
    case "list":
      return items.map(read);
    case "object":
      return readObject(keys, items);
    default:
      throw malformed(`kind [${kind}] is unknown`);
  }
}

/**
 * The object in a decoded message; the types of its members are unchecked. Throws `OperationError` if the message is
 * absent, malformed, or another value than an object.
 */
export function readWireObject(message: JsonValue | null): object {
  if (message === null || kinds[message.kind] !== "object") throw malformed("it is no object");
  return readObject(message.keys, message.items);
}

function readObject(keys: readonly string[], items: readonly JsonValue[]): Record<string, Json> {
  if (keys.length !== items.length) throw malformed("an object has other keys than items");
  const object: Record<string, Json> = {};
  items.forEach((item, i) => {
    const key = keys[i] ?? "";
    if (Object.hasOwn(object, key)) throw malformed(`key [${key}] comes twice`);
    setKey(object, key, read(item));
  });
  return object;
}

function malformed(what: string): OperationError {
  const reason = `malformed value: ${what}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}
