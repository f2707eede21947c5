/** Seeds of a sweep: 1 to N, or the share of one of several machines. */
import { UsageError } from "../usage.ts";

export interface Shard {
  /** Number of the share, from 1. */
  readonly number: number;
  readonly of: number;
}

/**
 * Parses a share of the seeds, such as `2/4`, or `auto/4` for the pod of an Indexed Job of Kubernetes, and `auto` for the
 * job of a matrix that has GitLab's variables. Throws `UsageError` for any other text.
 */
export function readShard(text: string, env: NodeJS.ProcessEnv = process.env): Shard {
  return parsedShard(/^auto(\/|$)/.test(text) ? shardOfMachine(text, env) : text);
}

/** The share of this machine as text, by the variables of the program that started it. */
function shardOfMachine(text: string, env: NodeJS.ProcessEnv): string {
  const of =
    /^auto\/(\d+)$/.exec(text)?.[1] ?? (text === "auto" ? env["CI_NODE_TOTAL"] : undefined);
  const index = env["JOB_COMPLETION_INDEX"];
  const number =
    index !== undefined && /^\d+$/.test(index) ? Number(index) + 1 : env["CI_NODE_INDEX"];
  if (of !== undefined && number !== undefined) return `${number}/${of}`;
  throw new UsageError(
    `[--shard ${text}] needs the number of this machine: [auto/N] reads JOB_COMPLETION_INDEX or CI_NODE_INDEX, [auto] also CI_NODE_TOTAL`,
  );
}

function parsedShard(text: string): Shard {
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
