/** The page of a search that has one shard, without a reduction. */
import type { JsonObject } from "@orrery/stdx";
import { searchRequestOf } from "../request/search-request.ts";
import type { ShardView } from "../language/view.ts";
import type { TopDoc } from "../language/results.ts";

/**
 * The documents after `from`, at most `size`. `topDocs` are those of the query phase, from the best
 * one on.
 */
export function pageOf(
  { mapping }: ShardView,
  body: JsonObject,
  topDocs: readonly TopDoc[],
): readonly TopDoc[] {
  const { from, size } = searchRequestOf(mapping.language, body);
  return topDocs.slice(from, from + size);
}
