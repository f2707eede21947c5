/**
 * Time zones: fixed offsets, and regions from the engine's own table (`Intl`), cached per quarter
 * hour.
 */
import { illegalArgument } from "@orrery/stdx";
import { daysFromCivil } from "./calendar.ts";

export interface Zone {
  /** The id as given: `UTC`, `+01:00`, `Europe/Berlin`. */
  readonly id: string;
  /** The offset of all times; `undefined` for regions. */
  readonly fixedOffsetMs: number | undefined;
  /** Returns local time minus UTC. */
  offsetMs(utcMs: number): number;
  /**
   * Converts local time to UTC. Ambiguous times become the earlier one, and times in a gap move
   * later, as in `java.time`.
   */
  toUtc(localMs: number): number;
}

export const UTC: Zone = fixedZone("UTC", 0);

/** Zones by id, cleared at a limit: requests may name millions of offsets, and regions in any mixture of cases. */
const zones = new Map<string, Zone>();
const MOST_ZONES = 1000;

/**
 * The time zone of an id or offset; zones are cached.
 * @throws OperationError `illegal_argument_exception` for an unknown id
 */
export function zoneOf(id: string): Zone {
  const known = zones.get(id);
  if (known !== undefined) return known;
  const zone = makeZone(id);
  if (zones.size >= MOST_ZONES) zones.clear();
  zones.set(id, zone);
  return zone;
}

/**
 * Formats an offset from UTC such as `+01:00`, with a colon if `colon` is set. `zero` is the text
 * of the offset 0.
 */
export function formatOffset(offsetMs: number, zero: string, colon: boolean): string {
  if (offsetMs === 0) return zero;
  const minutes = Math.abs(Math.trunc(offsetMs / 60_000));
  const text = `${String(Math.floor(minutes / 60)).padStart(2, "0")}${colon ? ":" : ""}${String(minutes % 60).padStart(2, "0")}`;
  return `${offsetMs < 0 ? "-" : "+"}${text}`;
}

function makeZone(id: string): Zone {
  if (id === "UTC") return UTC;
  if (id === "Z" || id === "GMT") return fixedZone(id, 0);
  const match = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/.exec(id);
  if (match !== null) {
    const [, sign, hours, minutes = "0", seconds = "0"] = match;
    const total = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return fixedZone(id, sign === "-" ? -total : total);
  }
  return regionZone(id);
}

function fixedZone(id: string, offset: number): Zone {
  return {
    id,
    fixedOffsetMs: offset,
    offsetMs: () => offset,
    toUtc: (localMs) => localMs - offset,
  };
}

function regionZone(id: string): Zone {
  const format = regionFormat(id);
  const cache = new Map<number, number>();
  const offsetMs = (utcMs: number): number => {
    const slot = Math.floor(utcMs / 900_000);
    const known = cache.get(slot);
    if (known !== undefined) return known;
    const offset = measureOffset(format, slot * 900_000);
    if (cache.size > 100_000) cache.clear();
    cache.set(slot, offset);
    return offset;
  };
  const toUtc = (localMs: number): number => {
    const before = offsetMs(localMs - 86_400_000);
    const after = offsetMs(localMs + 86_400_000);
    if (offsetMs(localMs - before) === before) return localMs - before;
    if (offsetMs(localMs - after) === after) return localMs - after;
    // A gap: the local time does not exist, and moves later by the length of the gap.
    return localMs - before;
  };
  return { id, fixedOffsetMs: undefined, offsetMs, toUtc };
}

function regionFormat(id: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: id,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw illegalArgument(`Unknown time-zone ID: ${id}`);
  }
}

/**
 * The first and the last moment with known offsets. Times outside have the offset at the nearer of
 * the two.
 *
 * The first one is early in the year 1. Before it zones have their local mean time, and `Intl`
 * counts the years backwards.
 */
const FIRST_MS = -62_135_510_400_000;
const LAST_MS = 8_640_000_000_000_000;

/** Measures the offset as the difference between the formatted local time and UTC. */
function measureOffset(format: Intl.DateTimeFormat, anyMs: number): number {
  const utcMs = Math.max(FIRST_MS, Math.min(LAST_MS, anyMs));
  const parts = new Map(
    format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const days = daysFromCivil(part("year"), part("month"), part("day"));
  const local = ((days * 24 + part("hour")) * 60 + part("minute")) * 60_000 + part("second") * 1000;
  return local - Math.floor(utcMs / 1000) * 1000;
}
