/**
 * Corpus of an exploration: for each behaviour the cheapest plan that showed it. A plan that shows nothing new or
 * cheaper is not kept; a cheaper plan with the same behaviours replaces its parent.
 */
import type { Random } from "@orrery/stdx";
import type { MomentCounts } from "./moments.ts";
import type { Sketch } from "./sketch.ts";

/** Plan that was run, with its observed behaviour. */
export interface Specimen {
  readonly sketch: Sketch;
  readonly seed: number;
  readonly tuples: readonly string[];
  /** Number of events of its run, independent of the machine. */
  readonly events: number;
  readonly came: MomentCounts;
}

export interface Corpus {
  /** Adds a plan; returns the number of its behaviours that no plan showed before. */
  add(specimen: Specimen): number;
  /** Draws a plan, preferring rare behaviours and plans drawn seldom before. */
  pick(random: Random): Specimen;
  readonly behaviours: number;
  readonly specimens: readonly Specimen[];
}

interface Kept {
  readonly specimen: Specimen;
  /** Behaviours that no cheaper plan shows. */
  readonly owned: Set<string>;
  picks: number;
}

export function createCorpus(): Corpus {
  const runs = new Map<string, number>();
  const owners = new Map<string, Kept>();
  const kept = new Set<Kept>();

  const energyOf = ({ specimen, owned, picks }: Kept): number => {
    let rarest = Infinity;
    for (const tuple of owned) rarest = Math.min(rarest, runs.get(tuple) ?? 1);
    const cheap = Math.min(3, Math.max(0.1, TYPICAL_EVENTS / specimen.events));
    return cheap / (rarest * (1 + picks));
  };

  return {
    add: (specimen) => {
      const candidate: Kept = { specimen, owned: new Set(), picks: 0 };
      let fresh = 0;
      for (const tuple of specimen.tuples) {
        const times = runs.get(tuple) ?? 0;
        runs.set(tuple, times + 1);
        if (times === 0) fresh += 1;
        const owner = owners.get(tuple);
        if (owner !== undefined && owner.specimen.events <= specimen.events) continue;
        owners.set(tuple, candidate);
        candidate.owned.add(tuple);
        owner?.owned.delete(tuple);
        if (owner?.owned.size === 0) kept.delete(owner);
      }
      if (candidate.owned.size > 0) kept.add(candidate);
      return fresh;
    },
    pick: (random) => {
      const all = [...kept].map((one) => ({ one, energy: energyOf(one) }));
      let left = random.float() * all.reduce((sum, { energy }) => sum + energy, 0);
      const found = all.find(({ energy }) => (left -= energy) <= 0) ?? all.at(-1);
      if (found === undefined) throw new RangeError("nothing to pick from");
      found.one.picks += 1;
      return found.one.specimen;
    },
    get behaviours() {
      return runs.size;
    },
    get specimens() {
      return [...kept].map(({ specimen }) => specimen);
    },
  };
}

const TYPICAL_EVENTS = 20_000;
