/** The checker of followers: it holds where two clusters have the same, and finds what was planted in one of them. */
import {
  composeCheckers,
  newClient,
  newHistory,
  parseScenario,
  type Plan,
  type World,
} from "@orrery/scenario";
import type { Finding } from "@orrery/scenario/checker";
import { describe, expect, test } from "vitest";
import { crossClusterReplicationCheckers } from "../src/checkers.ts";
import { followerEqualsLeader } from "../src/checkers/follower-equals-leader.ts";
import { createLabWorld } from "./lab-world.ts";

const checkers = composeCheckers(crossClusterReplicationCheckers);

/** With one entry in its timeline, at the first millisecond. */
function planWith(entry?: string): Plan {
  return parseScenario(
    "test.yaml",
    `name: test/two-clusters
claim: Used by tests.
clusters: { lead: { nodes: 1 }, follow: { nodes: 1 } }
workload: { kind: bulk, index: books }
phases: { faults: 1s, converge: 5s }
checkers: [follower-equals-leader]
timeline: [${entry === undefined ? "" : `{ at: 1ms, ${entry} }`}]
`,
    { checkers },
  );
}

const plan = planWith();

/** A line of a test: `lead PUT /books/_doc/1 {"value":1}`. */
type Line = `${"lead" | "follow"} ${string}`;

const same = (id: number): readonly Line[] => [
  `lead PUT /books/_doc/${id} {"value":${id}}`,
  `follow PUT /copy/_doc/${id} {"value":${id}}`,
];

interface Paused {
  readonly status?: string;
  readonly reason: string;
  readonly plan?: Plan;
}

/** Writes to both; the follower's cluster says that `copy` follows `books`, although nothing makes it. */
async function judge(
  told: "SYNCING" | "PAUSED" | Paused,
  ...lines: readonly Line[]
): Promise<Finding> {
  const judged = (typeof told === "string" ? undefined : told.plan) ?? plan;
  const made = createLabWorld(plan);
  const world = claiming(
    made.world,
    typeof told === "string" ? { status: told } : { status: "PAUSED", ...told },
  );
  const client = newClient("test");
  const send = async (line: string): Promise<void> => {
    const [cluster = "", method = "", uri = "", body = ""] = line.split(" ");
    const request = { method, uri, timeoutMs: 30_000, ...(body === "" ? {} : { body }) };
    const answer = await made.world.request(client, `${cluster}-1`, request);
    if (answer === undefined || answer.status >= 300) throw new Error(JSON.stringify(answer));
  };
  return made.tell(async () => {
    await made.startAll();
    await made.untilGreen();
    const settings = '{"settings":{"number_of_replicas":0}}';
    await send(
      'follow PUT /_cluster/settings {"persistent":{"cluster.remote.other.seeds":["lead-1"]}}',
    );
    for (const name of ["lead PUT /books", "follow PUT /copy"]) await send(`${name} ${settings}`);
    await made.untilGreen();
    for (const line of lines) await send(line);
    return followerEqualsLeader.finish?.(world, judged, newHistory());
  });
}

function claiming(
  world: World,
  told: { readonly status: string; readonly reason?: string },
): World {
  return {
    ...world,
    request: async (client, node, request) => {
      if (request.uri !== "/_plugins/_replication/copy/_status")
        return world.request(client, node, request);
      return {
        status: 200,
        body: { ...told, leader_alias: "other", leader_index: "books", follower_index: "copy" },
      };
    },
  };
}

describe("follower-equals-leader", () => {
  test("holds where both have the same", async () => {
    expect(await judge("SYNCING", ...same(1), ...same(2))).toBeUndefined();
  });

  test("finds a follower that lacks what came last", async () => {
    expect(await judge("SYNCING", ...same(1), ...same(2), `lead DELETE /books/_doc/1`)).toBe(
      'follow:copy does not catch up with lead:books: its checkpoints are {"0":1}, and the other\'s {"0":2}',
    );
  });

  test("finds a follower that paused itself", async () => {
    const paused = { reason: 'AutoPaused:  + [[copy][0] - lost - "why"], ' };

    expect(await judge(paused, ...same(1))).toContain(
      "follow:copy does not catch up with lead:books: it paused itself, AutoPaused",
    );
  });

  test("holds for a follower that paused itself as its leader was closed", async () => {
    const reason =
      'AutoPaused:  + [[copy][0] - org.opensearch.indices.IndexClosedException - "closed"], ';
    const closing = planWith("request: POST /books/_close, node: lead-1");

    expect(await judge({ reason }, ...same(1))).toContain("it paused itself, AutoPaused");
    expect(await judge({ reason, plan: closing }, ...same(1))).toBeUndefined();
  });

  test("holds for a follower that paused itself as its leases are shorter than its requests wait", async () => {
    const reason =
      'AutoPaused:  + [[copy][0] - org.opensearch.index.seqno.RetentionLeaseNotFoundException - "gone"], ';
    const withPeriod = (period: string): Plan =>
      planWith(
        `request: PUT /books/_settings, node: lead-1, body: { index.soft_deletes.retention_lease.period: ${period} }`,
      );

    expect(await judge({ reason }, ...same(1))).toContain("it paused itself, AutoPaused");
    expect(await judge({ reason, plan: withPeriod("1h") }, ...same(1))).toContain("AutoPaused");
    expect(await judge({ reason, plan: withPeriod("1s") }, ...same(1))).toBeUndefined();
  });

  test("holds for a follower that gave up as it could not be created on a failing disk", async () => {
    const reason =
      "replication_exception: Unable to initiate restore call for copy from other:books";
    const failing = planWith("fault: { kind: disk-full, node: follow-1 }, for: 1ms");
    const failed = { status: "FAILED", reason };

    expect(await judge(failed, ...same(1), "lead PUT /books/_doc/2 {}")).toContain("not catch up");
    expect(
      await judge({ ...failed, plan: failing }, ...same(1), "lead PUT /books/_doc/2 {}"),
    ).toBeUndefined();
  });

  test("holds for a paused follower that lacks what came last", async () => {
    expect(
      await judge("PAUSED", ...same(1), ...same(2), `lead DELETE /books/_doc/1`),
    ).toBeUndefined();
  });

  test("finds a document with another content", async () => {
    const finding = await judge(
      "SYNCING",
      ...same(1),
      `lead PUT /books/_doc/2 {"value":2}`,
      `follow PUT /copy/_doc/2 {"value":3}`,
    );

    expect(finding).toBe(
      'follow:copy/0 is not lead:books/0 at the checkpoint 1: [2] is [1,1,{"value":3}], and should be [1,1,{"value":2}]',
    );
  });

  test("finds a document that the other has deleted", async () => {
    const finding = await judge(
      "SYNCING",
      ...same(1),
      `lead DELETE /books/_doc/1`,
      `follow PUT /copy/_doc/2 {"value":2}`,
    );

    expect(finding).toContain("[1] of sequence number 0 is");
  });

  test("finds a run in which nothing follows anything, unless a client pauses what starts", async () => {
    const made = createLabWorld(plan);
    const paused = planWith("request: POST /_plugins/_replication/copy/_pause, body: {}");

    const findings = await made.tell(async () => {
      await made.startAll();
      await made.untilGreen();
      const judged = (of: Plan) => followerEqualsLeader.finish?.(made.world, of, newHistory());
      return [await judged(plan), await judged(paused)];
    });

    expect(findings).toEqual(["no index follows one of another cluster", undefined]);
  });
});
