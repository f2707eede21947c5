/**
 * Date math in index names (`DateMathExpressionResolver`): `<logs-{now/d{yyyy.MM.dd|+02:00}}>`. Time zones are fixed
 * offsets.
 */
import { OperationError } from "@orrery/stdx";
import { formatDate } from "./format-date.ts";
import { evaluateDateMath } from "./evaluate-date-math.ts";

const DEFAULT_FORMAT = "yyyy.MM.dd";

/**
 * The name that a date math expression stands for; any other expression unchanged. Throws `OperationError` for
 * malformed date math.
 */
export function resolveDateMath(expression: string, nowMs: number): string {
  if (!expression.startsWith("<") || !expression.endsWith(">") || expression.length < 3) {
    return expression;
  }
  const body = expression.slice(1, -1);
  let name = "";
  for (let at = 0; at < body.length;) {
    const char = body.charAt(at);
    if (char === "\\") {
      name += body.charAt(at + 1);
      at += 2;
    } else if (char === "{") {
      const end = placeholderEnd(body, at);
      name += resolvePlaceholder(body.slice(at + 1, end), body, nowMs);
      at = end + 1;
    } else if (char === "}") {
      throw parseProblem(
        `invalid dynamic name expression [${body}]. invalid character at position [${at}]. \`{\` and \`}\` are reserved characters and should be escaped when used as part of the index name using \`\\\` (e.g. \`\\{text\\}\`)`,
      );
    } else {
      name += char;
      at += 1;
    }
  }
  if (name === "") throw parseProblem("nothing captured");
  return name;
}

function placeholderEnd(body: string, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at += 1) {
    if (body.charAt(at) === "\\") at += 1;
    else if (body.charAt(at) === "{") depth += 1;
    else if (body.charAt(at) === "}") depth -= 1;
    if (depth === 0) return at;
  }
  throw parseProblem(
    `invalid dynamic name expression [${body}]. date math placeholder is open ended`,
  );
}

function resolvePlaceholder(placeholder: string, body: string, nowMs: number): string {
  const open = placeholder.indexOf("{");
  const math = open < 0 ? placeholder : placeholder.slice(0, open);
  const pattern = open < 0 ? "" : placeholder.slice(open + 1, placeholder.lastIndexOf("}"));
  if (open >= 0 && !placeholder.endsWith("}")) {
    throw parseProblem(
      `invalid dynamic name expression [${body}]. missing closing \`}\` for date math format`,
    );
  }
  if (open >= 0 && pattern === "") {
    throw parseProblem(`invalid dynamic name expression [${math}]. missing date format`);
  }
  const [format = DEFAULT_FORMAT, zone = "UTC"] = pattern === "" ? [] : pattern.split("|");
  const offsetMs = zoneOffsetMs(zone);
  return formatDate(evaluateDateMath(math, nowMs, offsetMs) + offsetMs, format);
}

function zoneOffsetMs(zone: string): number {
  if (["UTC", "Z", "GMT", "UT"].includes(zone)) return 0;
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone);
  if (match === null) {
    throw new OperationError({
      type: "zone_rules_exception",
      reason: `Unknown time-zone ID: ${zone}`,
      status: 400,
    });
  }
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}

function parseProblem(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
