/** `rest_total_hits_as_int`: `hits.total` as a plain number. */
import { javaText, illegalArgument, type JsonObject } from "@orrery/stdx";

/**
 * The body with exact counting of total hits, unless it switches counting on or off itself. Throws when it asks for a
 * limited count.
 */
export function exactTotalHits(body: JsonObject): JsonObject {
  const tracked = body["track_total_hits"];
  if (tracked === undefined || tracked === null) return { ...body, track_total_hits: true };
  if (typeof tracked === "boolean" || tracked === -1) return body;
  throw illegalArgument(
    `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${javaText(tracked)}`,
  );
}
