/** Why a document scores what it scores. */
import { createIdKey } from "@orrery/segment";
import type { JsonObject } from "@orrery/stdx";
import { rootCursor } from "../body/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { located } from "../request/check.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import { explainPlan } from "../execution/explanation.ts";
import type { Explanation } from "../language/explanation.ts";
import { prepareSearch } from "../request/prepared.ts";

export type { Explanation } from "../language/explanation.ts";

export interface DocumentExplanation {
  readonly isFound: boolean;
  readonly isMatch: boolean;
  readonly explanation: Explanation | undefined;
}

/** `query` is one query clause. */
export function explainDocument(
  view: ShardView,
  id: string,
  query: JsonObject,
  options: SearchOptions,
): DocumentExplanation {
  const parsed = located(undefined, () => parseQuery(rootCursor(query, view.mapping.language)));
  const prepared = prepareSearch(view, { query: parsed }, options);
  const key = createIdKey(id);
  for (const segment of prepared.searcher.segments) {
    const live = view.segments[segment.ord]?.live;
    const doc = segment.reader.find(key, live);
    if (doc < 0) continue;
    const explanation = explainPlan(prepared.plan, prepared.searcher, { segment, doc });
    return { isFound: true, isMatch: explanation.isMatch, explanation };
  }
  return { isFound: false, isMatch: false, explanation: undefined };
}
