/**
 * `minimum_should_match`: `2`, `-1`, `75%`, `2<-25% 9<-3`. Source:
 * `Queries.calculateMinShouldMatch`.
 */
import { numberFormat } from "../body/cursor.ts";

/**
 * The number of `optionalClauses` that must match: at least 0, and possibly more than there are.
 * Percentages are computed in floats, as in Java.
 * @throws OperationError 400 `number_format_exception`
 */
export function minimumShouldMatch(optionalClauses: number, spec: string): number {
  const trimmed = spec.trim();
  let result = optionalClauses;
  if (trimmed.includes("<")) {
    for (const condition of withoutBlanksAround(trimmed).split(/\s+/)) {
      const [bound = "", then = ""] = condition.split("<");
      if (optionalClauses <= parseNumber(bound)) return result;
      result = minimumShouldMatch(optionalClauses, then);
    }
    return result;
  }
  if (trimmed.includes("%")) {
    const percent = parseNumber(trimmed.slice(0, trimmed.indexOf("%")));
    const calculated = Math.trunc(Math.fround(result * percent * Math.fround(1 / 100)));
    result = calculated < 0 ? result + calculated : calculated;
  } else {
    const calculated = parseNumber(trimmed);
    result = calculated < 0 ? result + calculated : calculated;
  }
  return Math.max(0, result);
}

function withoutBlanksAround(spec: string): string {
  const parts = spec.split("<");
  return parts.map((part) => part.trim()).join("<");
}

function parseNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw numberFormat(text);
  const number = Number(text);
  if (Math.abs(number) > 2_147_483_647) throw numberFormat(text);
  return number;
}
