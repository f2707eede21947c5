/** Clusters that are ready before a test asks for one: each test has its own, as new. */
import { createTestCluster, type TestCluster } from "./test-cluster.ts";
import { planOf, seedOf, type ClusterOptions } from "./options.ts";

export interface ClusterPool {
  /** As new; to be given back. */
  take(): Promise<TestCluster>;
  /** It is made as new in the background. */
  giveBack(cluster: TestCluster): void;
  /** Closes all of them. */
  end(): Promise<void>;
}

export function createPool(options: ClusterOptions = {}): ClusterPool {
  // One seed for all of them: what a failing test tells replays it.
  const own = { ...options, seed: seedOf(options) };
  const all = new Set<TestCluster>();
  const ready: Promise<TestCluster>[] = [];
  const make = async (): Promise<TestCluster> => {
    const cluster = await createTestCluster(own);
    all.add(cluster);
    return cluster;
  };
  return {
    take: () => ready.shift() ?? make(),
    giveBack: (cluster) => {
      const renewed = cluster.reset().then(
        () => cluster,
        // Whatever broke it, the next test has another one.
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
      await Promise.allSettled(ready);
      await Promise.all([...all].map((cluster) => cluster.close()));
      all.clear();
      ready.length = 0;
    },
  };
}

/** By what nodes are made of, and the cluster that is wanted. */
const pools = new Map<ClusterOptions["product"], Map<string, ClusterPool>>();

/** One pool for all tests of this process that want the same cluster. */
export function poolOf(options: ClusterOptions): ClusterPool {
  const { seed, product } = options;
  const alike = pools.get(product) ?? new Map<string, ClusterPool>();
  const key = JSON.stringify([planOf(options), seed]);
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
