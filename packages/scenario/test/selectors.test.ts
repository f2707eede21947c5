/** Which node a selector names when nodes disagree. */
import { expect, test } from "vitest";
import { selectNodes, type Choice } from "../src/selectors.ts";
import type { ClusterView } from "../src/world.ts";

const viewOf = (clusterManager: string | undefined, term: number): ClusterView => ({
  ...{ clusterManager, term, version: 100 - term, stateUuid: "", nodes: [], shards: [] },
  ...{ nodeIds: new Map(), indices: new Map() },
});

function choiceOf(views: Readonly<Record<string, ClusterView>>): Choice {
  const nodes = Object.keys(views);
  return {
    world: {
      nodes: () => nodes,
      running: () => nodes,
      view: (node) => Promise.resolve(views[node]),
      clusterOf: () => "main",
    },
    pick: ([first = ""]) => first,
    shuffle: (from) => from,
    isExpected: () => false,
    firstCluster: "main",
    zoneOf: () => undefined,
    rolesOf: () => undefined,
  };
}

const elected = (views: Readonly<Record<string, ClusterView>>) =>
  selectNodes("elected-cluster-manager", choiceOf(views));

test("the elected cluster manager is who most nodes name, whatever a node cut off says", async () => {
  const cut = viewOf("node-1", 1);
  const now = viewOf("node-2", 2);

  expect(await elected({ "node-1": cut, "node-2": now, "node-3": now })).toEqual(["node-2"]);
});

test("of two that are named by as many nodes, the one of the later term is the elected one", async () => {
  const cut = viewOf("node-1", 1);
  const now = viewOf("node-2", 2);
  const waiting = viewOf(undefined, 1);

  expect(await elected({ "node-1": cut, "node-2": now, "node-3": waiting })).toEqual(["node-2"]);
});

test("several selectors are all whom they mean, each once", async () => {
  const now = viewOf("node-2", 2);
  const choice = choiceOf({ "node-1": now, "node-2": now, "node-3": now });

  expect(await selectNodes("node-3,elected-cluster-manager,node-2", choice)).toEqual([
    "node-3",
    "node-2",
  ]);
});

test("a node whose roles are not said has those that a node has by default", async () => {
  const now = viewOf("node-1", 1);
  const choice = choiceOf({ "node-1": now });

  expect(await selectNodes("role:data", choice)).toEqual(["node-1"]);
  expect(await selectNodes("role:warm", choice)).toEqual([]);
});
