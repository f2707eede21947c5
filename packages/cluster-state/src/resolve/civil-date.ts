/** Conversion between days since 1970 and civil dates: integer arithmetic on the proleptic Gregorian calendar. */

export const DAY_MS = 86_400_000;

/** A date of the calendar. */
export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The date of a number of days since 1970. Years begin on 1 March internally, which puts the leap day last. */
export function civilDate(days: number): CivilDate {
  const shifted = days + 719_468;
  const cycle = Math.floor(shifted / 146_097);
  const dayOfCycle = shifted - cycle * 146_097;
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Number of days from 1970 to a date; inverse of `civilDate`. */
export function daysOf({ year, month, day }: CivilDate): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(shiftedYear / 400);
  const yearOfCycle = shiftedYear - cycle * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfCycle =
    yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear;
  return cycle * 146_097 + dayOfCycle - 719_468;
}

/** The same day some months later, or the last day of that month. */
export function plusMonths(date: CivilDate, months: number): CivilDate {
  const count = date.year * 12 + (date.month - 1) + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  return { year, month, day: Math.min(date.day, daysInMonth(year, month)) };
}

function daysInMonth(year: number, month: number): number {
  const next =
    month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
  return daysOf(next) - daysOf({ year, month, day: 1 });
}

/** ISO day of the week, of a number of days since 1970: Monday is 1, Sunday 7. */
export function dayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

/** ISO 8601 week: the one with the year's first Thursday is week 1. */
export function weekOf(days: number): { readonly weekYear: number; readonly week: number } {
  const thursday = days - dayOfWeek(days) + 4;
  const { year } = civilDate(thursday);
  const firstDay = daysOf({ year, month: 1, day: 1 });
  return { weekYear: year, week: Math.floor((thursday - firstDay) / 7) + 1 };
}
