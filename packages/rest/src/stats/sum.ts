/** Sums of shard statistics over copies. */
import {
  formatDuration,
  greatest,
  isJsonObject,
  lookup,
  setKey,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { javaDouble, type Printable, type PrintableObject } from "../json/printable.ts";
import { sectionNames, shardSections, type SectionName } from "./sections.ts";

/** Counters that are aggregated by maximum, not by sum. */
const MAXIMA = new Set([
  "max_last_index_request_timestamp",
  "max_unsafe_auto_id_timestamp",
  "earliest_last_modified_age",
  "max_bytes",
  "max_bytes_behind",
  "max_replication_lag",
  "max_refresh_time_lag_in_millis",
]);

/**
 * The requested sections over all copies, with every counter of the product. Counters are summed, except for a few of
 * which the greatest counts.
 */
export function sumSections(
  copies: readonly JsonObject[],
  wanted: ReadonlySet<SectionName>,
): { readonly [Name in SectionName]?: PrintableObject } {
  const sums: { [Name in SectionName]?: PrintableObject } = {};
  for (const name of sectionNames) {
    if (!wanted.has(name)) continue;
    const parts = copies.flatMap((copy) => (isJsonObject(copy[name]) ? [copy[name]] : []));
    sums[name] = finish(name, sumObject(shardSections[name], parts));
  }
  return sums;
}

function sumObject(
  template: PrintableObject,
  parts: readonly JsonObject[],
): Record<string, Printable> {
  const sum: Record<string, Printable> = {};
  for (const key of new Set([
    ...Object.keys(template),
    ...parts.flatMap((part) => Object.keys(part)),
  ])) {
    const values = parts.flatMap((part) => lookup(part, key) ?? []);
    setKey(sum, key, sumValue(key, lookup(template, key), values));
  }
  return sum;
}

function sumValue(
  key: string,
  template: Printable | undefined,
  values: readonly Json[],
): Printable {
  const objects = values.filter(isJsonObject);
  if (objects.length > 0 || isObject(template))
    return sumObject(isObject(template) ? template : {}, objects);
  if (typeof template === "boolean") return values.some((value) => value === true);
  const numbers = values.map(Number).filter((value) => !Number.isNaN(value));
  if (MAXIMA.has(key)) return Math.max(Number(template ?? 0), greatest(numbers));
  if (typeof template === "string") return template;
  return numbers.reduce((sum, value) => sum + value, 0);
}

function isObject(value: Printable | undefined): value is PrintableObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Adds members that are derived from the sums, such as readable durations. */
function finish(name: SectionName, sum: Record<string, Printable>): PrintableObject {
  if (name === "get") sum["getTime"] = formatDuration(Number(sum["time_in_millis"]));
  if (name === "search") {
    const total = Number(sum["concurrent_query_total"]);
    const slices = Number(sum["concurrent_avg_slice_count"]);
    sum["concurrent_avg_slice_count"] = javaDouble(
      total === 0 ? 0 : Math.min(slices, Math.max(1, slices)),
    );
  }
  return sum;
}
