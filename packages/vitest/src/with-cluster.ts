/** The body of a test with a cluster of its own, in whatever test runner. */
import { endPools, poolOf } from "./pool.ts";
import type { ClusterOptions } from "./options.ts";
import type { TestCluster } from "./test-cluster.ts";

export type ClusterTest = (cluster: TestCluster) => void | Promise<void>;

/** `test("…", withCluster(async (cluster) => …))`. A test that fails tells the seed of its cluster. */
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

/** What test runners call before and after; `after` is what node:test calls `afterAll`. */
export interface Hooks {
  readonly afterAll: (end: () => Promise<void>) => void;
}

/** Closes the clusters of this file when its tests are over: vitest and jest have `afterAll`, node:test has `after`. */
export function closeClustersAfter({ afterAll }: Hooks): void {
  afterAll(() => endPools());
}
