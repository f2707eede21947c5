/** Table of the sources of request sequences. A new source is a file beside this one and its row here. */
import type { Random } from "@orrery/stdx";
import type { Asked } from "../request.ts";
import { drawSequence } from "./drawn.ts";
import { pickRecorded } from "./recorded.ts";
import { pickSuiteCase } from "./suite.ts";

interface Source {
  /** Weight of the source among all sources. */
  readonly weight: number;
  /** Draws a sequence; `undefined` if the source's files are missing, or the drawn one has no requests. */
  readonly pick: (random: Random) => readonly Asked[] | undefined;
}

const sources: readonly Source[] = [
  { weight: 6, pick: drawSequence },
  { weight: 1, pick: pickRecorded },
  { weight: 3, pick: pickSuiteCase },
];

const byWeight = sources.flatMap((source) => Array.from({ length: source.weight }, () => source));

export function pickSequence(random: Random): readonly Asked[] {
  return random.pick(byWeight).pick(random) ?? drawSequence(random);
}
