/** `force_resume` gives up what is here and begins again: in three steps, each of which may fail and says so. */
import { expect, test } from "vitest";
import { documents, documentsOf, twoClusters, type TwoClusters } from "./two-clusters.ts";

const start = {
  path: "PUT /_plugins/_replication/copy/_start?wait_for_restore=true",
  body: { leader_alias: "lead", leader_index: "books" },
};
const RESUME = "POST /_plugins/_replication/copy/_resume";

/** Paused for longer than the leader keeps leases; `before` happens while it still follows. */
async function pausedForTooLong(
  seed: number,
  followerNodes: number,
  before: (clusters: TwoClusters) => Promise<void> = async () => undefined,
): Promise<TwoClusters> {
  const clusters = await twoClusters({ seed, leaderNodes: 1, followerNodes });
  const { leader, follower, run } = clusters;
  await leader("PUT /books", {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      "soft_deletes.retention_lease.period": "30s",
    },
  });
  await leader("POST /books/_bulk", documents(0, 30));
  await follower(start.path, start.body);
  await before(clusters);
  await follower("POST /_plugins/_replication/copy/_pause", {});
  await run(240_000);
  const refused = await follower(RESUME, {});
  expect([refused.status, refused.body["error"]]).toMatchObject([
    404,
    { type: "resource_not_found_exception" },
  ]);
  return clusters;
}

async function statusOf({ follower }: TwoClusters): Promise<unknown> {
  return (await follower("GET /_plugins/_replication/copy/_status")).body["status"];
}

test("it begins again when everything works", async () => {
  const clusters = await pausedForTooLong(1, 1);
  const { leader, follower, until } = clusters;
  await leader("POST /books/_bulk", documents(20, 30));

  expect(await follower(RESUME, { force_resume: true })).toEqual({
    status: 200,
    body: { acknowledged: true },
  });

  const wanted = await documentsOf(leader, "books");
  await until("the follower is the leader's equal", 60_000, async () => {
    const found = await documentsOf(follower, "copy");
    return JSON.stringify([...found]) === JSON.stringify([...wanted]);
  });
});

test("a stop that fails leaves it paused: 500", async () => {
  const clusters = await pausedForTooLong(2, 3);
  const { simulation, follower, run, start: boot, finish } = clusters;
  // Clients ask the first node; its tasks for the elected cluster manager, which is another one, get lost.
  simulation.crash("follower-1");
  await run(30_000);
  await finish(boot("follower-1"));
  await run(10_000);
  const links = { from: ["follower-1"], to: ["follower-2", "follower-3"], both: false };
  const actions = ["internal:cluster/task"];
  const applied = simulation.network.applyRule({ kind: "drop", links, actions, perMille: 1000 });

  const { status, body } = await follower(RESUME, { force_resume: true });
  applied.end();

  expect([status, body["error"]]).toMatchObject([
    500,
    {
      type: "replication_exception",
      reason: "Force resume failed: failed to stop replication for index copy",
    },
  ]);
  expect(await statusOf(clusters)).toBe("PAUSED");
  expect((await documentsOf(follower, "copy")).size).toBe(30);
});

test("a follower index that cannot be deleted is left as a normal index: 500", async () => {
  const clusters = await pausedForTooLong(4, 1, async ({ follower, run }) => {
    await follower("PUT /_plugins/_replication/copy/_update", { "index.blocks.metadata": true });
    await run(70_000);
  });
  const { follower } = clusters;

  const { status, body } = await follower(RESUME, { force_resume: true });

  expect([status, body["error"]]).toMatchObject([
    500,
    {
      type: "replication_exception",
      reason:
        "Force resume failed: failed to delete follower index copy. Manual cleanup may be needed",
      caused_by: { type: "cluster_block_exception" },
    },
  ]);
  expect(await statusOf(clusters)).toBe("REPLICATION NOT IN PROGRESS");
  expect((await follower("PUT /copy/_doc/own", { n: 1 })).status).toBe(201);
});

test("a start that fails after the deletion has to be asked for again: 500", async () => {
  const clusters = await pausedForTooLong(4, 1);
  const { follower } = clusters;
  const block = (value: boolean | null) =>
    follower("PUT /_cluster/settings", {
      persistent: { "plugins.replication.follower.block.start": value },
    });
  await block(true);

  const { status, body } = await follower(RESUME, { force_resume: true });

  expect([status, body["error"]]).toMatchObject([
    500,
    {
      type: "replication_exception",
      reason:
        "Force resume failed: failed to start replication for index copy after its deletion. Start replication again manually",
      caused_by: { reason: "[FORBIDDEN] Replication START block is set" },
    },
  ]);
  expect((await follower("GET /copy/_count")).status).toBe(404);
  await block(null);
  expect((await follower(start.path, start.body)).status).toBe(200);
});

test("nothing changes while the cluster is read-only: 403", async () => {
  const clusters = await pausedForTooLong(5, 1);
  const { follower } = clusters;
  const readOnly = (value: boolean | null) =>
    follower("PUT /_cluster/settings", { persistent: { "cluster.blocks.read_only": value } });
  await readOnly(true);

  for (const [request, body] of [
    [RESUME, { force_resume: true }],
    ["POST /_plugins/_replication/copy/_stop", {}],
    ["PUT /_plugins/_replication/other/_start", start.body],
    ["PUT /_plugins/_replication/copy/_update", { "index.number_of_replicas": 0 }],
  ] as const) {
    const answer = await follower(request, body);
    expect([request, answer.status]).toEqual([request, 403]);
    expect(JSON.stringify(answer.body)).toContain("[FORBIDDEN/6/cluster read-only (api)]");
  }

  await readOnly(null);
  expect(await statusOf(clusters)).toBe("PAUSED");
});

test("a follower index takes no writes of clients, and says why", async () => {
  const clusters = await pausedForTooLong(6, 1);

  const { status, body } = await clusters.follower("PUT /copy/_doc/own", { n: 1 });

  expect([status, body["error"]]).toMatchObject([
    403,
    {
      type: "cluster_block_exception",
      reason:
        "index [copy] blocked by: [FORBIDDEN/1000/index read-only(cross-cluster-replication)];",
    },
  ]);
});
