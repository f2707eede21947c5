/** Start of a test's cluster. The simulation is loaded with the first one: not every file of a suite needs it. */
import type { ClusterOptions } from "./options.ts";
import type { TestCluster } from "./test-cluster.ts";

export async function createTestCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const { startTestCluster } = await import("./test-cluster.ts");
  return startTestCluster(options);
}
