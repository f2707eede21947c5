/** Two clusters under faults: nodes of either side crash, the clusters lose each other; at rest the follower equals the leader. */
import { createRandom } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  documents,
  documentsOf,
  followers,
  leaders,
  twoClusters,
  type TwoClusters,
} from "./two-clusters.ts";

const SEEDS = [1, 2, 3];

async function begin(seed: number): Promise<TwoClusters> {
  const clusters = await twoClusters({ seed, leaderNodes: 3, followerNodes: 3 });
  const { leader, follower } = clusters;
  await leader("PUT /books", { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  await leader("POST /books/_bulk", documents(0, 40));
  const started = await follower("PUT /_plugins/_replication/copy/_start", {
    leader_alias: "lead",
    leader_index: "books",
  });
  expect(started.body).toEqual({ acknowledged: true });
  return clusters;
}

/** Both healthy, and nothing left to fetch. */
async function atRest(clusters: TwoClusters): Promise<void> {
  const { leader, follower, until } = clusters;
  for (const ask of [leader, follower]) {
    await until("every copy is there", 300_000, async () => {
      const { body } = await ask("GET /_cluster/health");
      return body["status"] === "green" && body["number_of_nodes"] === 3;
    });
  }
  await until("the follower has caught up", 300_000, async () => {
    const { body } = await follower("GET /_plugins/_replication/copy/_status");
    if (body["status"] === "PAUSED" || body["status"] === "FAILED") {
      throw new Error(JSON.stringify(body));
    }
    const details = body["syncing_details"] as unknown as Record<string, number> | undefined;
    return (
      details !== undefined &&
      details["leader_checkpoint"] === details["follower_checkpoint"] &&
      JSON.stringify([...(await documentsOf(follower, "copy"))]) ===
        JSON.stringify([...(await documentsOf(leader, "books"))])
    );
  });
}

test.each(SEEDS)("INV-FOLLOW-1: crashes on both sides, seed %i", async (seed) => {
  const clusters = await begin(seed);
  const { simulation, leader, run, start, finish } = clusters;
  const random = createRandom(`crashes-${seed}`);
  let next = 40;

  for (let round = 0; round < 6; round += 1) {
    await run(random.int(0, 3000));
    const name = random.pick([...leaders, ...followers]);
    simulation.crash(name);
    for (let batch = 0; batch < 3; batch += 1) {
      await leader("POST /books/_bulk", documents(next, 10));
      await leader(`DELETE /books/_doc/${random.int(0, next)}`);
      next += 8;
      await run(random.int(0, 4000));
    }
    await finish(start(name));
  }
  await atRest(clusters);

  expect((await documentsOf(clusters.follower, "copy")).size).toBeGreaterThan(100);
});

test.each(SEEDS)(
  "INV-FOLLOW-1: many writers of small batches, followers crash meanwhile, seed %i",
  async (seed) => {
    const clusters = await begin(seed);
    const { simulation, leader, follower, run, start, finish } = clusters;
    const random = createRandom(`writers-${seed}`);
    await follower("PUT /_cluster/settings", {
      persistent: {
        "plugins.replication.follower.index.ops_batch_size": 16,
        "plugins.replication.follower.concurrent_readers_per_shard": 4,
        "plugins.replication.follower.concurrent_writers_per_shard": 6,
      },
    });
    // A copy that gets a later batch and not the one before it has a gap, and may become the primary.
    const links = { from: followers, to: followers, both: true };
    const actions = ["indices:data/write/bulk[s][r]"];
    const applied = simulation.network.applyRule({ kind: "drop", links, actions, perMille: 100 });
    for (let round = 0; round < 4; round += 1) {
      await leader("POST /books/_bulk", documents(40 + round * 200, 200));
      await run(random.int(20, 400));
      const name = random.pick(followers);
      simulation.crash(name);
      await run(random.int(0, 3000));
      await finish(start(name));
      await run(random.int(0, 3000));
    }
    applied.end();
    await atRest(clusters);

    expect((await documentsOf(follower, "copy")).size).toBe(840);
  },
);

test.each(SEEDS)("INV-FOLLOW-1: the clusters lose each other, seed %i", async (seed) => {
  const clusters = await begin(seed);
  const { simulation, leader, follower, run } = clusters;
  const random = createRandom(`partitions-${seed}`);
  let next = 40;

  for (let round = 0; round < 4; round += 1) {
    await run(random.int(0, 2000));
    const links = { from: leaders, to: followers, both: true };
    const applied = simulation.network.applyRule({ kind: "cut", links });
    for (let batch = 0; batch < 3; batch += 1) {
      await leader("POST /books/_bulk", documents(next, 10));
      next += 8;
      await run(random.int(0, 20_000));
    }
    const cutOff = await follower("GET /_plugins/_replication/copy/_status");
    expect(cutOff.status).toBe(200);
    applied.end();
  }
  await atRest(clusters);

  expect((await documentsOf(follower, "copy")).size).toBe(next + 2);
});

test("a leader cluster that starts again is waited for, and found again", async () => {
  const clusters = await begin(4);
  const { simulation, leader, follower, run, start, finish } = clusters;
  await atRest(clusters);
  for (const name of leaders) simulation.crash(name);
  await run(5000);

  // It answers for a minute before it finds a cluster manager.
  const first = start("leader-1");
  await run(60_000);
  const meanwhile = await follower("GET /_plugins/_replication/copy/_status");
  await finish(Promise.all([first, start("leader-2"), start("leader-3")]));
  await leader("POST /books/_bulk", documents(40, 10));
  await atRest(clusters);

  expect(meanwhile.body["status"]).toBe("SYNCING");
  expect((await documentsOf(follower, "copy")).size).toBe(50);
});

test("the same seed gives the same run", async () => {
  const hashOf = async (): Promise<string> => {
    const clusters = await begin(7);
    clusters.simulation.crash("follower-2");
    await clusters.leader("POST /books/_bulk", documents(40, 20));
    await clusters.run(20_000);
    return clusters.simulation.recorder.hash;
  };

  expect(await hashOf()).toBe(await hashOf());
});
