/**
 * Formats of printed values. A format travels in partials as one string, because the coordinating
 * node knows no mapping. Source: `DocValueFormat`.
 */
import { formatDecimal } from "../json/decimal-format.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import type { CompiledField } from "../language/field-type.ts";

/**
 * One of `raw`, `boolean`, `ip`, `date|pattern|zone`, `decimal|pattern`, or `tuple` with the JSON
 * of `TupleShapes`.
 */
export type ValueFormat = string;

/** Values print as they are. */
export const RAW: ValueFormat = "raw";

/**
 * The format of a field's values, by its type and the request's `format` and `time_zone`.
 * @throws OperationError 400 for a date format that cannot be parsed
 */
export function formatOf(
  field: CompiledField | undefined,
  pattern: string | undefined,
  timeZone: string | undefined,
): ValueFormat {
  if (field?.dateFormat !== undefined) {
    const given = pattern ?? field.dateFormat.pattern;
    dateFormatOf(given);
    return `date|${given}|${timeZone ?? "UTC"}`;
  }
  return termFormat(field) ?? (pattern === undefined ? RAW : `decimal|${pattern}`);
}

/** The format of a field of terms; `undefined`: it has numbers, or terms that are text. */
export function termFormat(field: CompiledField | undefined): "boolean" | "ip" | undefined {
  return field?.values.kind === "terms" ? field.values.format : undefined;
}

/**
 * A number in the format; `undefined`: the format is `raw` or `ip`, for which no `…_as_string` is
 * printed.
 */
export function formatNumber(value: number, format: ValueFormat): string | undefined {
  if (format === RAW || format === "ip") return undefined;
  if (format === "boolean") return value === 0 ? "false" : "true";
  if (format.startsWith("date|")) {
    // The pattern may contain bars, the zone contains none.
    const bar = format.lastIndexOf("|");
    const pattern = format.slice(5, bar);
    const zone = format.slice(bar + 1);
    if (!Number.isFinite(value)) return String(value);
    const ms = Math.floor(value);
    return dateFormatOf(pattern).format(
      { ms, nanos: Math.round((value - ms) * 1e6) },
      zoneOf(zone),
    );
  }
  return formatDecimal(value, format.slice(8));
}
