/** Responses that are late because their requests waited for something, which is no hang. */

/**
 * True if the response reports a time-out, or leaves shards out of a refresh or a flush: these two wait a minute for
 * the primary of an index, in the product as well.
 */
export function tellsOfTime(uri: string, status: number, text: string): boolean {
  const words = /timed?[_ ]?out|timeout|"(?:shards_)?acknowledged" ?: ?false|"retry/;
  if ([408, 503].includes(status) || words.test(text)) return true;
  return /\/_(?:refresh|flush)(?:$|[?/])/.test(uri) && leavesShardsOut(text);
}

/**
 * True for a request that may prevent the allocation of shards, until another request or the end of the session reverts
 * it.
 */
export function holdsAllocation(method: string, text: string): boolean {
  return method !== "GET" && /allocation|awareness|decommission/.test(text);
}

/**
 * True for requests that may wait for shards, as changes of indices and documents do. The method alone decides: every one
 * but GET and HEAD counts as a change, so a search by POST does, too.
 */
export function waitsForShards(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/**
 * True if successful and failed shards together are fewer than the total. These counts precede the failures, which
 * contain numbers of their own.
 */
function leavesShardsOut(text: string): boolean {
  const [, counts = ""] = /"_shards" ?: ?(\{[^{}[]*)/.exec(text) ?? [];
  const count = (name: string): number =>
    Number(new RegExp(`"${name}" ?: ?(\\d+)`).exec(counts)?.[1]);
  return count("successful") + count("failed") < count("total");
}
