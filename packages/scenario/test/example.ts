/** The example of README.md and docs/reference/scenario.md; a test runs it. */
import { buildScenario, runScenario } from "@orrery/scenario";

const plan = buildScenario({
  name: "failover/crash",
  claim: "No acknowledged write is lost with the elected cluster manager.",
  clusters: { orrery: { nodes: 3, zones: ["a", "b", "c"] } },
  indices: { books: { shards: 2, replicas: 1 } },
  workload: { kind: "bulk", index: "books", every: "74ms", clients: 2 },
  faults: [{ kind: "crash", node: "elected-cluster-manager", from: "2s", for: "3s" }],
  timeline: [{ at: "4s", request: "POST /books/_refresh" }],
  checkers: ["no-acknowledged-write-lost", "converges-to-green"],
});

export const run = await runScenario(plan, 7);
