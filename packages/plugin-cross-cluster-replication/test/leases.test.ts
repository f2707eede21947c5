/** Leases on the leader: what a pause of less and of more than their period does, and how a follower begins again. */
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { documents, documentsOf, twoClusters, type TwoClusters } from "./two-clusters.ts";

const HOUR_MS = 3_600_000;

/** One shard of books, followed as copy, with 30 documents. */
async function following(
  seed: number,
  isSlow = false,
  mappings: JsonObject = {},
): Promise<TwoClusters> {
  // Twelve hours of heartbeats are what such a run takes longest for.
  const slowly = {
    "cluster.fault_detection.follower_check.interval": "60s",
    "cluster.fault_detection.leader_check.interval": "60s",
  };
  const clusters = await twoClusters({
    seed,
    leaderNodes: 1,
    followerNodes: 1,
    ...(isSlow ? { settings: slowly } : {}),
  });
  const { leader, follower, until } = clusters;
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await leader("PUT /books", { settings, mappings });
  await leader("POST /books/_bulk", documents(0, 30));
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", {
    leader_alias: "lead",
    leader_index: "books",
  });
  await until("30 documents", 60_000, async () => (await countOf(clusters)) === 30);
  return clusters;
}

async function countOf({ follower }: TwoClusters): Promise<unknown> {
  await follower("POST /copy/_refresh");
  return (await follower("GET /copy/_count")).body["count"];
}

async function leasesOf({ leader }: TwoClusters): Promise<readonly string[]> {
  const { body } = await leader("GET /books/_stats?level=shards");
  const text = JSON.stringify(body);
  return [...text.matchAll(/"id":"(replication:[^"]+)"/g)].map(([, id = ""]) => id);
}

test("a pause shorter than the leases' period is made up for", async () => {
  const clusters = await following(1, true);
  const { leader, follower, run, until } = clusters;
  await follower("POST /_plugins/_replication/copy/_pause", { reason: "night" });
  await leader("POST /books/_bulk", documents(30, 10));
  await leader("POST /books/_bulk", documents(0, 5));
  await leader("POST /books/_flush?force=true");
  await run(11 * HOUR_MS);
  await leader("POST /books/_forcemerge?max_num_segments=1");

  const status = await follower("GET /_plugins/_replication/copy/_status");
  const resumed = await follower("POST /_plugins/_replication/copy/_resume", {});
  await until("40 documents", 60_000, async () => (await countOf(clusters)) === 40);

  expect(status.body["reason"]).toBe("night");
  expect(resumed).toEqual({ status: 200, body: { acknowledged: true } });
  expect(await documentsOf(follower, "copy")).toEqual(await documentsOf(leader, "books"));
});

test("after the leases' period a follower cannot resume, but begin again", async () => {
  const clusters = await following(2, true);
  const { leader, follower, run, until, events } = clusters;
  const held = await leasesOf(clusters);
  await follower("POST /_plugins/_replication/copy/_pause", {});
  await run(12 * HOUR_MS + 120_000);
  const left = await leasesOf(clusters);
  await leader("POST /books/_bulk", documents(30, 10));

  const refused = await follower("POST /_plugins/_replication/copy/_resume", {});
  const status = await follower("GET /_plugins/_replication/copy/_status");
  const forced = await follower("POST /_plugins/_replication/copy/_resume", { force_resume: true });
  await until("40 documents", 60_000, async () => (await countOf(clusters)) === 40);

  expect(held).toEqual([expect.stringMatching(/^replication:follower:[^:]+:\[copy\]\[0\]$/)]);
  expect(left).toEqual([]);
  expect([refused.status, refused.body["error"]]).toMatchObject([
    404,
    {
      type: "resource_not_found_exception",
      reason:
        "Retention lease doesn't exist. Replication can't be resumed for copy. Use force_resume=true to restore from snapshot.",
    },
  ]);
  expect(status.body["status"]).toBe("PAUSED");
  expect(forced).toEqual({ status: 200, body: { acknowledged: true } });
  expect(await documentsOf(follower, "copy")).toEqual(await documentsOf(leader, "books"));
  expect(
    events.flatMap((event) => (event.kind === "retention-lease-changed" ? [event["change"]] : [])),
  ).toContain("expired");
});

