/** Sequences of requests, drawn from the table of kinds, and smaller ones. */
import type { Random } from "@orrery/stdx";
import { createDraft } from "./draft.ts";
import { kinds } from "./kinds.ts";
import type { Asked } from "./request.ts";

export interface MetamorphicCase {
  readonly requests: readonly Asked[];
}

const MOST_DRAWN = 60;

export function drawCase(random: Random): MetamorphicCase {
  const draft = createDraft(random);
  const names = Object.entries(kinds).flatMap(([kind, { weight }]) =>
    Array.from({ length: weight }, () => kind),
  );
  const requests: Asked[] = [];
  for (let drawn = random.int(10, MOST_DRAWN); drawn > 0; drawn -= 1) {
    const kind = random.pick(names);
    const row = new Map(Object.entries(kinds)).get(kind);
    for (const line of row?.draw(draft) ?? []) requests.push({ kind, ...line });
  }
  return { requests };
}

/** Without a stretch of requests, the longest first. */
export function* shrinkCase({ requests }: MetamorphicCase): Iterable<MetamorphicCase> {
  for (let stretch = requests.length >> 1; stretch >= 1; stretch >>= 1)
    for (let from = 0; from < requests.length; from += stretch)
      yield { requests: [...requests.slice(0, from), ...requests.slice(from + stretch)] };
}
