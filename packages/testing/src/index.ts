/** Clusters for tests: each test has its own, in virtual time, with real URLs. For any test runner, and without one. */
export type { ClusterImage } from "./images.ts";
export {
  matchers,
  type ClusterMatchers,
  type GreenOptions,
  type MatcherOutcome,
  type WaitOptions,
  type WriteAnswer,
} from "./matchers.ts";
export type { ClusterOptions } from "./options.ts";
export { createPool, endPools, type ClusterPool } from "./pool.ts";
export {
  createTestCluster,
  type Answer,
  type RequestHow,
  type TestCluster,
} from "./test-cluster.ts";
export {
  closeClustersAfter,
  clusterLogs,
  withCluster,
  type ClusterTest,
  type Hooks,
} from "./with-cluster.ts";
