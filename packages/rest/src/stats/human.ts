/** `human`: adds a readable value before every size, duration and date. */
import { formatByteSize, formatDuration, lookup, setKey } from "@orrery/stdx";
import { isoDate } from "../dates.ts";
import { isRaw, type Printable, type PrintableObject } from "../json/printable.ts";

/** Members in milliseconds that are points in time, not durations. */
const MOMENTS = new Set(["start_time_in_millis", "stop_time_in_millis"]);

/** Readable names that are not the raw name without its unit. */
const TWINS: Readonly<Record<string, string>> = {
  fixed_bit_set_memory_in_bytes: "fixed_bit_set",
  total_bytes_received: "total_received_size",
  total_bytes_sent: "total_sent_size",
};

/** Sizes and durations whose names lack `_in_`. */
const SIZES = new Set([
  "failed_bytes",
  "max_bytes",
  "started_bytes",
  "succeeded_bytes",
  "total_bytes",
  "total_bytes_received",
  "total_bytes_sent",
]);
const DURATIONS = new Set([
  "total_receive_time_millis",
  "total_send_time_millis",
  "total_time_millis",
]);

/** The value with the additions of `human=true`; existing members stay unchanged. */
export function humanized(value: Printable): Printable {
  if (Array.isArray(value)) return (value as readonly Printable[]).map(humanized);
  if (typeof value !== "object" || value === null || isRaw(value)) return value;
  const source = value as PrintableObject;
  const result: Record<string, Printable | undefined> = {};
  for (const [key, item] of Object.entries(source)) {
    if (item === undefined) continue;
    const twin = lookup(TWINS, key) ?? key.replace(/(_in)?_(bytes|millis)$/, "");
    if (typeof item === "number" && twin !== key && !Object.hasOwn(source, twin)) {
      const text = readable(key, item);
      if (text !== undefined) setKey(result, twin, text);
    }
    setKey(result, key, humanized(item));
  }
  return result;
}

function readable(key: string, value: number): string | undefined {
  if (key.endsWith("_in_bytes") || SIZES.has(key)) return formatByteSize(value);
  if (MOMENTS.has(key)) return isoDate(value);
  return key.endsWith("_in_millis") || DURATIONS.has(key) ? formatDuration(value) : undefined;
}
