/**
 * Date formats convert between text and instants. Source: `DateFormatter`.
 *
 * Alternatives are separated by `||`. Parsing uses the first that fits, and printing uses the
 * first.
 */
import { civilFromDays, DAY_MS, dayOfWeek, daysFromCivil, isoWeek } from "./calendar.ts";
import { parseElements } from "./parse-elements.ts";
import { compilePattern, type Element, type NumberField } from "./pattern.ts";
import { namedPatterns } from "./names.ts";
import { formatOffset, UTC, type Zone } from "./zone.ts";

/** A point in time: milliseconds since 1970, and the nanoseconds (0 to 999999) beyond them. */
export interface Instant {
  readonly ms: number;
  readonly nanos: number;
}

/** The instant, or the position and reason of the failure. */
export type DateParse =
  | { readonly kind: "parsed"; readonly instant: Instant }
  // `at` is the furthest position any attempt reached. `reason` is set if the text has the right
  // form but no such date exists.
  | { readonly kind: "failed"; readonly at: number; readonly reason?: string | undefined };

export interface ParseOptions {
  /** For texts without a zone; default UTC. */
  readonly zone?: Zone | undefined;
  /** Missing parts of the time become their greatest value, for upper bounds of ranges. */
  readonly roundUp?: boolean | undefined;
}

export interface DateFormat {
  /** The pattern as given: `strict_date_optional_time||epoch_millis`. */
  readonly pattern: string;
  /** The number of alternatives. */
  readonly alternatives: number;
  parse(text: string, options?: ParseOptions): DateParse;
  /** Returns milliseconds of Unix time, or `NaN` if the text does not fit. Used for indexing. */
  parseMs(text: string): number;
  format(instant: Instant, zone: Zone): string;
}

interface Alternative {
  parse(text: string, options: ParseOptions): DateParse;
  format(instant: Instant, zone: Zone): string;
  /** True if every text of `fastIsoMs` fits. */
  readonly isIso: boolean;
}

/** Compiled formats, cleared at a limit: requests may contain any number of long patterns. */
const formats = new Map<string, DateFormat>();
let formatChars = 0;
const MOST_FORMAT_CHARS = 100_000;

/**
 * The format of a pattern or of a named format; formats are cached.
 * @throws OperationError `illegal_argument_exception` for a bad pattern
 */
export function dateFormatOf(pattern: string): DateFormat {
  const known = formats.get(pattern);
  if (known !== undefined) return known;
  const format = makeFormat(pattern);
  if (formatChars + pattern.length > MOST_FORMAT_CHARS) {
    formats.clear();
    formatChars = 0;
  }
  formatChars += pattern.length;
  formats.set(pattern, format);
  return format;
}

export const DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis";

function makeFormat(pattern: string): DateFormat {
  const alternatives = splitAlternatives(pattern).map(makeAlternative);
  const [first] = alternatives;
  const parse = (text: string, options: ParseOptions = {}): DateParse => {
    let at = 0;
    let reason: string | undefined;
    for (const alternative of alternatives) {
      const result = alternative.parse(text, options);
      if (result.kind === "parsed") return result;
      at = Math.max(at, result.at);
      reason ??= result.reason;
    }
    return { kind: "failed", at, reason };
  };
  return {
    pattern,
    alternatives: alternatives.length,
    parse,
    parseMs: (text) => {
      if (first?.isIso === true) {
        const ms = fastIsoMs(text);
        if (!Number.isNaN(ms)) return ms;
      }
      const result = parse(text);
      return result.kind === "parsed" ? result.instant.ms : Number.NaN;
    },
    format: (instant, zone) => first?.format(instant, zone) ?? "",
  };
}

/** Drops the `8` that marked patterns of `java.time`. */
function splitAlternatives(pattern: string): string[] {
  return pattern.split("||").map((part) => (part.startsWith("8") ? part.slice(1) : part));
}

function makeAlternative(name: string): Alternative {
  if (name === "epoch_millis") return epochAlternative(1);
  if (name === "epoch_second") return epochAlternative(1000);
  if (name === "epoch_micros") return epochAlternative(0.001);
  const { parses, prints, fractionDigits } = namedPatterns(name) ?? {
    parses: name,
    prints: name,
    fractionDigits: 3,
  };
  const elements = compilePattern(parses);
  const printed = prints === parses ? elements : compilePattern(prints);
  return {
    parse: (text, options) =>
      parseElements(elements, text, options.zone ?? UTC, options.roundUp === true),
    format: (instant, zone) => print(printed, localParts(instant, zone), fractionDigits),
    isIso:
      name === "strict_date_optional_time" || name === "date_optional_time" || name === "iso8601",
  };
}

/** Unix time in units of `unitMs` milliseconds. */
function epochAlternative(unitMs: number): Alternative {
  return {
    parse: (text) => {
      const match = /^(-?\d+)(?:\.(\d{1,9}))?$/.exec(text);
      if (match === null) return { kind: "failed", at: /^-?\d*/.exec(text)?.[0].length ?? 0 };
      // The product parses the number as a long.
      if (Math.abs(Number(match[1])) >= 2 ** 63) return { kind: "failed", at: 0 };
      return { kind: "parsed", instant: epochInstant(match[1] ?? "0", match[2] ?? "", unitMs) };
    },
    format: ({ ms, nanos }) => {
      if (unitMs === 1000)
        return trimFraction(
          Math.floor(ms / 1000),
          (ms - Math.floor(ms / 1000) * 1000) * 1e6 + nanos,
          9,
        );
      if (unitMs < 1) return String(ms * 1000 + Math.floor(nanos / 1000));
      return trimFraction(ms, nanos, 6);
    },
    isIso: false,
  };
}

