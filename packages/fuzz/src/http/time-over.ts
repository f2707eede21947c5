/** Answers that come late because of what their requests waited for: that is no hang. */

/**
 * The answer says that a time-out was over, or leaves shards out of a refresh or a flush: these two wait for the primary of an index,
 * a minute in the product, too.
 */
export function tellsOfTime(uri: string, status: number, text: string): boolean {
  const words = /timed?[_ ]?out|timeout|"(?:shards_)?acknowledged" ?: ?false|"retry/;
  if ([408, 503].includes(status) || words.test(text)) return true;
  return /\/_(?:refresh|flush)(?:$|[?/])/.test(uri) && leavesShardsOut(text);
}

/** A request that may keep shards from being allocated, until another one or the end of its session takes that back. */
export function holdsAllocation(method: string, text: string): boolean {
  return method !== "GET" && /allocation|awareness|decommission/.test(text);
}

/** Requests that wait for shards: changes of indices and documents, as all that reads answers without the shards it misses. */
export function waitsForShards(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** The counts stand in front of the failures, which have numbers of their own. */
function leavesShardsOut(text: string): boolean {
  const [, counts = ""] = /"_shards" ?: ?(\{[^{}[]*)/.exec(text) ?? [];
  const count = (name: string): number =>
    Number(new RegExp(`"${name}" ?: ?(\\d+)`).exec(counts)?.[1]);
  return count("successful") + count("failed") < count("total");
}
