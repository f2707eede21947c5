/** Pool of clusters that are ready before a test asks for one; each test gets a fresh one. */
import type { ClusterOptions } from "./options.ts";
import { seedOf } from "./seed.ts";
import { createTestCluster, type TestCluster } from "./test-cluster.ts";

export interface ClusterPool {
  /** Takes a fresh cluster; the caller returns it with `giveBack`. */
  take(): Promise<TestCluster>;
  /** Resets the cluster in the background and returns it to the pool. A new cluster replaces it if the reset fails. */
  giveBack(cluster: TestCluster): void;
  /** Closes all clusters. */
  end(): Promise<void>;
}

export function createPool(options: ClusterOptions = {}): ClusterPool {
  // One seed for all clusters of the pool, so that the printed seed replays the test.
  const own = { ...options, seed: seedOf(options) };
  const all = new Set<TestCluster>();
  let isEnded = false;
  const ready: Promise<TestCluster>[] = [];
  const make = async (): Promise<TestCluster> => {
    const cluster = await createTestCluster(own);
    all.add(cluster);
    return cluster;
  };
  return {
    take: () => ready.shift() ?? make(),
    giveBack: (cluster) => {
      // A test that outlives its time limit returns its cluster after the end of its file.
      if (isEnded) return;
      const renewed = cluster.reset().then(
        () => cluster,
        // A cluster that cannot be reset is replaced by a new one.
        async () => {
          all.delete(cluster);
          await cluster.close();
          return make();
        },
      );
      renewed.catch(() => undefined);
      ready.push(renewed);
    },
    end: async () => {
      isEnded = true;
      await Promise.allSettled(ready);
      await Promise.all([...all].map((cluster) => cluster.close()));
      all.clear();
      ready.length = 0;
    },
  };
}

/** Pools by product and by the other options of the cluster. */
const pools = new Map<ClusterOptions["product"], Map<string, ClusterPool>>();

/** Pool shared by all tests of this process with the same options. */
export function poolOf(options: ClusterOptions): ClusterPool {
  const { product, ...others } = options;
  const alike = pools.get(product) ?? new Map<string, ClusterPool>();
  const key = JSON.stringify(Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const pool = alike.get(key) ?? createPool(options);
  pools.set(product, alike.set(key, pool));
  return pool;
}

/** Closes every pool of this process. */
export async function endPools(): Promise<void> {
  const open = [...pools.values()].flatMap((alike) => [...alike.values()]);
  pools.clear();
  await Promise.all(open.map((pool) => pool.end()));
}
