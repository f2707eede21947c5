/** Lists, times and numbers in the sentences of a story. */

/** Longest list; the rest is counted. */
const MOST_LISTED = 4;

/** List in words: `a`, `a and b`, `a, b, c, d and 3 more`. */
export function listed(parts: readonly string[]): string {
  if (parts.length <= 1) return parts[0] ?? "";
  if (parts.length > MOST_LISTED)
    return `${parts.slice(0, MOST_LISTED).join(", ")} and ${parts.length - MOST_LISTED} more`;
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Time of a run: `1.92 s`, from 100 seconds on `312.4 s`. */
export function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 99_995 ? 2 : 1)} s`;
}

/** Number with its noun: `1 request`, `1,402 requests`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Shard as `books[0]`. */
export function shardName(index: string, shard: number): string {
  return `${index}[${shard}]`;
}
