/** Parts of dates in UTC, for expressions. Source: `DateField`, `DateObject` of lang-expression. */
import { civilFromDays, dayOfWeek, daysFromCivil, DAY_MS, isoWeek } from "../dates/calendar.ts";

/** Computes a part of a date from milliseconds since 1970. */
export type DatePart = (ms: number) => number;

const year: DatePart = (ms) => civil(ms).year;
const yearOfEra: DatePart = (ms) => (year(ms) > 0 ? year(ms) : 1 - year(ms));
const monthOfYear: DatePart = (ms) => civil(ms).month;
const dayOfMonth: DatePart = (ms) => civil(ms).day;
const hourOfDay: DatePart = (ms) => Math.floor(timeOf(ms) / 3_600_000);
const minuteOfHour: DatePart = (ms) => Math.floor(timeOf(ms) / 60_000) % 60;
const secondOfMinute: DatePart = (ms) => Math.floor(timeOf(ms) / 1000) % 60;

/** The methods of a date field itself. Months count from 0, as in `Calendar`. */
export const dateMethods: Readonly<Record<string, DatePart>> = {
  getYear: year,
  getMonth: (ms) => monthOfYear(ms) - 1,
  getDayOfMonth: dayOfMonth,
  getHourOfDay: hourOfDay,
  getMinutes: minuteOfHour,
  getSeconds: secondOfMinute,
};

/** The members of `doc['field'].date`. Months count from 1. */
export const dateParts: Readonly<Record<string, DatePart>> = {
  centuryOfEra: (ms) => Math.floor(yearOfEra(ms) / 100),
  dayOfMonth,
  dayOfWeek: (ms) => dayOfWeek(daysOf(ms)),
  dayOfYear: (ms) => daysOf(ms) - daysFromCivil(year(ms), 1, 1) + 1,
  era: (ms) => (year(ms) > 0 ? 1 : 0),
  hourOfDay,
  millisOfDay: timeOf,
  millisOfSecond: (ms) => timeOf(ms) % 1000,
  minuteOfDay: (ms) => Math.floor(timeOf(ms) / 60_000),
  minuteOfHour,
  monthOfYear,
  secondOfDay: (ms) => Math.floor(timeOf(ms) / 1000),
  secondOfMinute,
  weekOfWeekyear: (ms) => isoWeek(daysOf(ms)).week,
  weekyear: (ms) => isoWeek(daysOf(ms)).year,
  year,
  yearOfCentury: (ms) => yearOfEra(ms) % 100,
  yearOfEra,
};

/** The same parts as methods: `getDayOfMonth` for `dayOfMonth`. */
export const datePartMethods: Readonly<Record<string, DatePart>> = Object.fromEntries(
  Object.entries(dateParts).map(([name, part]) => [
    `get${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    part,
  ]),
);

function daysOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns the milliseconds since midnight. */
function timeOf(ms: number): number {
  return Math.floor(ms) - daysOf(ms) * DAY_MS;
}

function civil(ms: number): ReturnType<typeof civilFromDays> {
  return civilFromDays(daysOf(ms));
}
