/** Formats numbers with the patterns of `DecimalFormat`. */
import { javaDouble } from "./json-text.ts";

/**
 * Formats a number by a pattern of Java's `DecimalFormat`: `#,##0.00`, `000`, with prefix, suffix
 * and `%`. Rarer parts of that syntax are not supported.
 */
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

/** Inserts a comma between groups of `size` digits. */
export function grouped(digits: string, size: number): string {
  const first = digits.length % size || size;
  let text = digits.slice(0, first);
  for (let at = first; at < digits.length; at += size) text += `,${digits.slice(at, at + size)}`;
  return text;
}

/** Returns `value` with `digits` decimals; ties go to the even digit. */
export function roundHalfEven(value: number, digits: number): string {
  const text = value.toFixed(Math.min(20, digits));
  const factor = 10 ** digits;
  const scaled = value * factor;
  const isTie = Math.abs(scaled - Math.trunc(scaled) - 0.5) < 1e-9 && scaled < 1e15;
  if (!isTie) return text;
  const floor = Math.floor(scaled);
  return ((floor % 2 === 0 ? floor : floor + 1) / factor).toFixed(digits);
}
