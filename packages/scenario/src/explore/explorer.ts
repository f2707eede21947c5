/**
 * Exploration: choice of the next plan, and learning from its run. Callers run the plans in any number of processes;
 * `next` and `learn` called in the same order return the same results.
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

/** Plan to run next, with its seed. */
export interface Trial {
  /** Number of the trial, from 1. */
  readonly number: number;
  readonly sketch: Sketch;
  readonly seed: number;
  /** Drawn without regard to earlier runs. */
  readonly isDrawn: boolean;
}

/**
 * Result of a trial, from which the explorer learns: verdict, features of behaviour, moments that occurred, and last
 * events.
 */
export interface Outcome {
  readonly verdict: Verdict;
  readonly tuples: readonly string[];
  readonly came: MomentCounts;
  /** Last events except traffic before the end of the run. */
  readonly last: readonly string[];
}

export interface Explorer {
  next(): Trial;
  /** Records the outcome of a trial; returns the number of its new behaviours. */
  learn(trial: Trial, outcome: Omit<Specimen, "sketch" | "seed">): number;
  readonly corpus: Corpus;
}

export interface ExplorerOptions {
  readonly seed: number | string;
  readonly area?: Area;
  /** Plans that an earlier exploration kept. */
  readonly specimens?: readonly Specimen[];
  /** Plans are only drawn, never mutated. */
  readonly isBlind?: boolean;
}

/** Share of drawn plans, in a thousand. */
const DRAWN_PER_MILLE = 250;
/** Number of plans drawn before the first mutation. */
const FIRST_DRAWN = 10;
const HIGHEST_SEED = 1_000_000;

/** Explorer whose choices are a function of its seed and of the calls of `learn`. */
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

/** JSON form of a sketch's plan. */
export function writeSketch(sketch: Sketch, words?: SketchWords): JsonObject {
  return writePlan(planOf(sketch, words));
}

export interface TrialOptions extends RunOptions {
  /** End of the counting of moments: a step cannot wait for later ones. */
  readonly disturbMs?: number;
}

/**
 * Runs a plan from its JSON form, as if it had been read from a file. Returns the verdict and the observed behaviour.
 */
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

/** Sketch stored as JSON; `undefined` if this program cannot run it. */
export function readSketch(json: Json, lab: Lab = {}): Sketch | undefined {
  try {
    const sketch = repaired(json as unknown as Sketch);
    parsePlan("corpus", writeSketch(sketch, lab), lab);
    return sketch;
  } catch {
    return undefined;
  }
}
