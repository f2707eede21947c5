/** Parses a search body and rejects a malformed one with line and column, before any shard is asked. */
import { checkSearchBody, type SearchLanguage } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";
import type { Content } from "../content.ts";

/** The body as an object whose queries, aggregations and sorts parse. Throws with the position of the first error. */
export function readSearchBody(language: SearchLanguage, content: Content): JsonObject {
  return checkSearchBody(language, content.bytes, content.json);
}
