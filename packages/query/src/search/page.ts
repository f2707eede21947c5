/** Which of one shard's best documents a client sees, when that shard is all there is. */
import type { JsonObject } from "@orrery/stdx";
import { searchRequestOf } from "../request/search-request.ts";
import type { TopDoc } from "../types.ts";

/** `topDocs`: as the query phase gives them, from the very best on. */
export function pageOf(topDocs: readonly TopDoc[], body: JsonObject): readonly TopDoc[] {
  const { from, size } = searchRequestOf(body);
  return topDocs.slice(from, from + size);
}
