/** The named date formats as patterns. Source: `DateFormatters.forPattern`. */
import { lookup } from "@orrery/stdx";

const ZONE = "{zone}";
const DATE = "uuuu-MM-dd";
const LENIENT_DATE = "u-M-d";
const TIME = `HH:mm:ss`;
const LENIENT_TIME = "H:m:s";
const OPTIONAL_TIME = `['T'[HH[:mm[:ss[{fraction}]]][${ZONE}]]]`;
const LENIENT_OPTIONAL_TIME = `['T'[H[:m[:s[{fraction}]]][${ZONE}]]]`;

/** Names with a lenient and a strict form; the lenient one parses like this and prints like the strict one. */
const PAIRS: Readonly<Record<string, readonly [lenient: string, strict: string]>> = {
  basic_week_date: ["YYYY'W'wwe", "YYYY'W'wwe"],
  basic_week_date_time: [
    `YYYY'W'wwe'T'HHmmss{fraction3}${ZONE}`,
    `YYYY'W'wwe'T'HHmmss{fraction3}${ZONE}`,
  ],
  basic_week_date_time_no_millis: [`YYYY'W'wwe'T'HHmmss${ZONE}`, `YYYY'W'wwe'T'HHmmss${ZONE}`],
  date: [LENIENT_DATE, DATE],
  date_hour: [`${LENIENT_DATE}'T'H`, `${DATE}'T'HH`],
  date_hour_minute: [`${LENIENT_DATE}'T'H:m`, `${DATE}'T'HH:mm`],
  date_hour_minute_second: [`${LENIENT_DATE}'T'${LENIENT_TIME}`, `${DATE}'T'${TIME}`],
  date_hour_minute_second_fraction: [
    `${LENIENT_DATE}'T'${LENIENT_TIME}{fraction}`,
    `${DATE}'T'${TIME}{fraction}`,
  ],
  date_hour_minute_second_millis: [
    `${LENIENT_DATE}'T'${LENIENT_TIME}{fraction}`,
    `${DATE}'T'${TIME}{fraction3}`,
  ],
  date_optional_time: [`u[-M[-d${LENIENT_OPTIONAL_TIME}]]`, `uuuu[-MM[-dd${OPTIONAL_TIME}]]`],
  date_time: [
    `${LENIENT_DATE}'T'${LENIENT_TIME}[{fraction}]${ZONE}`,
    `${DATE}'T'${TIME}{fraction}${ZONE}`,
  ],
  date_time_no_millis: [`${LENIENT_DATE}'T'${LENIENT_TIME}${ZONE}`, `${DATE}'T'${TIME}${ZONE}`],
  hour: ["H", "HH"],
  hour_minute: ["H:m", "HH:mm"],
  hour_minute_second: [LENIENT_TIME, TIME],
  hour_minute_second_fraction: [`${LENIENT_TIME}{fraction}`, `${TIME}{fraction}`],
  hour_minute_second_millis: [`${LENIENT_TIME}{fraction}`, `${TIME}{fraction3}`],
  ordinal_date: ["u-D", "uuuu-DDD"],
  ordinal_date_time: [
    `u-D'T'${LENIENT_TIME}{fraction}${ZONE}`,
    `uuuu-DDD'T'${TIME}{fraction}${ZONE}`,
  ],
  ordinal_date_time_no_millis: [`u-D'T'${LENIENT_TIME}${ZONE}`, `uuuu-DDD'T'${TIME}${ZONE}`],
  time: [`${LENIENT_TIME}[{fraction}]${ZONE}`, `${TIME}{fraction}${ZONE}`],
  time_no_millis: [`${LENIENT_TIME}${ZONE}`, `${TIME}${ZONE}`],
  t_time: [`'T'${LENIENT_TIME}[{fraction}]${ZONE}`, `'T'${TIME}{fraction}${ZONE}`],
  t_time_no_millis: [`'T'${LENIENT_TIME}${ZONE}`, `'T'${TIME}${ZONE}`],
  week_date: ["Y-'W'w-e", "YYYY-'W'ww-e"],
  week_date_time: [
    `Y-'W'w-e'T'${LENIENT_TIME}{fraction}${ZONE}`,
    `YYYY-'W'ww-e'T'${TIME}{fraction}${ZONE}`,
  ],
  week_date_time_no_millis: [`Y-'W'w-e'T'${LENIENT_TIME}${ZONE}`, `YYYY-'W'ww-e'T'${TIME}${ZONE}`],
  weekyear: ["Y", "YYYY"],
  weekyear_week: ["Y-'W'w", "YYYY-'W'ww"],
  weekyear_week_day: ["Y-'W'w-e", "YYYY-'W'ww-e"],
  year: ["u", "uuuu"],
  year_month: ["u-M", "uuuu-MM"],
  year_month_day: [LENIENT_DATE, DATE],
};

/** Lenient names of years, which print as they parse. */
const LENIENT_YEARS = new Set(["year", "weekyear", "week_year"]);

/** Names with one form. */
const SINGLES: Readonly<Record<string, string>> = {
  strict_date_optional_time_nanos: `uuuu[-MM[-dd${OPTIONAL_TIME}]]`,
  week_year: "Y",
  iso8601: `uuuu[-MM[-dd${OPTIONAL_TIME}]]`,
  rfc3339_lenient: `uuuu[-MM[-dd['T'HH:mm[:ss[{fraction}]]${ZONE}]]]`,
  basic_date: "uuuuMMdd",
  basic_date_time: `uuuuMMdd'T'HHmmss{fraction}${ZONE}`,
  basic_date_time_no_millis: `uuuuMMdd'T'HHmmss${ZONE}`,
  basic_ordinal_date: "uuuuDDD",
  basic_ordinal_date_time: `uuuuDDD'T'HHmmss{fraction}${ZONE}`,
  basic_ordinal_date_time_no_millis: `uuuuDDD'T'HHmmss${ZONE}`,
  basic_time: `HHmmss{fraction}${ZONE}`,
  basic_time_no_millis: `HHmmss${ZONE}`,
  basic_t_time: `'T'HHmmss{fraction}${ZONE}`,
  basic_t_time_no_millis: `'T'HHmmss${ZONE}`,
};

/** Names that print all nine digits of a fraction, where others print three. */
const NINE_DIGITS = new Set([
  "strict_date_optional_time_nanos",
  "strict_date_time",
  "ordinal_date_time",
  "strict_ordinal_date_time",
]);

/** Patterns of a named format. */
export interface NamedPatterns {
  readonly parses: string;
  readonly prints: string;
  /** Most digits of a fraction that it prints. */
  readonly fractionDigits: number;
}

/** Returns the patterns of a named format; `undefined`: the text is a pattern, or names a format of Unix time. */
export function namedPatterns(name: string): NamedPatterns | undefined {
  const fractionDigits = NINE_DIGITS.has(name) ? 9 : 3;
  const single = lookup(SINGLES, name);
  if (single !== undefined) return { parses: single, prints: single, fractionDigits };
  const isStrict = name.startsWith("strict_");
  const pair = lookup(PAIRS, isStrict ? name.slice(7) : name);
  if (pair === undefined) return undefined;
  const [lenient, strict] = pair;
  const prints = LENIENT_YEARS.has(name) ? lenient : strict;
  return { parses: isStrict ? strict : lenient, prints, fractionDigits };
}
