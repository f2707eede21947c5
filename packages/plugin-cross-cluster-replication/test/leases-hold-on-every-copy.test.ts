/** The checker of leases: it holds in a healthy cluster, and finds what was planted. */
import { newHistory, parseScenario, type NewsEvent, type World } from "@orrery/scenario";
import type { Finding } from "@orrery/scenario/checker";
import type { Json } from "@orrery/stdx";
import { beforeAll, describe, expect, test } from "vitest";
import { leasesHoldOnEveryCopy } from "../src/checkers/leases-hold-on-every-copy.ts";
import { createLabWorld } from "./lab-world.ts";

const plan = parseScenario(
  "test.yaml",
  `name: test/leases
claim: Used by tests.
clusters: { main: { nodes: 1 } }
checkers: []
`,
);
const made = createLabWorld(plan);
const { world } = made;

/** Judges the cluster, or what is told in the place of its statistics. */
async function judge(statistics?: Json): Promise<Finding> {
  const told: World = {
    ...world,
    request: async (client, node, request) =>
      statistics !== undefined && request.uri.startsWith("/_stats")
        ? { status: 200, body: statistics }
        : world.request(client, node, request),
  };
  return made.tell(async () => leasesHoldOnEveryCopy.finish?.(told, plan, newHistory()));
}

beforeAll(() =>
  made.tell(async () => {
    await made.startAll();
    await made.untilGreen();
  }),
);

describe("leases-hold-on-every-copy", () => {
  const at = { node: "node-1", nodeId: "n", index: "books", at_ms: 1, shard: 0 };
  const copies = {
    ...{ ...at, kind: "shard-copies-changed", version: 1, indexUuid: "u", primaryTerm: 1 },
    ...{ primary: "a", isRelocated: false, recoverySource: "", active: "a,b", inSync: "a,b" },
  } as NewsEvent;
  const lease = (change: string, retainingSeqNo: number): NewsEvent =>
    ({
      ...{ ...at, kind: "retention-lease-changed", lease: "other", change, retainingSeqNo },
      historyFromSeqNo: 0,
    }) as NewsEvent;
  const trimmed = (allocationId: string, retainedFrom: number): NewsEvent =>
    ({ ...at, kind: "history-trimmed", allocationId, retainedFrom, leasedFrom: -1 }) as NewsEvent;
  const judgeAll = (...events: readonly NewsEvent[]): readonly Finding[] => {
    const watch = leasesHoldOnEveryCopy.start?.(world, plan);
    return events.flatMap((event) => watch?.(event) ?? []);
  };

  test("holds while each active copy keeps what a lease asks for, until the lease is removed", () => {
    expect(judgeAll(copies, lease("added", 5), trimmed("b", 5))).toEqual([]);
    expect(judgeAll(copies, lease("added", 5), trimmed("c", 6))).toEqual([]);
    expect(judgeAll(copies, lease("added", 5), lease("removed", 5), trimmed("b", 6))).toEqual([]);
  });

  test("finds an active copy that drops what a lease asks for, though it knows of none", () => {
    expect(judgeAll(copies, lease("added", 5), trimmed("b", 6))).toEqual([
      "the copy of books/0 on node-1 keeps history from 6 on, and the lease [other] asks for it from 5 on",
    ]);
  });

  test("finds a replica that is never told of a lease that its primary has", async () => {
    const copy = (primary: boolean, ...held: readonly string[]) => ({
      routing: { primary },
      retention_leases: { leases: held.map((id) => ({ id, retaining_seq_no: 3 })) },
    });
    const judgeCopies = (...rows: readonly Json[]): Promise<Finding> =>
      judge({ indices: { books: { shards: { "0": rows } } } });
    const own = "peer_recovery/a";
    const foreign = "replication:copy:u:[books][0]";

    expect(await judge()).toBeUndefined();
    expect(await judgeCopies(copy(true, own, foreign), copy(false, foreign))).toBeUndefined();
    expect(await judgeCopies(copy(false, own), copy(true, own, foreign))).toBe(
      "a replica of books/0 knows the leases [], and its primary [replication:copy:u:[books][0] from 3]",
    );
  });

  test("finds a lease that leaves out what copies of its holder may lack", () => {
    const renewed = (retainingSeqNo: number): NewsEvent =>
      ({
        ...{ ...at, kind: "retention-lease-changed", change: "renewed", retainingSeqNo },
        ...{ lease: "replication:main:some-uuid:[copied][0]", historyFromSeqNo: 0 },
      }) as NewsEvent;
    const progress = (checkpoint: number): NewsEvent =>
      ({
        ...{ ...at, kind: "remote-replication-checkpoint", index: "copied", checkpoint },
        ...{ remoteCluster: "lead", remoteIndex: "books", remoteCheckpoint: 9 },
      }) as NewsEvent;

    // A new primary knows less of the global checkpoint at first.
    expect(judgeAll(progress(4), renewed(5), progress(8), progress(6), renewed(7))).toEqual([]);
    expect(judgeAll(progress(4), renewed(6))).toEqual([
      "the lease [replication:main:some-uuid:[copied][0]] asks for history from 6 on, and the global checkpoint of its holder was 4 at most",
    ]);
  });
});
