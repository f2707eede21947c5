/** `_explain`: the score of one document under a query, and its derivation. */
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

/**
 * `isFound`: the document exists; `isMatch`: the query matches it. `explanation` is `undefined` if
 * the document is missing.
 */
export interface DocumentExplanation {
  readonly isFound: boolean;
  readonly isMatch: boolean;
  readonly explanation: Explanation | undefined;
}

/**
 * Finds a document by its id and explains its score; `query` is one query clause.
 * @throws OperationError if the query cannot be parsed, or not be built for this shard
 */
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
