/** What a test may say about its cluster. */
import type { Plan } from "@orrery/scenario";
import type { SimulationOptions } from "@orrery/simulator";

export interface ClusterOptions {
  /** How many: `node-1`, `node-2` …; 3 unless it is said. */
  readonly nodes?: number;
  /** Awareness zones, given to the nodes in turn. */
  readonly zones?: readonly string[];
  /** Node settings of all nodes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What all chance of the cluster is drawn from. Without it `ORRERY_SEED`, or one that nobody chose. */
  readonly seed?: number;
  readonly plugins?: NonNullable<SimulationOptions["plugins"]>;
}

export const defaultNodes = 3;

/** The cluster as a plan has it: nodes, and nothing that happens to them. */
export function planOf({ nodes = defaultNodes, zones = [], settings = {} }: ClusterOptions): Plan {
  const planned = Array.from({ length: nodes }, (_, i) => {
    const zone = zones[i % Math.max(1, zones.length)];
    return { name: `node-${i + 1}`, settings: {}, ...(zone === undefined ? {} : { zone }) };
  });
  return {
    name: "test/cluster",
    claim: "What a test says.",
    worlds: ["sim"],
    clusters: [{ name: "main", nodes: planned, settings }],
    indices: [],
    workload: [],
    timeline: [],
    faults: [],
    checkers: [],
    phases: { faultsMs: 0, convergeMs: 60_000 },
  };
}

export function seedOf({ seed }: ClusterOptions): number {
  if (seed !== undefined) return checked(seed);
  const given = process.env["ORRERY_SEED"];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : checked(Number(given));
}

function checked(seed: number): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new RangeError(`a seed must be a whole number from 0 on, not [${seed}]`);
}
