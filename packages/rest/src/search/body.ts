/** A search body, refused early when it is malformed: with line and column, before any shard is asked. */
import { checkSearchBody, type SearchLanguage } from "@orrery/query";
import type { JsonObject } from "@orrery/stdx";
import type { Content } from "../content.ts";

export function readSearchBody(language: SearchLanguage, content: Content): JsonObject {
  return checkSearchBody(language, content.bytes, content.json);
}
