/** Which of one shard's best documents a client sees, when that shard is all there is. */
import type { JsonObject } from "@orrery/stdx";
import { searchRequestOf } from "../request/search-request.ts";
import type { ShardView } from "../language/view.ts";
import type { TopDoc } from "../language/results.ts";

/** `topDocs`: as the query phase gives them, from the very best on. */
export function pageOf(
  { mapping }: ShardView,
  body: JsonObject,
  topDocs: readonly TopDoc[],
): readonly TopDoc[] {
  const { from, size } = searchRequestOf(mapping.language, body);
  return topDocs.slice(from, from + size);
}
