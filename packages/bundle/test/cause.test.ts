/** The cause of a finding: the chain from what was promised, over what struck, to what was found. */
import { expect, test } from "vitest";
import { causeOf, createEvidence } from "../src/index.ts";
import type { Finding, ObservedCopy, ObservedState, RecordedEvent } from "../src/types.ts";

const at = (atMs: number, node: string, event: object): RecordedEvent =>
  ({ at_ms: atMs, node, ...event }) as RecordedEvent;

const copy = (node: string, isPrimary: boolean): ObservedCopy => ({
  ...{ index: "books", shard: 3, isPrimary, state: "STARTED", node, allocationId: `of ${node}` },
});

const state: ObservedState = {
  ...{ cluster: "", version: 4, term: 1, clusterManager: "node-1", nodes: [] },
  indices: new Map([["books", { uuid: "u" }]]),
  shards: [copy("node-1", true), copy("node-2", false)],
};

const changed = at(60, "node-1", {
  ...{ kind: "shard-copies-changed", nodeId: "n", version: 4, index: "books", indexUuid: "u" },
  ...{ shard: 3, primaryTerm: 1, primary: "of node-1", isRelocated: false, recoverySource: "" },
  ...{ active: "of node-1,of node-2", inSync: "of node-1,of node-2" },
});
const synced = (atMs: number, node: string) =>
  at(atMs, node, { kind: "disk-synced", path: "indices/u/3/translog/translog-2.ckp" });
const fault = (fromMs: number, toMs: number, kind: string, description: string) => [
  at(fromMs, "", { kind: "fault-started", fault: kind, description }),
  at(toMs, "", { kind: "fault-ended", fault: kind, description }),
];
const outage = (fromMs: number, toMs: number, node: string) => [
  at(fromMs, node, { kind: "node-crashed" }),
  at(toMs, node, { kind: "node-started" }),
];

const lost: Finding = {
  ...{ invariant: "INV-DATA-1", checker: "no-acknowledged-write-lost", says: "lost", atMs: 5000 },
  subjects: [
    {
      ...{ index: "books", document: "books-3-17", shard: 3, node: "node-4", client: "bulk-1" },
      ...{ request: 9, operation: "index", sentMs: 1910, answeredMs: 1920, seqNo: 41 },
    },
  ],
};

function chain(finding: Finding, events: readonly RecordedEvent[]): readonly string[] {
  const evidence = createEvidence();
  evidence.state(50, state);
  for (const event of events.toSorted((a, b) => a.at_ms - b.at_ms)) evidence.event(event);
  return causeOf(finding, evidence)?.links.map(({ kind, says }) => `${kind}: ${says}`) ?? [];
}

const written =
  "write: document books-3-17 of books[3] was acknowledged by node-4 at 1.92 s (sent at 1.91 s, sequence number 41); books[3] had the primary on node-1 and replicas on node-2";

test("a lost write is linked with the power loss before its sync, and the restart", () => {
  expect(
    chain(lost, [
      ...[changed, synced(200, "node-1"), synced(300, "node-2"), synced(4000, "node-1")],
      ...[...outage(2000, 3000, "node-1"), ...outage(2000, 3000, "node-2")],
      ...fault(2000, 3000, "crash", "node-1, node-2"),
      // Not to blame: it struck after the loss, or another node.
      ...fault(3500, 4000, "delay", "node-1 -> node-2"),
      ...outage(2500, 2600, "node-3"),
    ]),
  ).toEqual([
    written,
    "fault: node-1 and node-2 lost power (fault crash) at 2.00 s before their translogs were synced: the last syncs were at 0.20 s and 0.30 s, before the write",
    "recovery: node-1 and node-2 started again at 3.00 s",
    "loss: after the restart at 3.00 s no copy has books-3-17 as it was acknowledged, read at 5.00 s",
  ]);
});

test("a lost write that was synced is linked with all that struck its copies, and the next primary", () => {
  const promoted = { ...changed, at_ms: 2700, version: 5, primary: "of node-2" } as RecordedEvent;

  expect(
    chain(lost, [
      ...[changed, synced(1950, "node-1"), promoted],
      ...[...fault(1900, 2600, "partition", "node-2"), ...outage(2650, 3100, "node-1")],
    ]),
  ).toEqual([
    "fault: the fault partition (node-2) lasted from 1.90 s until 2.60 s",
    written,
    "fault: node-1 crashed at 2.65 s; the translog had been synced after the write was sent",
    "recovery: node-2 became the primary of books[3] at 2.70 s",
    "recovery: node-1 started again at 3.10 s",
    "loss: after the restart at 3.10 s no copy has books-3-17 as it was acknowledged, read at 5.00 s",
  ]);
});

test("where syncs are not observed, nothing is said of them", () => {
  expect(chain(lost, [changed, ...outage(2000, 3000, "node-1")])[1]).toBe(
    "fault: node-1 crashed at 2.00 s",
  );
});

test("a finding about nodes is linked with what struck them", () => {
  const two: Finding = {
    ...{ checker: "one-cluster-manager-per-term", says: "two of term 2", atMs: 900 },
    subjects: [
      { term: 2, node: "node-1" },
      { term: 2, node: "node-2" },
    ],
  };

  expect(
    chain(two, [...fault(300, 950, "partition", "node-1"), ...outage(100, 200, "node-3")]),
  ).toEqual([
    "fault: the fault partition (node-1) lasted from 0.30 s until 0.95 s",
    "loss: one-cluster-manager-per-term found at 0.90 s: two of term 2",
  ]);
});

test("a finding that names nothing has no cause", () => {
  expect(chain({ says: "a stack", atMs: 5 }, [changed])).toEqual([]);
});
