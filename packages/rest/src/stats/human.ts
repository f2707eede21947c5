/** `human`: a readable twin before every size, duration and date. */
import { formatByteSize, formatDuration } from "@orrery/stdx";
import { isoDate } from "../dates.ts";
import { isRaw, type Printable, type PrintableObject } from "../json/printable.ts";

/** Milliseconds that are moments, not durations. */
const MOMENTS = new Set(["start_time_in_millis", "stop_time_in_millis"]);

/** Names whose readable form is not the raw name without its unit. */
const TWINS: Readonly<Record<string, string>> = {
  time_in_millis: "time",
  fixed_bit_set_memory_in_bytes: "fixed_bit_set",
};

/** Sizes that have no unit in their name. */
const TRANSFERRED = new Set([
  "started_bytes",
  "succeeded_bytes",
  "failed_bytes",
  "total_bytes",
  "max_bytes",
]);

/** Adds what `human=true` adds; nothing else changes. */
export function humanized(value: Printable): Printable {
  if (Array.isArray(value)) return (value as readonly Printable[]).map(humanized);
  if (typeof value !== "object" || value === null || isRaw(value)) return value;
  const result: Record<string, Printable | undefined> = {};
  for (const [key, item] of Object.entries(value as PrintableObject)) {
    if (item === undefined) continue;
    if (typeof item === "number") addTwin(result, key, item);
    result[key] = humanized(item);
  }
  return result;
}

function addTwin(result: Record<string, Printable | undefined>, key: string, value: number): void {
  if (key.endsWith("_in_bytes")) {
    result[TWINS[key] ?? key.slice(0, -"_in_bytes".length)] ??= formatByteSize(value);
  } else if (TRANSFERRED.has(key)) {
    result[key.slice(0, -"_bytes".length)] ??= formatByteSize(value);
  } else if (key.endsWith("_in_millis")) {
    const twin = TWINS[key] ?? key.slice(0, -"_in_millis".length);
    result[twin] ??= MOMENTS.has(key) ? isoDate(value) : formatDuration(value);
  }
}