test("a leader index that was made again has no leases: the follower cannot resume, but begin again", async () => {
  const clusters = await following(7);
  const { leader, follower, until } = clusters;
  const pause = await follower("POST /_plugins/_replication/copy/_pause", {});
  await leader("DELETE /books");
  await leader("PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await leader("POST /books/_bulk", documents(100, 5));

  const refused = await follower("POST /_plugins/_replication/copy/_resume", {});
  const forced = await follower("POST /_plugins/_replication/copy/_resume", { force_resume: true });
  await until("5 documents", 60_000, async () => (await countOf(clusters)) === 5);

  expect(pause.status).toBe(200);
  expect([refused.status, refused.body["error"]]).toMatchObject([
    404,
    {
      type: "resource_not_found_exception",
      reason:
        "Retention lease doesn't exist. Replication can't be resumed for copy. Use force_resume=true to restore from snapshot.",
    },
  ]);
  expect(forced).toEqual({ status: 200, body: { acknowledged: true } });
  expect(await documentsOf(follower, "copy")).toEqual(await documentsOf(leader, "books"));
});

test("force_resume with its leases still there is a plain resume", async () => {
  const clusters = await following(3);
  const { follower } = clusters;
  const before = await follower("GET /copy/_settings?flat_settings=true");
  await follower("POST /_plugins/_replication/copy/_pause", {});

  const resumed = await follower("POST /_plugins/_replication/copy/_resume", {
    force_resume: true,
  });

  expect(resumed.status).toBe(200);
  expect(await follower("GET /copy/_settings?flat_settings=true")).toEqual(before);
});

test("INV-FOLLOW-2: while a lease is held, history is kept from what it retains, and a stop gives it back", async () => {
  const clusters = await following(4);
  const { leader, follower, run, events } = clusters;
  for (let round = 0; round < 5; round += 1) {
    await leader("POST /books/_bulk", documents(round, 20));
    await leader("POST /books/_flush?force=true");
    await leader("POST /books/_forcemerge?max_num_segments=1");
    await run(20_000);
  }
  await follower("POST /_plugins/_replication/copy/_stop", {});
  await run(2000);

  const changes = events.flatMap((event) =>
    event.kind === "retention-lease-changed" && event["change"] !== "removed"
      ? [[event["retainingSeqNo"], event["historyFromSeqNo"]] as const]
      : [],
  );

  expect(changes.length).toBeGreaterThan(5);
  expect(changes.filter(([retaining, from]) => from > retaining)).toEqual([]);
  expect(Math.max(...changes.map(([retaining]) => retaining))).toBeGreaterThan(100);
  expect(await leasesOf(clusters)).toEqual([]);
});

test("INV-FOLLOW-2: an index that does not store what was sent is caught up with, too", async () => {
  const mappings = { _source: { excludes: ["text"] } };
  const clusters = await following(6, false, mappings);
  const { simulation, leader, follower, run, start, finish, until } = clusters;
  await follower("POST /_plugins/_replication/copy/_pause", {});
  await leader("POST /books/_bulk", documents(30, 10));
  await leader("POST /books/_flush?force=true");
  await leader("POST /books/_bulk", documents(40, 10));
  await leader("POST /books/_flush?force=true");
  simulation.crash("leader-1");
  await run(5000);
  await finish(start("leader-1"));
  await until("the leader is back", 60_000, async () => {
    const { body } = await leader("GET /_cluster/health");
    return body["status"] === "green";
  });
  await leader("POST /books/_flush?force=true");

  const resumed = await follower("POST /_plugins/_replication/copy/_resume", {});
  await until("50 documents", 60_000, async () => (await countOf(clusters)) === 50);

  expect(resumed.status).toBe(200);
  expect(await documentsOf(follower, "copy")).toEqual(await documentsOf(leader, "books"));
});

test("a lease outlives a crash of the leader", async () => {
  const clusters = await following(5);
  const { simulation, leader, follower, run, start, until } = clusters;
  await follower("POST /_plugins/_replication/copy/_pause", {});
  const held = await leasesOf(clusters);

  simulation.crash("leader-1");
  await run(5000);
  await clusters.finish(start("leader-1"));
  await until("the leader is back", 60_000, async () => {
    const { body } = await leader("GET /_cluster/health");
    return body["status"] === "green";
  });

  expect(await leasesOf(clusters)).toEqual(held);
  expect((await follower("POST /_plugins/_replication/copy/_resume", {})).status).toBe(200);
});
