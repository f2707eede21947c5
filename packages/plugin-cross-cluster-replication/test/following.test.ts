/** The life of a follower index: start, catch up, pause, resume, stop. */
import { expect, test } from "vitest";
import { documents, documentsOf, twoClusters } from "./two-clusters.ts";

test("a follower copies what is there, follows what comes, and is written to after its stop", async () => {
  const { leader, follower, until } = await twoClusters({ seed: 1 });
  await leader("PUT /books", { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  await leader("POST /books/_bulk", documents(0, 50));
  await leader("POST /books/_flush");
  await leader("POST /books/_bulk", documents(50, 10));

  const started = await follower("PUT /_plugins/_replication/copy/_start", {
    leader_alias: "lead",
    leader_index: "books",
  });
  const status = async (): Promise<unknown> =>
    (await follower("GET /_plugins/_replication/copy/_status")).body["status"];
  const count = async (): Promise<unknown> => {
    await follower("POST /copy/_refresh");
    return (await follower("GET /copy/_count")).body["count"];
  };
  await until("60 documents", 60_000, async () => (await count()) === 60);
  await until("syncing", 60_000, async () => (await status()) === "SYNCING");
  await leader("DELETE /books/_doc/7");
  await leader("PUT /books/_doc/8", { n: 8, extra: "a field that is new" });
  await leader("PUT /books/_doc/new", { n: -1 });
  await until("the same documents", 60_000, async () => {
    const [mine, theirs] = [
      await documentsOf(follower, "copy"),
      await documentsOf(leader, "books"),
    ];
    return JSON.stringify([...mine]) === JSON.stringify([...theirs]);
  });
  const refused = await follower("PUT /copy/_doc/mine", { n: 1 });
  const paused = await follower("POST /_plugins/_replication/copy/_pause", {});
  await leader("POST /books/_bulk", documents(100, 20));
  const whilePaused = await follower("GET /_plugins/_replication/copy/_status");
  const resumed = await follower("POST /_plugins/_replication/copy/_resume", {});
  await until("80 documents", 60_000, async () => (await count()) === 80);
  const stopped = await follower("POST /_plugins/_replication/copy/_stop", {});
  const written = await follower("PUT /copy/_doc/mine", { n: 1 });

  expect(started).toEqual({ status: 200, body: { acknowledged: true } });
  expect([refused.status, refused.body["error"]]).toMatchObject([
    403,
    {
      type: "cluster_block_exception",
      reason:
        "index [copy] blocked by: [FORBIDDEN/1000/index read-only(cross-cluster-replication)];",
    },
  ]);
  expect([paused.status, resumed.status, stopped.status]).toEqual([200, 200, 200]);
  expect(whilePaused.body).toEqual({
    status: "PAUSED",
    reason: "User initiated",
    leader_alias: "lead",
    leader_index: "books",
    follower_index: "copy",
  });
  expect(written.status).toBe(201);
  expect(await status()).toBe("REPLICATION NOT IN PROGRESS");
});

test("the leader's statistics tell of an index that is followed, though nothing happens in it", async () => {
  const { leader, follower, run } = await twoClusters({
    seed: 2,
    leaderNodes: 1,
    followerNodes: 1,
  });
  await leader("PUT /books", { settings: { number_of_replicas: 0 } });
  const following = { leader_alias: "lead", leader_index: "books" };
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", following);

  await run(600_000);

  const { body } = await leader("GET /_plugins/_replication/leader_stats");
  expect(body).toMatchObject({ num_replicated_indices: 1, operations_read: 0 });
});

test("the status of a follower that lacks nothing names the leader's checkpoint soon after it goes on", async () => {
  const { leader, follower, run } = await twoClusters({
    seed: 3,
    leaderNodes: 1,
    followerNodes: 1,
  });
  await leader("PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await leader("POST /books/_bulk", documents(0, 5));
  const following = { leader_alias: "lead", leader_index: "books" };
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", following);
  await run(70_000);
  await follower("POST /_plugins/_replication/copy/_pause", {});
  await follower("POST /_plugins/_replication/copy/_resume", {});
  await run(2000);

  const { body } = await follower("GET /_plugins/_replication/copy/_status");
  expect(body["syncing_details"]).toMatchObject({ leader_checkpoint: 4, follower_checkpoint: 4 });
});

test("names of another cluster are resolved behind its alias, or a pattern of aliases", async () => {
  const { leader, follower } = await twoClusters({ seed: 9, leaderNodes: 1, followerNodes: 1 });
  const settings = { number_of_replicas: 0 };
  await leader("PUT /books", { settings, aliases: { shelf: {} } });
  await leader("PUT /attic", { settings: { ...settings, hidden: true } });
  await follower("PUT /books", { settings });
  const own = { name: "books", attributes: ["open"] };
  const theirs = { name: "lead:books", aliases: ["shelf"], attributes: ["open"] };
  const shelf = { name: "lead:shelf", indices: ["books"] };
  const resolve = async (names: string) => {
    const { status, body } = await follower(`GET /_resolve/index/${names}`);
    expect(status).toBe(200);
    return [body["indices"], body["aliases"]];
  };

  expect(await resolve("books,lead:*")).toEqual([[own, theirs], [shelf]]);
  expect(await resolve("l*:books")).toEqual([[theirs], []]);
  expect(await resolve("lead:shelf")).toEqual([[], [shelf]]);
  expect(await resolve("nobody:books,lead:none")).toEqual([[], []]);
  expect(await resolve("lead:attic")).toEqual([
    [{ name: "lead:attic", attributes: ["hidden", "open"] }],
    [],
  ]);
});
