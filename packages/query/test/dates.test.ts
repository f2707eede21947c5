/** Date formats, date math and zones, in the product's words. */
import { describe, expect, test } from "vitest";
import { parseDateMath } from "../src/dates/date-math.ts";
import { dateFormatOf, fastIsoMs } from "../src/dates/format.ts";
import { daysFromCivil } from "../src/dates/calendar.ts";
import { UTC, zoneOf } from "../src/dates/zone.ts";

function parsed(text: string, pattern: string): string {
  const result = dateFormatOf(pattern).parse(text);
  return result.kind === "parsed"
    ? new Date(result.instant.ms).toISOString()
    : `failed at ${result.at}`;
}

describe("date formats", () => {
  test.each([
    ["2020-02-03", "strict_date_optional_time", "2020-02-03T00:00:00.000Z"],
    ["2020", "strict_date_optional_time", "2020-01-01T00:00:00.000Z"],
    ["2020-02-03T04:05:06.789+01:00", "strict_date_optional_time", "2020-02-03T03:05:06.789Z"],
    ["1580702706789", "strict_date_optional_time||epoch_millis", "2020-02-03T04:05:06.789Z"],
    ["1580702706", "epoch_second", "2020-02-03T04:05:06.000Z"],
    ["20200203", "basic_date", "2020-02-03T00:00:00.000Z"],
    ["03/02/2020 04:05", "dd/MM/yyyy HH:mm", "2020-02-03T04:05:00.000Z"],
    ["Mon, 3 Feb 2020 16:05:06 +0000", "EEE, d MMM yyyy HH:mm:ss Z", "2020-02-03T16:05:06.000Z"],
    ["2020-W06-1", "strict_week_date", "2020-02-03T00:00:00.000Z"],
    ["2020-034", "strict_ordinal_date", "2020-02-03T00:00:00.000Z"],
    ["2020-2-3", "strict_date_optional_time", "failed at 5"],
    ["2020-02-30", "strict_date_optional_time", "failed at 0"],
  ])("%s as %s is %s", (text, pattern, expected) => {
    expect(parsed(text, pattern)).toBe(expected);
  });

  test("print what they parse", () => {
    const instant = { ms: Date.parse("2020-02-03T04:05:06.789Z"), nanos: 0 };
    expect(dateFormatOf("strict_date_optional_time").format(instant, UTC)).toBe(
      "2020-02-03T04:05:06.789Z",
    );
    expect(dateFormatOf("yyyy-MM-dd").format(instant, zoneOf("-05:00"))).toBe("2020-02-02");
    expect(dateFormatOf("yyyy-'Q'q").format(instant, UTC)).toBe("2020-Q1");
    expect(dateFormatOf("strict_date_optional_time").format(instant, zoneOf("Europe/Berlin"))).toBe(
      "2020-02-03T05:05:06.789+01:00",
    );
  });

  test.each([
    ["date", "2020-02-03"],
    ["date_time", "2020-02-03T04:05:06.007Z"],
    ["date_time_no_millis", "2020-02-03T04:05:06Z"],
    ["date_optional_time", "2020-02-03T04:05:06.007Z"],
    ["hour_minute_second", "04:05:06"],
    ["ordinal_date", "2020-034"],
    ["ordinal_date_time", "2020-034T04:05:06.007008009Z"],
    ["week_date", "2020-W06-1"],
    ["year_month", "2020-02"],
    ["strict_date_time", "2020-02-03T04:05:06.007008009Z"],
    ["strict_date_optional_time_nanos", "2020-02-03T04:05:06.007008009Z"],
    ["strict_date_optional_time", "2020-02-03T04:05:06.007Z"],
  ])("%s prints %s", (pattern, expected) => {
    const instant = { ms: Date.parse("2020-02-03T04:05:06.007Z"), nanos: 8009 };
    expect(dateFormatOf(pattern).format(instant, UTC)).toBe(expected);
  });

  test("years print as they parse, where a lenient name has nothing else", () => {
    const instant = { ms: Date.parse("0005-02-03T00:00:00.000Z"), nanos: 0 };
    expect(dateFormatOf("year").format(instant, UTC)).toBe("5");
    expect(dateFormatOf("year_month").format(instant, UTC)).toBe("0005-02");
  });

  test.each(["strict_week_year", "date_optional_time_nanos"])("%s is no name", (name) => {
    expect(() => dateFormatOf(name)).toThrow(
      `Invalid format: [${name}]: Unknown pattern letter: t`,
    );
  });

  test("the quick reading of ISO dates is the careful one", () => {
    for (const text of [
      "1999-12-31T23:59:59.999Z",
      "2024-02-28",
      "2024-02-29T00:00:00Z",
      "0001-01-01",
    ]) {
      const quick = fastIsoMs(text);
      const careful = dateFormatOf("strict_date_optional_time").parse(text);
      if (!Number.isNaN(quick) && careful.kind === "parsed") expect(quick).toBe(careful.instant.ms);
    }
  });
});

