/** Date math: `now-1d/d`, `2020-01-01||+1M/d`. Source: `JavaDateMathParser`. */
import { OperationError } from "@orrery/stdx";
import { addMonths, civilFromDays, DAY_MS, dayOfWeek, daysFromCivil } from "./calendar.ts";
import type { DateFormat, Instant } from "./format.ts";
import { UTC, type Zone } from "./zone.ts";

export interface DateMathOptions {
  readonly nowMs: number;
  readonly zone?: Zone | undefined;
  /** For upper bounds: missing parts and `/d` become the last moment. */
  readonly roundUp?: boolean | undefined;
}

/**
 * The instant of a date or of a date math expression.
 * @throws OperationError `parse_exception` with the product's reason
 */
export function parseDateMath(text: string, format: DateFormat, options: DateMathOptions): Instant {
  if (text.startsWith("now")) {
    return applyMath(text.slice(3), { ms: options.nowMs, nanos: 0 }, options);
  }
  const bar = text.indexOf("||");
  if (bar < 0) return parseAnchor(text, format, options, options.roundUp === true);
  return applyMath(
    text.slice(bar + 2),
    parseAnchor(text.slice(0, bar), format, options, false),
    options,
  );
}

function parseAnchor(
  text: string,
  format: DateFormat,
  options: DateMathOptions,
  roundUp: boolean,
): Instant {
  if (text === "") throw parseFailure("cannot parse empty datetime");
  const result = format.parse(text, { zone: options.zone, roundUp });
  if (result.kind === "parsed") return result.instant;
  const reason = dateFailure(text, format);
  throw new OperationError({
    type: "parse_exception",
    reason: `${reason}: [${reason}]`,
    status: 400,
    causedBy: {
      type: "illegal_argument_exception",
      reason,
      status: 400,
      causedBy: {
        type: "date_time_parse_exception",
        reason: innerFailure(text, format, result.at),
        status: 400,
      },
    },
  });
}

/** The reason of the outer error of a text that fits no alternative of the format. */
export function dateFailure(text: string, format: DateFormat): string {
  return `failed to parse date field [${text}] with format [${format.pattern}]`;
}

/** The reason of the inner error, in the words of `java.time`. */
export function innerFailure(text: string, format: DateFormat, at: number): string {
  if (format.alternatives > 1) return "Failed to parse with all enclosed parsers";
  return `Text '${text}' could not be parsed at index ${at}`;
}

/**
 * Applies operations like `+1M/d` from left to right. Days and longer units are added in local
 * time.
 */
function applyMath(math: string, start: Instant, options: DateMathOptions): Instant {
  const zone = options.zone ?? UTC;
  let ms = start.ms;
  let nanos = start.nanos;
  let at = 0;
  while (at < math.length) {
    const operator = math.charAt(at);
    at += 1;
    const isRound = operator === "/";
    if (!isRound && operator !== "+" && operator !== "-") {
      throw parseFailure(`operator not supported for date math [${math}]`);
    }
    if (at >= math.length) throw parseFailure(`truncated date math [${math}]`);
    const number = /^\d+/.exec(math.slice(at))?.[0];
    at += number?.length ?? 0;
    const amount = number === undefined ? 1 : Number(number);
    if (isRound && amount !== 1)
      throw parseFailure(`rounding \`/\` can only be used on single unit types [${math}]`);
    const unit = math.charAt(at);
    if (unit === "") throw parseFailure(`truncated date math [${math}]`);
    at += 1;
    if (!UNITS.includes(unit))
      throw parseFailure(`unit [${unit}] not supported for date math [${math}]`);
    if (isRound) {
      const roundUp = options.roundUp === true;
      const floor = floorTo(ms, unit, zone);
      ms = roundUp ? zone.toUtc(addUnits(floor + zone.offsetMs(floor), unit, 1)) - 1 : floor;
      nanos = roundUp ? 999_999 : 0;
    } else {
      const sign = operator === "+" ? 1 : -1;
      ms =
        isCalendar(unit) || unit === "d" || unit === "w"
          ? zone.toUtc(addUnits(ms + zone.offsetMs(ms), unit, sign * amount))
          : addUnits(ms, unit, sign * amount);
    }
  }
  return { ms, nanos };
}

const UNITS = "yMwdhHms";

function isCalendar(unit: string): boolean {
  return unit === "y" || unit === "M";
}

/** `h` and `H` are hours. */
function addUnits(localMs: number, unit: string, amount: number): number {
  switch (unit) {
    case "y":
      return addMonths(localMs, amount * 12);
    case "M":
      return addMonths(localMs, amount);
    case "w":
      return localMs + amount * 7 * DAY_MS;
    case "d":
      return localMs + amount * DAY_MS;
    case "m":
      return localMs + amount * 60_000;
    case "s":
      return localMs + amount * 1000;
    default:
      return localMs + amount * 3_600_000;
  }
}

/** Returns the start of the local unit, in UTC. */
function floorTo(ms: number, unit: string, zone: Zone): number {
  const local = ms + zone.offsetMs(ms);
  const days = Math.floor(local / DAY_MS);
  const { year, month } = civilFromDays(days);
  switch (unit) {
    case "y":
      return zone.toUtc(daysFromCivil(year, 1, 1) * DAY_MS);
    case "M":
      return zone.toUtc(daysFromCivil(year, month, 1) * DAY_MS);
    case "w":
      return zone.toUtc((days - dayOfWeek(days) + 1) * DAY_MS);
    case "d":
      return zone.toUtc(days * DAY_MS);
    case "m":
      return ms - mod(local, 60_000);
    case "s":
      return ms - mod(local, 1000);
    default:
      return ms - mod(local, 3_600_000);
  }
}

function mod(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function parseFailure(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
