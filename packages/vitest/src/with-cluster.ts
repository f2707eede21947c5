/** Test bodies with a cluster of their own, for any test runner. */
import { endPools, poolOf } from "./pool.ts";
import type { ClusterOptions } from "./options.ts";
import type { TestCluster } from "./test-cluster.ts";

/** Body of a test, which gets a fresh cluster. */
export type ClusterTest = (cluster: TestCluster) => void | Promise<void>;

/** `test("…", withCluster(async (cluster) => …))`. A failing test prints the seed of its cluster. */
export function withCluster(body: ClusterTest, options: ClusterOptions = {}): () => Promise<void> {
  return async () => {
    const pool = poolOf(options);
    const cluster = await pool.take();
    try {
      await body(cluster);
    } catch (error) {
      tell(cluster.seed);
      throw error;
    } finally {
      pool.giveBack(cluster);
    }
  };
}

function tell(seed: number): void {
  process.stderr.write(
    `orrery: the cluster had the seed ${seed}: ORRERY_SEED=${seed} replays it\n`,
  );
}

/** Hooks of a test runner; `after` is node:test's name for `afterAll`. */
export interface Hooks {
  readonly afterAll: (end: () => Promise<void>) => void;
}

/** Closes the clusters of this file after its tests: vitest and jest have `afterAll`, node:test has `after`. */
export function closeClustersAfter({ afterAll }: Hooks): void {
  afterAll(() => endPools());
}
