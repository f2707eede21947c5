/** Reader of search answers: the documents that they return. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf, type Page } from "../history.ts";

/** Hits of an answer; `undefined` if it is no search answer. */
export function pageOf(body: Json): Page | undefined {
  const found = isJsonObject(body) ? body["hits"] : undefined;
  if (!isJsonObject(body) || !isJsonObject(found) || !Array.isArray(found["hits"]))
    return undefined;
  const total = isJsonObject(found["total"]) ? found["total"]["value"] : undefined;
  const shards = body["_shards"];
  const hits = (found["hits"] as readonly Json[]).filter(isJsonObject).map((hit) => ({
    document: String(hit["_id"]),
    value: contentOf(hit["_source"]) ?? null,
  }));
  return {
    hits,
    isWhole: isJsonObject(shards) && shards["successful"] === shards["total"],
    ...(typeof total === "number" ? { total } : {}),
  };
}
