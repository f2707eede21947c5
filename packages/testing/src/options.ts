/** Options of a test's cluster. */
import { buildScenario, type Plan, type Scenario } from "@orrery/scenario";
import type { SimulationOptions } from "@orrery/simulator";

export interface ClusterOptions {
  /** Number of nodes, named `node-1`, `node-2` …; default 3. */
  readonly nodes?: number;
  /** Awareness zones, assigned to the nodes in turn. */
  readonly zones?: readonly string[];
  /** Settings of all nodes. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Seed of all random draws of the cluster. Default: `ORRERY_SEED`, else a random seed. */
  readonly seed?: number;
  /**
   * How time passes. `virtual` (the default): it stands still unless a caller waits for the cluster or the test advances it,
   * and an hour takes milliseconds. `real`: as on the machine, for programs under test that wait by timers of their own.
   */
  readonly time?: "virtual" | "real";
  /** Product that the nodes run; default: the product without plugins. */
  readonly product?: NonNullable<SimulationOptions["product"]>;
}

export const defaultNodes = 3;
const MOST_NODES = 100;

/** Plan with the nodes of the cluster and no workload or faults. Throws an error that names the invalid option. */
export function planOf(options: ClusterOptions): Plan {
  const { nodes = defaultNodes, zones = [], settings = {}, time = "virtual", product } = options;
  if (!["virtual", "real"].includes(time))
    throw new RangeError(`[time] of a test cluster must be [virtual] or [real], not [${time}]`);
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > MOST_NODES)
    throw new RangeError(
      `[nodes] of a test cluster must be a whole number from 1 to ${MOST_NODES}, not [${nodes}]`,
    );
  const scenario: Scenario = {
    name: "test/cluster",
    claim: "What a test says.",
    worlds: "sim",
    clusters: { main: { nodes, zones, settings } },
    phases: { faults: "0ms", converge: "60s" },
  };
  return buildScenario(scenario, product === undefined ? {} : { product });
}
