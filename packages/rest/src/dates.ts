/**
 * Dates as the product prints them in JSON: UTC with milliseconds. The arithmetic is plain, because role packages
 * have no `Date`.
 */

const DAY_MS = 86_400_000;

/** Parts of a date; months and days count from 1. */
export interface UtcParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly milli: number;
}

/** The date, in UTC, of milliseconds since 1970. */
export function utcParts(ms: number): UtcParts {
  const days = Math.floor(ms / DAY_MS);
  const inDay = ms - days * DAY_MS;
  // "Civil from days" with years that begin in March (Howard Hinnant's algorithm).
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(inDay / 3_600_000),
    minute: Math.floor(inDay / 60_000) % 60,
    second: Math.floor(inDay / 1000) % 60,
    milli: Math.floor(inDay) % 1000,
  };
}

/** ISO 8601 date and time, such as `2026-11-20T22:33:02.149Z`. */
export function isoDate(ms: number): string {
  const parts = utcParts(ms);
  const date = `${pad(parts.year, 4)}-${pad(parts.month)}-${pad(parts.day)}`;
  return `${date}T${clockTime(ms)}.${pad(parts.milli, 3)}Z`;
}

/** Time of day, such as `22:33:02`. */
export function clockTime(ms: number): string {
  const { hour, minute, second } = utcParts(ms);
  return `${pad(hour)}:${pad(minute)}:${pad(second)}`;
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
