/** Matches compiled pattern elements against a text and resolves the fields to an instant. */
import {
  DAY_MS,
  dayOfWeek,
  daysFromCivil,
  daysFromIsoWeek,
  daysInMonth,
  isLeapYear,
} from "./calendar.ts";
import type { DateParse } from "./format.ts";
import type { Element, NumberField } from "./pattern.ts";
import { zoneOf, type Zone } from "./zone.ts";

/** The state of one parse. */
interface ParseState {
  readonly text: string;
  at: number;
  /** The furthest position at which an element failed. */
  failedAt: number;
  fields: Partial<Record<NumberField, number>>;
  /** `undefined` without `AM` or `PM`. */
  isAfternoon: boolean | undefined;
  isBeforeChrist: boolean;
  /** The zone that the text names. */
  zone: Zone | undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LONG_MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const LONG_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

/**
 * Parses a text by the elements of a pattern. `zone` applies to a text that names no zone; with
 * `roundUp`, parts that the text lacks become the greatest possible.
 */
export function parseElements(
  elements: readonly Element[],
  text: string,
  zone: Zone,
  roundUp: boolean,
): DateParse {
  const state: ParseState = {
    text,
    at: 0,
    failedAt: 0,
    fields: {},
    isAfternoon: undefined,
    isBeforeChrist: false,
    zone: undefined,
  };
  if (!run(elements, state) || state.at !== text.length) {
    return { kind: "failed", at: Math.max(state.failedAt, state.at) };
  }
  return resolve(state, zone, roundUp);
}

function run(elements: readonly Element[], state: ParseState): boolean {
  for (const element of elements) {
    if (runOne(element, state)) continue;
    state.failedAt = Math.max(state.failedAt, state.at);
    return false;
  }
  return true;
}

/** Optional elements that fail restore the state. */
function runOne(element: Element, state: ParseState): boolean {
  const { text, at } = state;
  switch (element.kind) {
    case "literal":
      if (!text.startsWith(element.text, at)) return false;
      state.at += element.text.length;
      return true;
    case "optional": {
      const before = { at, fields: { ...state.fields }, zone: state.zone };
      if (!run(element.elements, state)) Object.assign(state, before);
      return true;
    }
    case "number":
      return runNumber(element, state);
    case "fraction":
      return runFraction(element, state);
    case "text":
      return runText(element, state);
    case "zone":
      return runZone(element, state);
  }
}

/** Without a sign, a year of four letters takes exactly four digits. */
function runNumber(element: Element & { kind: "number" }, state: ParseState): boolean {
  const { text } = state;
  const { field, min, max } = element;
  const isYear = field === "year" || field === "yearOfEra" || field === "weekYear";
  let at = state.at;
  let sign = 1;
  let limit = max === 19 ? (isYear ? 9 : 10) : max;
  if (isYear && !element.isTwoDigitYear) {
    const char = text.charAt(at);
    if (char === "-" || char === "+") {
      sign = char === "-" ? -1 : 1;
      at += 1;
    } else if (min === 4) {
      limit = 4;
    }
  }
  const start = at;
  let value = 0;
  while (at - start < limit) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
    at += 1;
  }
  if (at - start < Math.max(min, 1)) return false;
  state.at = at;
  state.fields[field] = element.isTwoDigitYear ? 2000 + value : sign * value;
  return true;
}

function runFraction(element: Element & { kind: "fraction" }, state: ParseState): boolean {
  const { text } = state;
  let { at } = state;
  if (element.separators !== "") {
    const char = text.charAt(at);
    if (char === "" || !element.separators.includes(char)) return false;
    at += 1;
  }
  const start = at;
  while (at - start < element.max && /[0-9]/.test(text.charAt(at))) at += 1;
  if (at - start < element.min) return false;
  state.fields.nano = Number(text.slice(start, at).padEnd(9, "0").slice(0, 9));
  state.at = at;
  return true;
}

function runText(element: Element & { kind: "text" }, state: ParseState): boolean {
  const rest = state.text.slice(state.at).toLowerCase();
  const pick = (names: readonly string[]): number => {
    const found = names.findIndex((name) => rest.startsWith(name));
    if (found >= 0) state.at += names[found]?.length ?? 0;
    return found;
  };
  switch (element.field) {
    case "month": {
      const month = pick(element.isLong ? LONG_MONTHS : MONTHS);
      state.fields.month = month + 1;
      return month >= 0;
    }
    case "dayOfWeek": {
      const day = pick(element.isLong ? LONG_WEEKDAYS : WEEKDAYS);
      state.fields.dayOfWeek = day + 1;
      return day >= 0;
    }
    case "half": {
      const half = pick(["am", "pm"]);
      state.isAfternoon = half === 1;
      return half >= 0;
    }
    case "era": {
      const era = pick(["ad", "bc"]);
      state.isBeforeChrist = era === 1;
      return era >= 0;
    }
  }
}

