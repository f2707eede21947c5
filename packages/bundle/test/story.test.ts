/** The story of a run: what is told, in which words, and what is left out. */
import { describe, expect, test } from "vitest";
import { createStory } from "../src/index.ts";
import type { ObservedState, RecordedEvent } from "../src/types.ts";
import { events, state } from "./runs.ts";

type Entry = RecordedEvent | readonly [atMs: number, state: ObservedState];

function told(entries: readonly Entry[], most?: number) {
  const story = createStory(most);
  for (const entry of entries)
    if ("kind" in entry) story.event(entry);
    else story.state(entry[0], entry[1]);
  return story.end();
}

function sentences(entries: readonly Entry[]): readonly string[] {
  return told(entries).moments.map(({ atMs, says }) => `${atMs} ${says}`);
}

const at = (atMs: number, node: string, event: object): RecordedEvent =>
  ({ at_ms: atMs, node, ...event }) as RecordedEvent;
const elected = (atMs: number, node: string, term: number) =>
  at(atMs, node, { kind: "cluster-manager-elected", nodeId: "id", term });

test("nodes of a cluster that start together are one moment", () => {
  const starts = ["node-2", "node-10", "node-1"].map((node) =>
    at(1, node, { kind: "node-started" }),
  );

  expect(sentences(starts)).toEqual(["1 node-1, node-2 and node-10 start"]);
});

test("a run in which nothing happens has no moments", () => {
  expect(told([])).toEqual({ moments: [], leftOut: 0 });
  expect(sentences([at(5, "node-1", { kind: "timer-fired", delayMs: 3 })])).toEqual([]);
});

test("a fault is told by its effect on the node, with the end of what it took away", () => {
  const fault = { fault: "crash", description: "node-2 (node any)" };

  expect(
    sentences([
      at(1, "node-2", { kind: "node-started" }),
      at(500, "node-2", { kind: "node-crashed" }),
      at(500, "", { kind: "fault-started", ...fault }),
      at(900, "", { kind: "fault-ended", ...fault }),
      at(900, "", { kind: "fault-receipt", ...fault, hits: 1 }),
      at(901, "node-2", { kind: "node-started" }),
    ]),
  ).toEqual(["1 node-2 starts", "500 node-2 loses power", "901 node-2 starts again"]);
});

test("any other fault is told with its targets, and what it changed", () => {
  const fault = { fault: "partition", description: "node-1" };

  expect(
    sentences([
      at(500, "", { kind: "fault-started", ...fault }),
      at(900, "", { kind: "fault-receipt", ...fault, hits: 86 }),
    ]),
  ).toEqual([
    "500 the fault partition begins: node-1",
    "900 the fault partition ends; it changed 86 events",
  ]);
});

test("a promoted primary is told with the nodes that hold it and held it", () => {
  const copies = (atMs: number, version: number, primary: string, primaryTerm: number) =>
    at(atMs, "node-3", {
      ...{ kind: "shard-copies-changed", nodeId: "n3", version, index: "books", indexUuid: "u" },
      ...{ shard: 0, primaryTerm, primary, isRelocated: false, recoverySource: "" },
      ...{ active: primary, inSync: "a,b" },
    });
  const copy = (node: string, allocationId: string) =>
    at(50, node, {
      ...{ kind: "shard-state-changed", nodeId: "n", index: "books", shard: 0 },
      ...{ allocationId, state: "STARTED" },
    });

  expect(
    sentences([
      ...[copy("node-1", "a"), copy("node-2", "b"), copies(100, 4, "a", 1)],
      // The same version, as another node reports it.
      ...[copies(101, 4, "a", 1), copies(2000, 5, "b", 2)],
    ]),
  ).toEqual([
    "100 node-1 holds the primary of books[0]",
    "2000 node-2 holds the primary of books[0], promoted after node-1, primary term 2",
  ]);
});

test("health is told when it changes, for indices that were complete before", () => {
  const [primary, replica] = state.shards;
  if (primary === undefined || replica === undefined) throw new Error("two copies");
  const started = { ...replica, state: "STARTED", node: "node-2", allocationId: "a1" };
  const lost = { ...primary, state: "UNASSIGNED", node: undefined, allocationId: undefined };
  const with_ = (version: number, ...shards: ObservedState["shards"]) => ({
    ...{ ...state, version, shards },
  });

  expect(
    sentences([
      [100, with_(1, primary, replica)],
      [200, with_(2, primary, started)],
      [900, with_(3, primary, replica)],
      [1900, with_(4, lost, replica)],
      [2900, with_(5, primary, started)],
    ]),
  ).toEqual([
    "100 the index books is created",
    "200 every copy is started (green)",
    "900 1 of 2 copies is missing, of books[0] (yellow)",
    "1900 books[0] has no active primary (red)",
    "2900 every copy is started again (green)",
  ]);
});

test("requests of clients that fail or wait are one moment while they follow each other", () => {
  const request = (
    client: string,
    id: number,
    [fromMs, toMs]: readonly number[],
    status: number,
  ) => [
    at(fromMs ?? 0, "", { kind: "client-request", client, id, operation: "POST /books/_bulk" }),
    at(toMs ?? 0, "", {
      ...{ kind: "client-response", client, id, status },
      outcome: status === 0 ? "unknown" : status < 300 ? "ok" : "failed",
    }),
  ];

  expect(
    sentences(
      [
        request("bulk-1", 1, [10, 20], 200),
        request("bulk-1", 2, [1000, 1010], 503),
        request("bulk-2", 1, [1500, 4000], 200),
        request("bulk-2", 2, [4500, 4600], 0),
        // Conflicts are ordinary answers, and other clients than those of workloads are not told.
        request("bulk-2", 3, [9000, 9001], 409),
        request("checker", 1, [9500, 9600], 503),
      ].flat(),
    ),
  ).toEqual([
    "1000 1 request of clients is refused, 1 request gets no answer, 1 request waits up to 2.50 s, until 4.60 s",
  ]);
});

describe("of many moments", () => {
  const many = Array.from({ length: 200 }, (_, i) => elected(i * 1000, `node-${i % 3}`, i + 1));

  test("the most important ones are kept, in order, and the others are counted", () => {
    const { moments, leftOut } = told([
      ...many,
      at(77_500, "node-1", {
        ...{
          kind: "log-entry-quarantined",
          nodeId: "n",
          index: 9,
          term: 2,
          reason: "no such task",
        },
      }),
    ]);

    expect(moments).toHaveLength(20);
    expect(leftOut).toBe(181);
    expect(moments.map(({ says }) => says)).toContain(
      "node-1 cannot apply the log entry 9: no such task",
    );
    const times = moments.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("they are spread over the run", () => {
    const times = told(many).moments.map(({ atMs }) => atMs);

    expect(Math.max(...times)).toBeGreaterThan(150_000);
    expect(Math.min(...times)).toBeLessThan(50_000);
  });

  test("equal runs have equal stories", () => {
    expect(told([...events, [99, state]])).toEqual(told([...events, [99, state]]));
  });
});
