/** Sequences of requests, drawn and shrunk. */
import type { Random } from "@orrery/stdx";
import type { Asked } from "./request.ts";
import { pickSequence } from "./sources/table.ts";

export interface MetamorphicCase {
  readonly requests: readonly Asked[];
}

export function drawCase(random: Random): MetamorphicCase {
  return { requests: pickSequence(random) };
}

/** Sequences without a range of requests, the longest range first. */
export function* shrinkCase({ requests }: MetamorphicCase): Iterable<MetamorphicCase> {
  for (let stretch = requests.length >> 1; stretch >= 1; stretch >>= 1)
    for (let from = 0; from < requests.length; from += stretch)
      yield { requests: [...requests.slice(0, from), ...requests.slice(from + stretch)] };
}
