/** Evaluation of date math such as `now+1M/d`: additions and roundings from left to right (`JavaDateMathParser`). */
import { lookup, OperationError } from "@orrery/stdx";
import { civilDate, DAY_MS, dayOfWeek, daysOf, plusMonths } from "./civil-date.ts";

const FIXED_MS: Readonly<Record<string, number>> = {
  w: 7 * DAY_MS,
  d: DAY_MS,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1000,
};

/** The instant in milliseconds since 1970; roundings apply to local time, which is `offsetMs` ahead of UTC. */
export function evaluateDateMath(math: string, nowMs: number, offsetMs: number): number {
  if (!math.startsWith("now")) {
    throw problem(`failed to parse date field [${math}] with format [dateOptionalTime]`);
  }
  let local = nowMs + offsetMs;
  for (let at = 3; at < math.length;) {
    const operator = math.charAt(at);
    const rest = math.slice(at + 1);
    if (!["/", "+", "-"].includes(operator)) {
      throw problem(`operator not supported for date math [${math.slice(3)}]`);
    }
    const match = /^(\d*)(.)/.exec(rest);
    if (match === null) throw problem(`truncated date math [${math.slice(3)}]`);
    const [taken, digits = "", unit = ""] = match;
    if (operator === "/" && digits !== "" && digits !== "1") {
      throw problem(`rounding \`/\` can only be used on single unit types [${math.slice(3)}]`);
    }
    const amount = (operator === "-" ? -1 : 1) * (digits === "" ? 1 : Number(digits));
    local = operator === "/" ? roundDown(local, unit, math) : add(local, amount, unit, math);
    at += 1 + taken.length;
  }
  return local - offsetMs;
}

function add(ms: number, amount: number, unit: string, math: string): number {
  const fixed = lookup(FIXED_MS, unit);
  if (fixed !== undefined) return ms + amount * fixed;
  const days = Math.floor(ms / DAY_MS);
  const months = unit === "y" ? amount * 12 : amount;
  if (unit !== "y" && unit !== "M") throw unsupported(unit, math);
  return daysOf(plusMonths(civilDate(days), months)) * DAY_MS + (ms - days * DAY_MS);
}

function roundDown(ms: number, unit: string, math: string): number {
  const days = Math.floor(ms / DAY_MS);
  const { year, month } = civilDate(days);
  if (unit === "y") return daysOf({ year, month: 1, day: 1 }) * DAY_MS;
  if (unit === "M") return daysOf({ year, month, day: 1 }) * DAY_MS;
  if (unit === "w") return (days - dayOfWeek(days) + 1) * DAY_MS;
  const fixed = lookup(FIXED_MS, unit);
  if (fixed === undefined) throw unsupported(unit, math);
  return Math.floor(ms / fixed) * fixed;
}

function unsupported(unit: string, math: string): OperationError {
  return problem(`unit [${unit}] not supported for date math [${math.slice(3)}]`);
}

function problem(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
