/** Sequences drawn from the table of kinds. */
import type { Random } from "@orrery/stdx";
import type { Asked } from "../request.ts";
import { createDraft } from "./draft.ts";
import { kinds } from "./kinds.ts";

const MOST_DRAWN = 60;

export function drawSequence(random: Random): readonly Asked[] {
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
  return requests;
}
