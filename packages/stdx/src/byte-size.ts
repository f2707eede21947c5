/** Byte sizes as OpenSearch writes them (`ByteSizeValue`): `512mb`, `1.5kb`, `-1`. */

import { illegalArgument, type OperationError, type Problem } from "./problem.ts";

const SUFFIXES = ["b", "kb", "mb", "gb", "tb", "pb"];

/** Bytes of a text such as `1.5kb`, rounded down; `-1` and `0` need no unit. `undefined`: the text is no byte size. */
export function parseByteSize(text: string): number | undefined {
  const clean = text.trim().toLowerCase();
  if (clean === "-1" || clean === "0") return Number(clean);
  const match = /^(\d+(?:\.\d+)?)(b|kb?|mb?|gb?|tb?|pb?)$/.exec(clean);
  if (!match) return undefined;
  const power = SUFFIXES.findIndex((suffix) => suffix.startsWith(match[2] ?? "b"));
  return Math.floor(Number(match[1]) * 1024 ** power);
}

/**
 * The bytes of a setting's text (`ByteSizeValue.parseBytesSizeValue`).
 * @throws OperationError The product's refusal, with its causes.
 */
export function byteSizeOf(setting: string, given: string): number {
  const clean = given.trim().toLowerCase();
  if (clean === "-1" || clean === "0") return Number(clean);
  const suffix = /(?:[kmgtp]b?|b)$/.exec(clean)?.[0];
  const named = `failed to parse setting [${setting}] with value [${given}] as a size in bytes`;
  if (suffix === undefined) throw unparsable(`${named}: unit is missing or unrecognized`);
  const amount = clean.slice(0, -suffix.length).trim();
  const badNumber = {
    type: "number_format_exception",
    reason: `For input string: "${amount}"`,
    status: 400,
  };
  if (!/^[+-]?\d+$/.test(amount)) {
    if (suffix === "b") {
      throw illegalArgument(`Failed to parse value [${given}] for setting [${setting}]`, badNumber);
    }
    const isFraction = amount !== "" && Number.isFinite(Number(amount));
    const fraction = `Failed to parse bytes value [${given}]. Fractional bytes values have been deprecated since Legacy 6.2. Use non-fractional bytes values instead: found for setting [${setting}]`;
    throw unparsable(isFraction ? fraction : `failed to parse [${given}]`, badNumber);
  }
  const power = SUFFIXES.findIndex((known) => known.startsWith(suffix));
  const bytes = Number(amount) * 1024 ** power;
  const complaint =
    bytes < -1
      ? "Values less than -1 bytes are not supported"
      : bytes > 2 ** 63
        ? "Values greater than 9223372036854775807 bytes are not supported"
        : undefined;
  if (complaint === undefined) return bytes;
  const reason = `${complaint}: ${Number(amount)}${SUFFIXES[power] ?? "b"}`;
  throw unparsable(named, { type: "illegal_argument_exception", reason, status: 400 });
}

function unparsable(reason: string, causedBy?: Problem): OperationError {
  const cause: Problem = { type: "parse_exception", reason, status: 400 };
  return illegalArgument(reason, causedBy === undefined ? cause : { ...cause, causedBy });
}

/**
 * Formats bytes as `ByteSizeValue.toString` does: in the largest unit that gives at least 1, truncated to at
 * most one decimal. A negative number has no unit.
 */
export function formatByteSize(bytes: number): string {
  if (bytes < 0) return String(bytes);
  let power = 0;
  while (power < SUFFIXES.length - 1 && bytes >= 1024 ** (power + 1)) power += 1;
  const amount = Math.floor((bytes / 1024 ** power) * 10) / 10;
  return `${amount}${SUFFIXES[power] ?? "b"}`;
}
