/** Which remote clusters have an address to connect to. */
import { expect, test } from "vitest";
import { coreRules, applyTask, initialState, remoteClustersOf } from "../src/index.ts";

test("an empty address is none", () => {
  const outcome = applyTask(
    initialState("orrery"),
    {
      kind: "update-cluster-settings",
      persistent: { "cluster.remote.a.seeds": [""], "cluster.remote.b.seeds": "host:9300" },
      transient: {},
    },
    coreRules,
  );
  if (outcome.kind !== "updated") throw new Error(outcome.kind);

  const found = remoteClustersOf(outcome.state).map(({ alias, addresses }) => [alias, addresses]);

  expect(found).toEqual([["b", ["host:9300"]]]);
});
