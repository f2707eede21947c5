/** What the states of a cluster say of where copies are: a lawful one passes, and each breach is found. */
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { placementFollowsItsRules } from "../src/checkers/placement-follows-its-rules.ts";
import { newHistory } from "../src/history.ts";
import { parseScenario } from "../src/index.ts";
import type { ClusterView, ShardView, World } from "../src/world.ts";
import type { NewsEvent } from "../src/watchers.ts";
import { createTestWorld } from "./world.ts";

const planWith = (more = "") =>
  parseScenario(
    "test.yaml",
    `name: test/placement
claim: Used by tests.
clusters: { main: { nodes: 3 } }
indices: { books: { shards: 4, replicas: 1 } }
phases: { faults: 1s, converge: 60s }
checkers: [placement-follows-its-rules]
${more}`,
  );

/** `shard@node`, `>` in front of the node it moves to, and a letter for its state: started, initializing, new or unassigned. */
function copies(text: string): readonly ShardView[] {
  return text.split(" ").map((word, i): ShardView => {
    const [, shard, node, to, mark] = /^(\d)@(\w?)(?:>(\w))?:(\w)$/.exec(word) ?? [];
    const states = { s: "STARTED", i: "INITIALIZING", n: "INITIALIZING", u: "UNASSIGNED" } as const;
    return {
      ...{ index: "books", shard: Number(shard), isPrimary: false, isNew: mark === "n" },
      state: to === undefined ? states[mark as keyof typeof states] : "RELOCATING",
      node: node === "" ? undefined : `node-${node}`,
      movesTo: to === undefined ? undefined : `node-${to}`,
      allocationId: `${i}`,
    };
  });
}

function viewOf(text: string, version: number): ClusterView {
  const nodes = ["node-1", "node-2", "node-3"];
  const indices = new Map([["books", {}]]);
  return {
    ...{ version, nodes, indices, clusterManager: "node-1", shards: copies(text) },
  } as unknown as ClusterView;
}

/** What is said of states that follow each other, and of the last one in the end. */
async function judge(states: readonly string[], plan = planWith()): Promise<readonly Finding[]> {
  const { world } = createTestWorld(1, plan);
  let now = 0;
  const seen: World = {
    ...world,
    running: () => ["node-1"],
    view: async () => viewOf(states[now] ?? "", now),
    // Without settings and attributes there are no rules but those of every cluster.
    request: async () => undefined,
  };
  const see = placementFollowsItsRules.start?.(seen, plan);
  const says: Finding[] = [];
  for (const [version] of states.entries()) {
    now = version;
    const event = { kind: "cluster-state-applied", node: "node-1", version };
    see?.(event as unknown as NewsEvent);
    await new Promise((resolve) => setImmediate(resolve));
    says.push(see?.({ kind: "node-started", node: "node-1" } as unknown as NewsEvent));
  }
  now = states.length - 1;
  says.push(await placementFollowsItsRules.finish?.(seen, plan, newHistory()));
  return says.filter((one) => one !== undefined);
}

const even = "0@1:s 0@2:s 1@2:s 1@3:s 2@3:s 2@1:s 3@1:s 3@2:s";

describe("placement-follows-its-rules", () => {
  test("holds for copies that are spread evenly, and for a move while all are active", async () => {
    expect(await judge([even, even.replace("3@2:s", "3@2>3:s"), even])).toEqual([]);
  });

  test("finds two copies of a shard on one node, one that moves there included", async () => {
    expect(await judge([even.replace("0@2:s", "0@1:s")])).toContain(
      "in version 0, two copies of books/0 on node-1",
    );
    expect(await judge([even.replace("0@2:s", "0@2>1:s")])).toEqual([
      "in version 0, two copies of books/0 on node-1",
    ]);
  });

  test("finds a move that begins while a copy is not active", async () => {
    const moves = even.replace("3@2:s", "3@2>3:s").replace("1@2:s", "1@:u");

    expect(await judge([even, moves])).toEqual([
      "in version 1, a copy of books/3 began to move from node-2 to node-3 while one of books/1 was UNASSIGNED",
    ]);
  });

  test("holds for a move that a client asks for, which waits for nothing", async () => {
    const moves = even.replace("3@2:s", "3@2>3:s").replace("1@2:s", "1@:u");
    const plan = planWith("timeline: [{ at: 1s, request: POST /_cluster/reroute, body: {} }]");

    expect(await judge([even, moves], plan)).toEqual([]);
  });

  test("finds more recoveries at a time than a node may receive", async () => {
    const three = even.replaceAll("@1:s", "@1:i");
    const four = even.replaceAll("@1:s", "@1:n");

    expect(await judge([three])).toEqual([
      "in version 0, node-1 receives 3 recoveries of known copies, and may 2",
    ]);
    expect(await judge([four])).toEqual([]);
  });

  test("finds a copy that balance would move, once all have started", async () => {
    const uneven = "0@1:s 0@2:s 1@1:s 1@2:s 2@1:s 2@2:s 3@1:s 3@2:s";

    expect(await judge([uneven])).toEqual([
      "node-1 is heavier than node-3 by 4.00 for [books], and a copy of books/0 stays there",
    ]);
    expect(await judge([uneven.replace("0@1:s", "0@1:i")])).toEqual([]);
  });
});
