/**
 * Rounds moments down to intervals: fixed lengths and calendar units, in a time zone, with an
 * offset. Source: `Rounding`. Calendar units are rounded in local time, so that a day with a change
 * to summer time has 23 hours.
 */
import { illegalArgument, lookup, parseDuration } from "@orrery/stdx";
import { addMonths, civilFromDays, DAY_MS, dayOfWeek, daysFromCivil } from "../dates/calendar.ts";
import type { Zone } from "../dates/zone.ts";

/** Divides time into intervals. Moments are milliseconds since 1970, UTC. */
export interface Rounding {
  /** Start of the interval that contains the moment. */
  round(ms: number): number;
  /** Start of the interval after the one that begins at `start`. */
  next(start: number): number;
}

/** Units of calendar intervals; those from a day on vary in length. */
export type CalendarUnit =
  | "second"
  | "minute"
  | "hour"
  | "day"
  | "week"
  | "month"
  | "quarter"
  | "year";

/** Units by their names in a request. */
const CALENDAR: Readonly<Record<string, CalendarUnit>> = {
  "1s": "second",
  second: "second",
  "1m": "minute",
  minute: "minute",
  "1h": "hour",
  hour: "hour",
  "1d": "day",
  day: "day",
  "1w": "week",
  week: "week",
  "1M": "month",
  month: "month",
  "1q": "quarter",
  quarter: "quarter",
  "1y": "year",
  year: "year",
};

/** The calendar unit of a text such as `1d` or `day`; `undefined`: the text is no such unit. */
export function calendarUnit(text: string): CalendarUnit | undefined {
  return lookup(CALENDAR, text);
}

/**
 * Length of a fixed interval in milliseconds.
 * @throws OperationError 400, in the product's words
 */
export function fixedInterval(text: string): number {
  const ms = parseDuration(text);
  const isCalendarOnly = /^\d+M$/.test(text);
  if (ms === undefined || isCalendarOnly) {
    throw illegalArgument(
      `failed to parse setting [date_histogram.fixedInterval] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return positive(ms);
}

/**
 * Checks that an interval is at least a millisecond.
 * @throws OperationError 400
 */
export function positive(ms: number): number {
  if (ms < 1) throw illegalArgument(`Zero or negative time interval not supported`);
  return ms;
}

/** Intervals of one length, counted in local time. */
export function fixedRounding(intervalMs: number, zone: Zone, offsetMs: number): Rounding {
  const { fixedOffsetMs } = zone;
  if (fixedOffsetMs !== undefined) {
    // A zone without changes only shifts the intervals.
    const shift = offsetMs - fixedOffsetMs;
    return {
      round: (ms) => Math.floor((ms - shift) / intervalMs) * intervalMs + shift,
      next: (start) => start + intervalMs,
    };
  }
  const round = (ms: number): number => {
    const local = ms - offsetMs + zone.offsetMs(ms - offsetMs);
    return zone.toUtc(Math.floor(local / intervalMs) * intervalMs) + offsetMs;
  };
  return {
    round,
    next: (start) => {
      const local = start - offsetMs + zone.offsetMs(start - offsetMs) + intervalMs;
      const next = zone.toUtc(local) + offsetMs;
      // When clocks are set back, the next local start may map to the same moment again.
      return next > start ? next : start + intervalMs;
    },
  };
}

/** Intervals of a calendar unit; seconds, minutes and hours have fixed lengths. */
export function calendarRounding(unit: CalendarUnit, zone: Zone, offsetMs: number): Rounding {
  const small: Partial<Record<CalendarUnit, number>> = {
    second: 1000,
    minute: 60_000,
    hour: 3_600_000,
  };
  const length = small[unit];
  if (length !== undefined) return fixedRounding(length, zone, offsetMs);
  return {
    round: (ms) => {
      const shifted = ms - offsetMs;
      return zone.toUtc(floorLocal(shifted + zone.offsetMs(shifted), unit)) + offsetMs;
    },
    next: (start) => {
      const shifted = start - offsetMs;
      const local = floorLocal(shifted + zone.offsetMs(shifted), unit);
      return zone.toUtc(stepLocal(local, unit)) + offsetMs;
    },
  };
}

/** Start of the unit in local time. */
function floorLocal(local: number, unit: CalendarUnit): number {
  const days = Math.floor(local / DAY_MS);
  if (unit === "day") return days * DAY_MS;
  if (unit === "week") return (days - dayOfWeek(days) + 1) * DAY_MS;
  const { year, month } = civilFromDays(days);
  const first = unit === "year" ? 1 : unit === "quarter" ? month - ((month - 1) % 3) : month;
  return daysFromCivil(year, first, 1) * DAY_MS;
}

/** Start of the next unit in local time. */
function stepLocal(local: number, unit: CalendarUnit): number {
  switch (unit) {
    case "week":
      return local + 7 * DAY_MS;
    case "month":
      return addMonths(local, 1);
    case "quarter":
      return addMonths(local, 3);
    case "year":
      return addMonths(local, 12);
    default:
      return local + DAY_MS;
  }
}
