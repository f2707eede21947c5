/** What the cluster says of a zone that is out: nothing is found in a lawful state, and each thing that is left behind is. */
import type { Json } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { decommissionedZoneIsEmpty } from "../src/checkers/decommissioned-zone-is-empty.ts";
import { newHistory } from "../src/history.ts";
import { parseScenario } from "../src/index.ts";
import type { ClusterView, ShardView, World } from "../src/world.ts";
import { createTestWorld } from "./world.ts";

const plan = parseScenario(
  "test.yaml",
  `name: test/zones
claim: Used by tests.
clusters: { main: { nodes: 3, zones: [a, b, c] } }
indices: { books: { shards: 1, replicas: 1 } }
phases: { faults: 1s, converge: 60s }
checkers: [decommissioned-zone-is-empty]
`,
);

interface Planted {
  readonly status?: string;
  /** Node by id, with its zone. */
  readonly nodes?: Readonly<Record<string, string>>;
  readonly voters?: readonly string[];
  /** Where the copy of the only shard is. */
  readonly copyOn?: string;
  readonly isSilent?: boolean;
}

/** The checker sees node-3, in zone c, as decommissioned, and what was planted. */
async function judge(planted: Planted = {}): Promise<Finding> {
  const { status = "successful", nodes = { A: "a", B: "b" }, voters = ["A", "B"] } = planted;
  const { copyOn = "node-1", isSilent = false } = planted;
  const zones = Object.entries(nodes);
  const body: Json = {
    nodes: Object.fromEntries(
      zones.map(([id, zone]) => [id, { name: `node-${id}`, attributes: { zone } }]),
    ),
    metadata: {
      decommissionedAttribute: { awareness: { zone: "c" }, status },
      cluster_coordination: { last_committed_config: voters },
    },
  };
  const copy = { index: "books", shard: 0, isPrimary: true, state: "STARTED", node: copyOn };
  const shards = [copy as unknown as ShardView];
  const { world } = createTestWorld(1, plan);
  const told: World = {
    ...world,
    running: () => ["node-1"],
    request: async () => (isSilent ? undefined : { status: 200, body }),
    view: async () => ({ shards }) as unknown as ClusterView,
  };
  return decommissionedZoneIsEmpty.finish?.(told, plan, newHistory());
}

describe("decommissioned-zone-is-empty", () => {
  test("holds for a decommissioned zone without nodes, votes and copies", async () => {
    expect(await judge()).toBeUndefined();
  });

  test("holds for any zone whose decommission failed", async () => {
    const nodes = { A: "a", B: "b", C: "c" };

    expect(await judge({ status: "failed", nodes, copyOn: "node-3" })).toBeUndefined();
  });

  test("finds a node that is left behind", async () => {
    expect(await judge({ nodes: { A: "a", C: "c" }, voters: ["A"] })).toBe(
      "[node-C] is in the cluster, although [zone] [c] is decommissioned",
    );
  });

  test("finds a vote that is left behind", async () => {
    expect(await judge({ voters: ["A", "B", "C"] })).toBe(
      "[C] has a vote and is not in the cluster, although [zone] [c] is decommissioned",
    );
  });

  test("finds a copy that is left behind", async () => {
    expect(await judge({ copyOn: "node-3" })).toBe(
      "a copy of books/0 is on node-3, although [zone] [c] is decommissioned",
    );
  });

  test("finds a cluster that does not answer", async () => {
    expect(await judge({ isSilent: true })).toBe('no state: "no answer"');
  });
});
