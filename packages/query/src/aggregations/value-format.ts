/** How values print: kept in partials as one word, because the coordinating node knows no mapping. Source: `DocValueFormat`. */
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import type { CompiledField } from "../mapping/field.ts";
import { javaDouble } from "../json/json-text.ts";

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

/** The patterns of `DecimalFormat` that people use: `#,##0.00`, `000`, prefixes and suffixes. */
export function formatDecimal(value: number, pattern: string): string {
  if (!Number.isFinite(value)) return javaDouble(value);
  const match = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?(E0+)?(.*)$/.exec(pattern);
  if (match === null) return String(value);
  const [, prefix = "", whole = "", fraction = "", , suffix = ""] = match;
  const isPercent = suffix.includes("%");
  const scaled = isPercent ? value * 100 : value;
  const most = fraction.length;
  const least = fraction.replaceAll("#", "").length;
  let [digits = "0", decimals = ""] = roundHalfEven(Math.abs(scaled), most).split(".");
  while (decimals.length > least && decimals.endsWith("0")) decimals = decimals.slice(0, -1);
  digits = digits.padStart(whole.replaceAll(/[#,]/g, "").length, "0");
  if (whole.replaceAll(/[#,]/g, "") === "" && digits === "0" && decimals !== "") digits = "";
  const comma = whole.lastIndexOf(",");
  if (comma >= 0) {
    const group = whole.length - comma - 1;
    if (group > 0) digits = grouped(digits, group);
  }
  const sign = scaled < 0 ? "-" : "";
  return `${sign}${prefix}${digits}${decimals === "" ? "" : `.${decimals}`}${suffix}`;
}

function grouped(digits: string, size: number): string {
  const first = digits.length % size || size;
  let text = digits.slice(0, first);
  for (let at = first; at < digits.length; at += size) text += `,${digits.slice(at, at + size)}`;
  return text;
}

function roundHalfEven(value: number, digits: number): string {
  const text = value.toFixed(Math.min(20, digits));
  const factor = 10 ** digits;
  const scaled = value * factor;
  const isTie = Math.abs(scaled - Math.trunc(scaled) - 0.5) < 1e-9 && scaled < 1e15;
  if (!isTie) return text;
  const floor = Math.floor(scaled);
  return ((floor % 2 === 0 ? floor : floor + 1) / factor).toFixed(digits);
}
