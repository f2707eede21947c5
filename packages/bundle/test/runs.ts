/** A small run, made by hand: two nodes, one shard, one fault, four requests, one finding. */
import { createBundle } from "../src/index.ts";
import type { ObservedState, RecordedEvent, RunIdentity, RunOutcome } from "../src/types.ts";

export const identity: RunIdentity = {
  scenario: "test/small",
  claim: "Used by <tests>.",
  file: "small.yaml",
  source: "name: test/small\n",
  plan: '{"name":"test/small"}',
  seed: 7,
  world: "sim",
  programVersion: "0.1.0",
};

export const outcome: RunOutcome = {
  verdict: "fail",
  hash: "00112233445566ff",
  events: 16,
  virtualMs: 60_000,
  wallMs: 12,
  findings: [
    {
      ...{
        invariant: "INV-COORD-2",
        checker: "test",
        says: "it is <gone>\nlast events",
        atMs: 900,
      },
      subjects: [{ index: "books", shard: 0, node: "node-2" }],
    },
  ],
  doubts: [],
  receipts: [{ fault: "crash", description: "node-2", startedMs: 500, endedMs: 800, hits: 1 }],
};

export const message = {
  from: "node-1",
  to: "node-2",
  action: "indices:data/write/bulk[s][r]",
  correlationId: 4,
  frameKind: "request",
  sizeBytes: 120,
  shard: "uuid-of-books/0",
};

/** An answer does not say again which shard it is about. */
const { shard: _, ...unsaid } = message;
const answer = { ...unsaid, from: "node-2", to: "node-1", frameKind: "response", sizeBytes: 60 };

export const events: readonly RecordedEvent[] = [
  { at_ms: 1, node: "node-1", kind: "node-started" },
  { at_ms: 2, node: "node-2", kind: "node-started" },
  { at_ms: 3, node: "node-1", kind: "cluster-manager-elected", nodeId: "n1", term: 1 },
  { at_ms: 100, node: "", kind: "client-request", client: "c1", id: 1, operation: "PUT /books" },
  { at_ms: 101, node: "node-1", kind: "message-sent", ...message },
  { at_ms: 102.5, node: "node-2", kind: "message-delivered", ...message },
  { at_ms: 102.6, node: "node-2", kind: "message-sent", ...answer },
  { at_ms: 102.9, node: "node-1", kind: "message-delivered", ...answer },
  {
    ...{ at_ms: 103, node: "node-2", kind: "shard-state-changed", nodeId: "n2", index: "books" },
    ...{ shard: 0, allocationId: "a1", state: "STARTED" },
  } as RecordedEvent,
  {
    ...{ at_ms: 110, node: "", kind: "client-response", client: "c1", id: 1 },
    ...{ status: 200, outcome: "ok" },
  } as RecordedEvent,
  { at_ms: 500, node: "", kind: "fault-started", fault: "crash", description: "node-2" },
  { at_ms: 500, node: "node-2", kind: "node-crashed" },
  { at_ms: 501, node: "node-1", kind: "message-sent", ...message, correlationId: 5 },
  {
    ...{ at_ms: 502, node: "node-2", kind: "message-dropped", ...message, correlationId: 5 },
    reason: "connection closed",
  } as RecordedEvent,
  { at_ms: 600, node: "", kind: "client-request", client: "c1", id: 2, operation: "GET /books" },
  { at_ms: 800, node: "", kind: "fault-ended", fault: "crash", description: "node-2" },
] as readonly RecordedEvent[];

export const state: ObservedState = {
  cluster: "",
  version: 4,
  term: 1,
  clusterManager: "node-1",
  nodes: ["node-1", "node-2"],
  indices: new Map([["books", { uuid: "uuid-of-books" }]]),
  shards: [
    {
      ...{ index: "books", shard: 0, isPrimary: true, state: "STARTED", node: "node-1" },
      allocationId: "a0",
    },
    {
      ...{ index: "books", shard: 0, isPrimary: false, state: "UNASSIGNED", node: undefined },
      allocationId: undefined,
    },
  ],
};

export function writeBundle(path: string, given: Partial<RunOutcome> = {}): void {
  const writer = createBundle(path, identity);
  writer.state(99, state);
  for (const event of events) writer.event(event);
  writer.finish({ ...outcome, ...given });
}
