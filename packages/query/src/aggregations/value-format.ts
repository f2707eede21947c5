/** How values print: kept in partials as one word, because the coordinating node knows no mapping. Source: `DocValueFormat`. */
import { formatDecimal } from "../json/decimal-format.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import type { CompiledField } from "../language/field-type.ts";

/** `raw`, `boolean`, `ip`, `date|pattern|zone`, `decimal|pattern`. */
export type ValueFormat = string;

export const RAW: ValueFormat = "raw";

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

/** `undefined`: not of terms, or of terms that are kept as text. */
export function termFormat(field: CompiledField | undefined): "boolean" | "ip" | undefined {
  return field?.values.kind === "terms" ? field.values.format : undefined;
}

/** Text of a number in the format; `undefined` for raw ones, which print no `…_as_string`. */
export function formatNumber(value: number, format: ValueFormat): string | undefined {
  if (format === RAW || format === "ip") return undefined;
  if (format === "boolean") return value === 0 ? "false" : "true";
  if (format.startsWith("date|")) {
    // A pattern may have bars, a zone has none.
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
