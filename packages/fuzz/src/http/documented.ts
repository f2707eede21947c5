/** Answers of 5xx that are right: the product gives them, too, or they tell a client to come again. */
import type { ToldProblem } from "./judge.ts";

/** Something is not there yet, or no more, or there is too much of it. */
const RETRYABLE = new Set([502, 503, 504]);

/** Type, and words of the reason. */
const rows: readonly (readonly [type: string, reason: RegExp])[] = [
  ["illegal_state_exception", /source_content_type/],
];

export function isDocumented({ status, type, reason }: ToldProblem): boolean {
  if (RETRYABLE.has(status)) return type !== "exception";
  return rows.some(([known, words]) => known === type && words.test(reason));
}
