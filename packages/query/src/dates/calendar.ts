/**
 * The proleptic Gregorian calendar in integer arithmetic: days since 1970-01-01, civil dates, and
 * ISO weeks.
 */

export const DAY_MS = 86_400_000;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/**
 * Returns the days since 1970-01-01. Years are counted from March, so that the leap day comes last.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `daysFromCivil`. */
export function civilFromDays(days: number): CivilDate {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns 1 for Monday to 7 for Sunday. */
export function dayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

/** Returns the ISO week and the year that the week belongs to. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - dayOfWeek(days) + 4;
  const { year } = civilFromDays(thursday);
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
}

/** Returns the Monday of an ISO week, in days since 1970-01-01. */
export function daysFromIsoWeek(year: number, week: number): number {
  const fourth = daysFromCivil(year, 1, 4);
  return fourth - dayOfWeek(fourth) + 1 + (week - 1) * 7;
}

/** Adds months as `java.time` does: a day beyond the end of the month becomes its last day. */
export function addMonths(localMs: number, months: number): number {
  const days = Math.floor(localMs / DAY_MS);
  const { year, month, day } = civilFromDays(days);
  const index = year * 12 + month - 1 + months;
  const newYear = Math.floor(index / 12);
  const newMonth = index - newYear * 12 + 1;
  const newDay = Math.min(day, daysInMonth(newYear, newMonth));
  return daysFromCivil(newYear, newMonth, newDay) * DAY_MS + (localMs - days * DAY_MS);
}
