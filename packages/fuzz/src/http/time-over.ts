/** Answers that come late because of what their requests waited for: that is no hang. */

/**
 * The answer says that a time-out was over, or leaves shards out of a refresh, a flush or a clean-up of caches: such a request waits for
 * an index's primary, a minute in the product, too.
 */
export function tellsOfTime(status: number, text: string): boolean {
  const words = /timed?[_ ]?out|timeout|"(?:shards_)?acknowledged" ?: ?false|"retry/;
  return [408, 503].includes(status) || words.test(text) || leavesShardsOut(text);
}

/** The counts stand in front of the failures, which have numbers of their own. */
function leavesShardsOut(text: string): boolean {
  const [, counts = ""] = /"_shards" ?: ?(\{[^{}[]*)/.exec(text) ?? [];
  const count = (name: string): number =>
    Number(new RegExp(`"${name}" ?: ?(\\d+)`).exec(counts)?.[1]);
  return count("successful") + count("failed") < count("total");
}
