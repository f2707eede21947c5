/** `match_none`: no document. */
import { none } from "../language/plan.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseBasics } from "./match-all.ts";
import type { Query } from "../language/query.ts";

export function parseMatchNone(at: Cursor): Query {
  const { boost, label } = parseBasics(at, "match_none");
  return { boost, label, build: () => none("match_none") };
}
