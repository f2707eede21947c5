/** What the network does to frames at the moment: how long they travel, what becomes of them, which links are cut. */
import type { Random } from "@orrery/stdx";

/** What the network does to frames; probabilities in thousandths. */
export interface NetworkConditions {
  readonly latencyMs: { readonly low: number; readonly high: number };
  readonly lossPerMille: number;
  readonly duplicatePerMille: number;
  readonly reorderPerMille: number;
}

export const calmNetwork: NetworkConditions = {
  latencyMs: { low: 0.1, high: 0.6 },
  lossPerMille: 0,
  duplicatePerMille: 0,
  reorderPerMille: 0,
};

export interface Conditions {
  readonly now: NetworkConditions;
  /** Drawn anew for each frame. */
  latencyMs(): number;
  happens(perMille: number): boolean;
  isCut(a: string, b: string): boolean;
  /** The newest conditions count; returns what takes them back. */
  set(conditions: NetworkConditions): () => void;
  /** Between the two groups, both ways; returns what mends it. */
  cut(inside: readonly string[], outside: readonly string[]): () => void;
}

interface Cut {
  readonly inside: ReadonlySet<string>;
  readonly outside: ReadonlySet<string>;
}

export function createConditions(random: Random): Conditions {
  const cuts = new Set<Cut>();
  let layers: readonly NetworkConditions[] = [];
  let now = calmNetwork;
  return {
    get now() {
      return now;
    },
    latencyMs: () => {
      const { low, high } = now.latencyMs;
      return low + (random.int(0, 1000) / 1000) * (high - low);
    },
    happens: (perMille) => perMille > 0 && random.int(1, 1000) <= perMille,
    isCut: (a, b) => cuts.size > 0 && [...cuts].some((cut) => isAcross(cut, a, b)),
    set: (conditions) => {
      // A copy: the same conditions may be set twice.
      const layer = { ...conditions };
      layers = [...layers, layer];
      now = layer;
      return () => {
        layers = layers.filter((other) => other !== layer);
        now = layers.at(-1) ?? calmNetwork;
      };
    },
    cut: (inside, outside) => {
      const cut = { inside: new Set(inside), outside: new Set(outside) };
      cuts.add(cut);
      return () => void cuts.delete(cut);
    },
  };
}

function isAcross({ inside, outside }: Cut, a: string, b: string): boolean {
  return (inside.has(a) && outside.has(b)) || (inside.has(b) && outside.has(a));
}
