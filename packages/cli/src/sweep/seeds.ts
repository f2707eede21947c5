/** Seeds of a sweep: 1 to N, or the share of one of several machines. */
import { UsageError } from "../usage.ts";

export interface Shard {
  /** Number of the share, from 1. */
  readonly number: number;
  readonly of: number;
}

/** Parses a share of the seeds, such as `2/4`. Throws `UsageError` for any other text. */
export function readShard(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [number, of] = [Number(match?.[1]), Number(match?.[2])];
  if (Number.isSafeInteger(of) && number >= 1 && number <= of) return { number, of };
  throw new UsageError(
    `[--shard] must be of the form [I/N] with I from 1 to N, such as [2/4], not [${text}]`,
  );
}

/** Seeds of the share: each seed belongs to exactly one share, and the sizes of shares differ by at most one. */
export function seedsOf(count: number, { number, of }: Shard): readonly number[] {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  return all.filter((seed) => (seed - 1) % of === number - 1);
}
