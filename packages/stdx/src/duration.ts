/** Time values as OpenSearch writes them (`TimeValue`): `30s`, `1.5h`, `-1`. */

const UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ["nanos", 1e-6],
  ["micros", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
];

/** Limit of the amount and of the milliseconds: a Java long. */
const MAX_AMOUNT = 2 ** 63;

/** Milliseconds of a text such as `1.5h`; `-1` and `0` need no unit. `undefined`: the text is no time value. */
export function parseDuration(text: string): number | undefined {
  const clean = text.trim().toLowerCase();
  if (clean === "-1") return -1;
  if (/^0+$/.test(clean)) return 0;
  // `M` means months elsewhere: the one unit whose case counts.
  if (text.trim().endsWith("M")) return undefined;
  const match = /^(-?\d+(?:\.\d+)?)(nanos|micros|ms|s|m|h|d)$/.exec(clean);
  if (!match) return undefined;
  const amount = Number(match[1]);
  const unit = UNITS.find(([suffix]) => suffix === match[2]);
  if (unit === undefined || (amount < 0 && amount !== -1) || amount > MAX_AMOUNT) return undefined;
  return amount === -1 ? -1 : Math.min(amount * unit[1], MAX_AMOUNT);
}

/**
 * Formats milliseconds as `TimeValue.toString` does: in the largest unit that gives at least 1, truncated to at
 * most one decimal. A negative number has no unit.
 */
export function formatDuration(ms: number): string {
  if (ms < 0) return String(ms);
  if (ms === 0) return "0s";
  const unit = UNITS.toReversed().find(([, size]) => ms >= size) ?? ["nanos", 1e-6];
  const amount = Math.floor((ms / unit[1]) * 10 + 1e-9) / 10;
  return `${amount}${unit[0]}`;
}
