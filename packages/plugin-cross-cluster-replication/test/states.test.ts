/** What may be asked of a follower that is restored, has failed, or whose leader's cluster nobody knows any more. */
import { expect, test } from "vitest";
import { documents, followers, leaders, twoClusters, type TwoClusters } from "./two-clusters.ts";

const START = "PUT /_plugins/_replication/copy/_start";
const PAUSE = "POST /_plugins/_replication/copy/_pause";
const RESUME = "POST /_plugins/_replication/copy/_resume";
const STOP = "POST /_plugins/_replication/copy/_stop";
const STATUS = "GET /_plugins/_replication/copy/_status?verbose=true";
const books = { leader_alias: "lead", leader_index: "books" };

/** Books on the way to the follower, slowly. */
async function restoring(seed: number): Promise<TwoClusters & { readonly faster: () => void }> {
  const clusters = await twoClusters({ seed, leaderNodes: 1, followerNodes: 1 });
  const { simulation, leader, follower } = clusters;
  await leader("PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await leader("POST /books/_bulk", documents(0, 2000));
  await leader("POST /books/_flush");
  const links = { from: leaders, to: followers, both: true };
  const applied = simulation.network.applyRule({ kind: "throttle", links, bytesPerSecond: 2000 });
  expect((await follower(START, books)).status).toBe(200);
  return { ...clusters, faster: () => applied.end() };
}

test("a follower that is restored shows how far it is, and is not paused: 500", async () => {
  const { follower, until, faster } = await restoring(1);

  const status = await follower(STATUS);
  const paused = await follower(PAUSE, {});
  faster();

  expect(status.body).toMatchObject({
    status: "BOOTSTRAPPING",
    reason: "User initiated",
    leader_alias: "lead",
    leader_index: "books",
    follower_index: "copy",
  });
  expect(status.body["bootstrap_details"]).toBeDefined();
  expect([paused.status, paused.body["error"]]).toMatchObject([
    500,
    {
      reason:
        "Index is in restore phase currently for index: copy. You can pause after restore completes.",
    },
  ]);
  await until("it follows", 60_000, async () => {
    const { body } = await follower(STATUS);
    return body["status"] === "SYNCING";
  });
  expect((await follower(PAUSE, {})).status).toBe(200);
});

test("a stop while it is restored leaves nothing behind", async () => {
  const { follower, faster } = await restoring(2);

  const stopped = await follower(STOP, {});
  faster();

  expect(stopped).toEqual({ status: 200, body: { acknowledged: true } });
  expect((await follower("GET /copy")).status).toBe(404);
  expect((await follower(START, books)).status).toBe(200);
});

test("a follower whose restore has failed is neither paused, nor resumed, nor updated, but stopped", async () => {
  const { leader, follower, until, faster } = await restoring(3);
  await leader("DELETE /books");
  faster();
  await until("it has failed", 600_000, async () => {
    const { body } = await follower(STATUS);
    return body["status"] === "FAILED";
  });

  const answers = [
    await follower(PAUSE, {}),
    await follower(RESUME, {}),
    await follower("PUT /_plugins/_replication/copy/_update", { "index.number_of_replicas": 0 }),
  ].map(({ status, body }) => [status, (body["error"] as unknown as { reason: string }).reason]);

  expect(answers).toEqual([
    [500, "Cannot pause when in FAILED state"],
    [400, "Replication on Index copy is already running"],
    [500, "Cannot update settings when in FAILED state"],
  ]);
  expect((await follower(STOP, {})).status).toBe(200);
  expect((await follower(STATUS)).body).toEqual({ status: "REPLICATION NOT IN PROGRESS" });
});

test("without its remote cluster a paused follower is not resumed: 404; it is stopped all the same", async () => {
  const clusters = await restoring(4);
  const { follower, until, faster } = clusters;
  faster();
  await until("it follows", 60_000, async () => {
    const { body } = await follower(STATUS);
    return body["status"] === "SYNCING";
  });
  await follower(PAUSE, { reason: "moving" });
  await follower("PUT /_cluster/settings", { persistent: { "cluster.remote.lead.seeds": null } });

  const resumed = await follower(RESUME, {});

  expect([resumed.status, resumed.body["error"]]).toMatchObject([
    404,
    { type: "no_such_remote_cluster_exception", reason: "no such remote cluster: [lead]" },
  ]);
  expect((await follower(STATUS)).body).toMatchObject({ status: "PAUSED", reason: "moving" });
  expect((await follower(STOP, {})).status).toBe(200);
  expect((await follower("PUT /copy/_doc/own", { n: 1 })).status).toBe(201);
});
