/** Decoder of a stored event, which validates it: a bundle may come from an untrusted source. */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import { corrupt } from "./corrupt.ts";
import type { RecordedEvent, StoredEvent } from "./types.ts";

/**
 * Fields that trace formats and drawings interpret, by kind; all other fields are printed as they
 * are.
 */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  message: ["from", "to", "action", "frameKind"],
  client: ["client"],
  fault: ["fault", "description"],
};
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  message: ["correlationId", "sizeBytes"],
  client: ["id"],
};
/** Depth limit of an event; recorders write less. */
const MOST_LEVELS = 16;

/** Decodes a stored event. Throws `OperationError` for an event of a kind or shape that no run records. */
export function readEvent(path: string, { seq, json }: StoredEvent): RecordedEvent {
  const event = parsed(json);
  if (event === undefined || !isEvent(event))
    throw corrupt(path, `its event [${seq}] is none that a run records`);
  return event as unknown as RecordedEvent;
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value = JSON.parse(json) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(event: JsonObject): boolean {
  const { kind, node, at_ms: atMs } = event;
  if (typeof kind !== "string" || typeof node !== "string" || typeof atMs !== "number")
    return false;
  const [family = ""] = kind.split("-");
  const texts = lookup(TEXTS, family) ?? [];
  const numbers = lookup(NUMBERS, family) ?? [];
  return (
    texts.every((key) => typeof event[key] === "string") &&
    numbers.every((key) => typeof event[key] === "number") &&
    Object.values(event).every((value) => isShallow(value, MOST_LEVELS))
  );
}

function isShallow(value: Json | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((one: Json | undefined) => isShallow(one, levels - 1));
}
