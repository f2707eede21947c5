/** `match_none`: no document. */
import { none } from "../search/plan.ts";
import type { Cursor } from "./cursor.ts";
import { parseBasics } from "./match-all.ts";
import type { Query } from "./query.ts";

export function parseMatchNone(at: Cursor): Query {
  const { boost, label } = parseBasics(at, "match_none");
  return { boost, label, build: () => none("match_none") };
}