function epochInstant(whole: string, fraction: string, unitMs: number): Instant {
  const isNegative = whole.startsWith("-");
  const part = Number(`0.${fraction === "" ? "0" : fraction}`);
  const exact = Number(whole) * unitMs;
  const totalNanos = Math.round(part * unitMs * 1e6) * (isNegative ? -1 : 1);
  const msFloor = Math.floor(exact);
  const nanosAll = Math.round((exact - msFloor) * 1e6) + totalNanos;
  const carry = Math.floor(nanosAll / 1e6);
  return { ms: msFloor + carry, nanos: nanosAll - carry * 1e6 };
}

/** Prints a number without trailing zeros of its fraction. */
function trimFraction(whole: number, fraction: number, width: number): string {
  if (fraction === 0) return String(whole);
  return `${whole}.${String(fraction).padStart(width, "0").replace(/0+$/, "")}`;
}

/**
 * Parses `2020-01-01` and `2020-01-01T00:00:00.000Z`, with or without fraction, without the general
 * parser. Returns `NaN` for anything else, and for days after the 28th.
 */
export function fastIsoMs(text: string): number {
  const { length } = text;
  if (length < 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 28 && year >= 0)) return Number.NaN;
  const base = daysFromCivil(year, month, day) * DAY_MS;
  if (length === 10) return base;
  if (length !== 20 && length !== 24) return Number.NaN;
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(length - 1) !== 90) return Number.NaN;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN;
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  let ms = 0;
  if (length === 24) {
    if (text.charCodeAt(19) !== 46) return Number.NaN;
    ms = digits(text, 20, 3);
  }
  return base + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let i = from; i < from + count; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** An instant in local time. */
interface LocalParts {
  readonly days: number;
  readonly milliOfDay: number;
  readonly nanos: number;
  readonly offsetMs: number;
  readonly zone: Zone;
}

function localParts({ ms, nanos }: Instant, zone: Zone): LocalParts {
  const offsetMs = zone.offsetMs(ms);
  const local = ms + offsetMs;
  const days = Math.floor(local / DAY_MS);
  return { days, milliOfDay: local - days * DAY_MS, nanos, offsetMs, zone };
}

function print(elements: readonly Element[], parts: LocalParts, nanosWidth: number): string {
  let text = "";
  for (const element of elements) text += printElement(element, parts, nanosWidth);
  return text;
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

function printElement(element: Element, parts: LocalParts, nanosWidth: number): string {
  switch (element.kind) {
    case "literal":
      return element.text;
    case "optional":
      return print(element.elements, parts, nanosWidth);
    case "zone":
      if (element.form === "region") return parts.zone.id;
      return formatOffset(parts.offsetMs, element.zero, element.form !== "offset-plain");
    case "fraction": {
      const nano = String((parts.milliOfDay % 1000) * 1e6 + parts.nanos).padStart(9, "0");
      if (element.min === element.max)
        return (element.separators === "" ? "" : ".") + nano.slice(0, element.max);
      // At least three digits; more only in the formats for nanoseconds.
      const width = Math.min(nanosWidth, Math.max(3, nano.replace(/0+$/, "").length));
      return `.${nano.slice(0, width)}`;
    }
    case "text":
      return printText(element.field, element.isLong, parts);
    case "number": {
      const value = numberOf(element.field, parts);
      if (element.isTwoDigitYear) return String(((value % 100) + 100) % 100).padStart(2, "0");
      const digitsText = String(Math.abs(value)).padStart(element.min, "0");
      const isWideYear = element.min === 4 && digitsText.length > 4 && value > 0;
      return `${value < 0 ? "-" : isWideYear ? "+" : ""}${digitsText}`;
    }
  }
}

function printText(
  field: "month" | "dayOfWeek" | "half" | "era",
  isLong: boolean,
  parts: LocalParts,
): string {
  if (field === "half") return parts.milliOfDay < DAY_MS / 2 ? "AM" : "PM";
  const { year, month } = civilFromDays(parts.days);
  if (field === "era") return year > 0 ? "AD" : "BC";
  const name = field === "month" ? MONTHS[month - 1] : WEEKDAYS[dayOfWeek(parts.days) - 1];
  return isLong ? (name ?? "") : (name ?? "").slice(0, 3);
}

function numberOf(field: NumberField, parts: LocalParts): number {
  const { year, month, day } = civilFromDays(parts.days);
  const hour = Math.floor(parts.milliOfDay / 3_600_000);
  const nano = (parts.milliOfDay % 1000) * 1e6 + parts.nanos;
  switch (field) {
    case "year":
      return year;
    case "yearOfEra":
      return year > 0 ? year : 1 - year;
    case "month":
      return month;
    case "day":
      return day;
    case "dayOfYear":
      return parts.days - daysFromCivil(year, 1, 1) + 1;
    case "hour":
      return hour;
    case "clockHour":
      return hour === 0 ? 24 : hour;
    case "hour12":
      return hour % 12 === 0 ? 12 : hour % 12;
    case "hourOfHalf":
      return hour % 12;
    case "minute":
      return Math.floor(parts.milliOfDay / 60_000) % 60;
    case "second":
      return Math.floor(parts.milliOfDay / 1000) % 60;
    case "milliOfDay":
      return parts.milliOfDay;
    case "nano":
      return nano;
    case "nanoOfDay":
      return parts.milliOfDay * 1e6 + parts.nanos;
    case "weekYear":
      return isoWeek(parts.days).year;
    case "week":
      return isoWeek(parts.days).week;
    case "dayOfWeek":
      return dayOfWeek(parts.days);
    case "quarter":
      return Math.floor((month - 1) / 3) + 1;
  }
}
