/**
 * Exploration: which plan is run next, and what is learnt of it. Whoever runs the plans, and however many at a time, asks `next` and
 * tells `learn`; asked and told in the same order it says the same.
 */
import { createRandom, type Json, type JsonObject } from "@orrery/stdx";
import { runScenario, type RunOptions } from "../run.ts";
import type { Lab } from "../shape.ts";
import { parsePlan } from "../parse.ts";
import { writePlan } from "../plan-shape.ts";
import type { Verdict } from "../verdict.ts";
import type { RecordedEvent } from "../world.ts";
import { createBehaviour } from "./behaviour.ts";
import { createCorpus, type Corpus, type Specimen } from "./corpus.ts";
import { drawSketch } from "./draw-sketch.ts";
import { createMomentCounter, type MomentCounts } from "./moments.ts";
import { mutated } from "./mutate.ts";
import { repaired } from "./repair.ts";
import type { Area } from "./scene.ts";
import { planOf, type Sketch, type SketchWords } from "./sketch.ts";

export interface Trial {
  /** Counts from 1. */
  readonly number: number;
  readonly sketch: Sketch;
  readonly seed: number;
  /** Drawn without a look at what was seen before. */
  readonly isDrawn: boolean;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly tuples: readonly string[];
  readonly came: MomentCounts;
  /** The last pieces of news before it ended. */
  readonly last: readonly string[];
}

export interface Explorer {
  next(): Trial;
  /** How many of its behaviours are new. */
  learn(trial: Trial, outcome: Omit<Specimen, "sketch" | "seed">): number;
  readonly corpus: Corpus;
}

export interface ExplorerOptions {
  readonly seed: number | string;
  readonly area?: Area;
  /** Plans that an earlier exploration kept. */
  readonly specimens?: readonly Specimen[];
  /** Plans are drawn only, never made from others. */
  readonly isBlind?: boolean;
}

/** Of a thousand plans so many are drawn, whatever was seen. */
const DRAWN_PER_MILLE = 250;
/** So many are drawn before any is mutated. */
const FIRST_DRAWN = 10;
const HIGHEST_SEED = 1_000_000;

export function createExplorer({
  seed,
  area,
  specimens = [],
  isBlind = false,
}: ExplorerOptions): Explorer {
  const corpus = createCorpus();
  for (const specimen of specimens) corpus.add(specimen);
  let number = 0;
  return {
    corpus,
    next: () => {
      number += 1;
      const random = createRandom(`explore:${seed}:${area ?? ""}:${number}`);
      const isFirst = number <= FIRST_DRAWN && specimens.length === 0;
      const { length } = corpus.specimens;
      const isDrawn = isBlind || isFirst || length === 0 || random.int(0, 999) < DRAWN_PER_MILLE;
      const sketch = isDrawn
        ? drawSketch(random, area)
        : mutated(corpus.pick(random), random, corpus.pick(random).sketch);
      return { number, sketch, seed: random.int(1, HIGHEST_SEED), isDrawn };
    },
    learn: ({ sketch, seed: run }, { tuples, events, came }) =>
      corpus.add({ sketch, seed: run, tuples, events, came }),
  };
}

/** The written form of a trial's plan. */
export function writeSketch(sketch: Sketch, words?: SketchWords): JsonObject {
  return writePlan(planOf(sketch, words));
}

export interface TrialOptions extends RunOptions {
  /** Moments that come later are not counted, as no step may wait for them. */
  readonly disturbMs?: number;
}

/** Runs the written plan, as a file with it would be run. */
export async function runTrial(
  written: JsonObject,
  seed: number,
  { disturbMs = Infinity, ...options }: TrialOptions = {},
): Promise<Outcome> {
  const plan = parsePlan("explore", written, options);
  const behaviour = createBehaviour();
  const moments = createMomentCounter(disturbMs);
  const onEvent = (event: RecordedEvent): void => {
    behaviour.hear(event);
    moments.hear(event);
  };
  const verdict = await runScenario(plan, seed, { ...options, onEvent });
  return {
    verdict,
    tuples: behaviour.tuples(),
    came: moments.counts(),
    last: behaviour.last(),
  };
}

/** The sketch that was kept as JSON; `undefined` when this program cannot run it. */
export function readSketch(json: Json, lab: Lab = {}): Sketch | undefined {
  try {
    const sketch = repaired(json as unknown as Sketch);
    parsePlan("corpus", writeSketch(sketch, lab), lab);
    return sketch;
  } catch {
    return undefined;
  }
}