function runZone(element: Element & { kind: "zone" }, state: ParseState): boolean {
  const rest = state.text.slice(state.at);
  const pattern =
    element.form === "any" || element.form === "region"
      ? /^(?:Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?|(?:UTC|GMT|UT)(?:[+-]\d{1,2}(?::?\d{2})?)?|[A-Za-z]+(?:\/[A-Za-z_+\-0-9]+)+|[A-Z]{3,4})/
      : /^(?:Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)/;
  const match = pattern.exec(rest);
  if (match === null) return false;
  if (match[0] === "Z" && element.zero !== "Z" && element.form !== "region") return false;
  try {
    state.zone = zoneOf(match[0]);
  } catch {
    // An unknown region: the text does not fit this format.
    return false;
  }
  state.at += match[0].length;
  return true;
}

function resolve(state: ParseState, givenZone: Zone, roundUp: boolean): DateParse {
  const { fields } = state;
  const days = resolveDays(state);
  const time = resolveTime(state, roundUp);
  if (days === undefined || time === undefined) {
    return { kind: "failed", at: 0, reason: impossible(state) };
  }
  const local = days * DAY_MS + time.milliOfDay;
  const zone = state.zone ?? givenZone;
  const nano = fields.nano ?? (roundUp ? 999_999_999 : 0);
  const ms = Math.floor(nano / 1e6);
  return { kind: "parsed", instant: { ms: zone.toUtc(local) + ms, nanos: nano - ms * 1e6 } };
}

/** Returns the reason of `java.time` for a field outside its range. */
function impossible({ fields }: ParseState): string | undefined {
  const limits: readonly (readonly [NumberField, string, number, number, string])[] = [
    ["month", "MonthOfYear", 1, 12, "1 - 12"],
    ["day", "DayOfMonth", 1, 31, "1 - 28/31"],
    ["hour", "HourOfDay", 0, 23, "0 - 23"],
    ["minute", "MinuteOfHour", 0, 59, "0 - 59"],
    ["second", "SecondOfMinute", 0, 59, "0 - 59"],
  ];
  for (const [field, name, low, high, range] of limits) {
    const value = fields[field];
    if (value === undefined || (value >= low && value <= high)) continue;
    return `Invalid value for ${name} (valid values ${range}): ${value}`;
  }
  if (fields.day === undefined) return undefined;
  const { year = fields.yearOfEra ?? 1970, month = 1, day } = fields;
  if (month === 2 && day === 29)
    return `Invalid date 'February 29' as '${year}' is not a leap year`;
  return `Invalid date '${LONG_MONTHS[month - 1]?.toUpperCase() ?? ""} ${day}'`;
}

/** Returns the days since 1970; `undefined` if there is no such date. */
function resolveDays(state: ParseState): number | undefined {
  const { fields } = state;
  if (fields.weekYear !== undefined && fields.month === undefined) {
    const week = fields.week ?? 1;
    if (week < 1 || week > 53) return undefined;
    return daysFromIsoWeek(fields.weekYear, week) + (fields.dayOfWeek ?? 1) - 1;
  }
  const yearOfEra = fields.yearOfEra;
  const year =
    fields.year ??
    (yearOfEra === undefined ? 1970 : state.isBeforeChrist ? 1 - yearOfEra : yearOfEra);
  if (fields.dayOfYear !== undefined) {
    if (fields.dayOfYear < 1 || fields.dayOfYear > (isLeapYear(year) ? 366 : 365)) return undefined;
    return daysFromCivil(year, 1, 1) + fields.dayOfYear - 1;
  }
  const month = fields.month ?? (fields.quarter === undefined ? 1 : (fields.quarter - 1) * 3 + 1);
  const day = fields.day ?? 1;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const days = daysFromCivil(year, month, day);
  if (
    fields.dayOfWeek !== undefined &&
    fields.day !== undefined &&
    dayOfWeek(days) !== fields.dayOfWeek
  )
    return undefined;
  return days;
}

function resolveTime(state: ParseState, roundUp: boolean): { milliOfDay: number } | undefined {
  const { fields } = state;
  if (fields.milliOfDay !== undefined) return { milliOfDay: fields.milliOfDay };
  let hour = fields.hour ?? (fields.clockHour === undefined ? undefined : fields.clockHour % 24);
  const half = fields.hour12 === undefined ? fields.hourOfHalf : fields.hour12 % 12;
  if (hour === undefined && half !== undefined) hour = half + (state.isAfternoon === true ? 12 : 0);
  hour ??= roundUp ? 23 : 0;
  const minute = fields.minute ?? (roundUp ? 59 : 0);
  const second = fields.second ?? (roundUp ? 59 : 0);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return { milliOfDay: ((hour * 60 + minute) * 60 + second) * 1000 };
}
