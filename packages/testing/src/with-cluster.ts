/** Test bodies with a cluster of their own, for any test runner. */
import { endPools, poolOf } from "./pool.ts";
import type { ClusterOptions } from "./options.ts";
import type { TestCluster } from "./test-cluster.ts";

/** Body of a test, which gets a fresh cluster. */
export type ClusterTest = (cluster: TestCluster) => void | Promise<void>;

/** Part of vitest's context of a test. */
interface FailureHook {
  onTestFailed(tell: () => void): void;
}

/**
 * `test("…", withCluster(async (cluster) => …))`. A failing test prints the seed of its cluster and the logs of its nodes; under
 * vitest also if it exceeds its time limit.
 */
export function withCluster(body: ClusterTest, options: ClusterOptions = {}): () => Promise<void> {
  // Without a parameter: jest gives a callback to a test that has one, vitest parses those of a test with fixtures.
  return async function testWithCluster(): Promise<void> {
    const context: unknown = arguments[0];
    const pool = poolOf(options);
    const cluster = await pool.take();
    let account = (): string => accountOf(cluster);
    const tell = (): void => void process.stderr.write(account());
    const isHooked = hasFailureHook(context);
    if (isHooked) context.onTestFailed(tell);
    try {
      await body(cluster);
    } catch (error) {
      if (!isHooked) tell();
      throw error;
    } finally {
      // The next test may have the cluster when the runner reports the failure.
      const last = accountOf(cluster);
      account = () => last;
      pool.giveBack(cluster);
    }
  };
}

function hasFailureHook(context: unknown): context is FailureHook {
  return typeof (context as Partial<FailureHook> | undefined)?.onTestFailed === "function";
}

function accountOf(cluster: TestCluster): string {
  const { seed } = cluster;
  return `orrery: the cluster had the seed ${seed}: ORRERY_SEED=${seed} replays it\n${clusterLogs(cluster)}`;
}

/** Logs of the nodes since the test began, as text; empty if nothing was logged. */
export function clusterLogs(cluster: TestCluster): string {
  return cluster
    .logs()
    .map((line) => `  ${line}\n`)
    .join("");
}

/** Hooks of a test runner; `after` is node:test's name for `afterAll`. */
export interface Hooks {
  readonly afterAll: (end: () => Promise<void>) => void;
}

/** Closes the clusters of this file after its tests: vitest and jest have `afterAll`, node:test has `after`. */
export function closeClustersAfter({ afterAll }: Hooks): void {
  afterAll(() => endPools());
}
