/** Clusters for tests: each test has its own, in virtual time, with real URLs. For vitest, node:test and jest. */
export type { ClusterImage } from "./images.ts";
export type { ClusterOptions } from "./options.ts";
export { createPool, endPools, type ClusterPool } from "./pool.ts";
export {
  createTestCluster,
  type Answer,
  type RequestHow,
  type TestCluster,
} from "./test-cluster.ts";
export { closeClustersAfter, withCluster, type ClusterTest, type Hooks } from "./with-cluster.ts";