describe("date math", () => {
  const nowMs = Date.parse("2020-03-31T10:20:30.456Z");
  const math = (text: string, roundUp = false, zone = "UTC"): string =>
    new Date(
      parseDateMath(text, dateFormatOf("strict_date_optional_time"), {
        nowMs,
        roundUp,
        zone: zoneOf(zone),
      }).ms,
    ).toISOString();

  test.each([
    ["now-1d/d", false, "2020-03-30T00:00:00.000Z"],
    ["now/d", true, "2020-03-31T23:59:59.999Z"],
    ["now-1M", false, "2020-02-29T10:20:30.456Z"],
    ["now+1y/y", false, "2021-01-01T00:00:00.000Z"],
    ["2020-01-01||+1M/d", false, "2020-02-01T00:00:00.000Z"],
    ["2020-01", true, "2020-01-01T23:59:59.999Z"],
    ["now/w", false, "2020-03-30T00:00:00.000Z"],
  ])("%s (round up: %s) is %s", (text, roundUp, expected) => {
    expect(math(text, roundUp)).toBe(expected);
  });

  test("rounds in its time zone", () => {
    expect(math("now/d", false, "America/New_York")).toBe("2020-03-31T04:00:00.000Z");
  });

  test("refuses unknown units", () => {
    expect(() => math("now+1foo")).toThrow("unit [f] not supported for date math [+1foo]");
  });
});

test("a moment that no calendar here reaches has the offset of the last one that it does", () => {
  const { offsetMs } = zoneOf("Europe/Berlin");
  expect(offsetMs(3.5e38)).toBe(offsetMs(8.64e15));
  expect(offsetMs(-3.5e38)).toBe(offsetMs(-8.64e15));
});

test("a zone has its local mean time in the years before the first", () => {
  const { offsetMs, toUtc } = zoneOf("America/New_York");
  const localMeanTimeMs = -(4 * 3600 + 56 * 60 + 2) * 1000;
  for (const year of [-280_000, -500, -1, 0, 1, 1800]) {
    const utcMs = daysFromCivil(year, 6, 1) * 86_400_000;
    expect(offsetMs(utcMs)).toBe(localMeanTimeMs);
    expect(toUtc(utcMs + localMeanTimeMs)).toBe(utcMs);
  }
});

test("zones are kept while few are asked for, and made anew after thousands", () => {
  const berlin = zoneOf("Europe/Berlin");
  expect(zoneOf("Europe/Berlin")).toBe(berlin);
  for (let i = 0; i < 1100; i += 1) {
    const minutes = String(i % 60).padStart(2, "0");
    zoneOf(`+${String(Math.floor(i / 60)).padStart(2, "0")}:${minutes}:01`);
  }
  const again = zoneOf("Europe/Berlin");
  expect(again).not.toBe(berlin);
  expect(again.offsetMs(0)).toBe(berlin.offsetMs(0));
  expect(zoneOf("UTC")).toBe(UTC);
});
