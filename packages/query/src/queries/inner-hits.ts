/**
 * The window of `inner_hits`, checked before anything is collected. Source: `InnerHitBuilder`,
 * `NestedQueryBuilder`.
 */
import { illegalArgument, lookup, OperationError } from "@orrery/stdx";
import type { IndexSettings } from "../language/mapping.ts";
import { intOf, members, scalarText, wrapField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/** The name of inner hits, and the window of their documents. */
export interface InnerHitsWindow {
  readonly name: string | undefined;
  readonly from: number;
  readonly size: number;
}

/**
 * An error of inner hits. The enclosing query reports it unchanged, instead of wrapping it as a
 * failure of its own.
 */
export class InnerHitsRefusal extends OperationError {}

/**
 * Parses name and window of `inner_hits`, and skips its other members.
 * @throws BodyError 400
 */
export function parseInnerHits(at: Cursor): InnerHitsWindow {
  let window: InnerHitsWindow = { name: undefined, from: 0, size: 3 };
  for (const [key, member] of members(at)) {
    if (key === "name") window = { ...window, name: scalarText(member) };
    else if (key === "from" || key === "size")
      window = { ...window, [key]: wrapField(member, "inner_hits", () => notNegative(member)) };
  }
  return window;
}

function notNegative(at: Cursor): number {
  const value = intOf(at);
  if (value < 0) throw illegalArgument(`illegal ${at.key} value, at least 0 or higher`);
  return value;
}

/**
 * Checks that `from` plus `size` is within `index.max_inner_result_window`.
 * @throws InnerHitsRefusal
 */
export function checkInnerHits(
  { name, from, size }: InnerHitsWindow,
  settings: IndexSettings,
): void {
  const setting = lookup(settings, "index.max_inner_result_window");
  const limit = typeof setting === "string" ? Number(setting) : 100;
  // The product adds them as ints, which overflow.
  const window = (from + size) | 0;
  if (window > limit) {
    const reason = `Inner result window is too large, the inner hit definition's [${name ?? "null"}]'s from + size must be less than or equal to: [${limit}] but was [${window}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`;
    throw new InnerHitsRefusal({ type: "illegal_argument_exception", reason, status: 400 });
  }
  if (window < 0) refuseCount(window);
}

function refuseCount(count: number): void {
  try {
    checkHitCount(count);
  } catch (error) {
    throw error instanceof OperationError ? new InnerHitsRefusal(error.problem) : error;
  }
}

/**
 * Rejects a number of kept documents that is not above 0, as Lucene's collector does.
 * @throws OperationError 400
 */
export function checkHitCount(count: number): void {
  if (count > 0) return;
  throw illegalArgument(
    "numHits must be > 0; please use TotalHitCountCollectorManager if you just need the total hit count",
  );
}
