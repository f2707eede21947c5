/** What follows besides documents, which indices follow by themselves, and what ends following. */
import { initialState } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import { followingOf } from "../src/state/section.ts";
import {
  documents,
  documentsOf,
  followers,
  twoClusters,
  type TwoClusters,
} from "./two-clusters.ts";

async function following(seed: number, followerNodes = 2): Promise<TwoClusters> {
  const clusters = await twoClusters({ seed, leaderNodes: 1, followerNodes });
  const { leader, follower } = clusters;
  await leader("PUT /books", {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { properties: { title: { type: "keyword" } } },
    aliases: { library: { is_write_index: true } },
  });
  await leader("POST /books/_bulk", documents(0, 5));
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", {
    leader_alias: "lead",
    leader_index: "books",
    settings: { "index.number_of_replicas": 1 },
  });
  return clusters;
}

async function settingOf(ask: TwoClusters["leader"], index: string, key: string): Promise<unknown> {
  const { body } = await ask(`GET /${index}/_settings?flat_settings=true`);
  const settings = body[index] as { settings: Record<string, unknown> } | undefined;
  return settings?.settings[key];
}

test("settings, aliases and mappings of the leader follow, but for what the request said and what is each cluster's own", async () => {
  const { leader, follower, until } = await following(1);
  await leader("PUT /books/_settings", {
    "index.max_result_window": 5000,
    "index.number_of_replicas": 3,
    "index.blocks.write": true,
  });
  await leader("POST /_aliases", {
    actions: [
      { add: { index: "books", alias: "shelf", filter: { term: { title: "a" } } } },
      { remove: { index: "books", alias: "library" } },
    ],
  });
  await leader("PUT /books/_mapping", {
    properties: { title: { type: "keyword", ignore_above: 7 }, later: { type: "integer" } },
  });

  await until("the settings", 120_000, async () => {
    return (await settingOf(follower, "copy", "index.max_result_window")) === "5000";
  });
  await until("the alias", 120_000, async () => {
    const { body } = await follower("GET /copy/_alias");
    return JSON.stringify(body).includes("shelf");
  });
  await until("the mapping", 120_000, async () => {
    const { body } = await follower("GET /copy/_mapping");
    return JSON.stringify(body).includes('"ignore_above":7');
  });
  const aliases = await follower("GET /copy/_alias");

  expect(await settingOf(follower, "copy", "index.number_of_replicas")).toBe("1");
  expect(await settingOf(follower, "copy", "index.blocks.write")).toBeUndefined();
  expect(aliases.body).toEqual({
    copy: { aliases: { shelf: { filter: { term: { title: "a" } }, is_write_index: false } } },
  });
});

test("a static setting is changed while the index is closed, and following goes on", async () => {
  const { leader, follower, until } = await following(2);
  await leader("POST /books/_close");
  await leader("PUT /books/_settings", { "index.codec": "best_compression" });
  await leader("POST /books/_open");
  await until("the codec", 300_000, async () => {
    return (await settingOf(follower, "copy", "index.codec")) === "best_compression";
  });

  await leader("POST /books/_bulk", documents(5, 5));

  await until("ten documents", 120_000, async () => {
    return (await documentsOf(follower, "copy")).size === 10;
  });
  expect((await follower("GET /_plugins/_replication/copy/_status")).body["status"]).toBe(
    "SYNCING",
  );
});

/** The follower is closed for a change of a static setting, and the node that was to open it is down. */
async function leftClosed(seed: number): Promise<TwoClusters & { readonly lost: string }> {
  const clusters = await following(seed, 3);
  const { simulation, leader, run } = clusters;
  const states = () => followers.flatMap((name) => simulation.cluster(name)?.state() ?? []);
  await leader("POST /books/_close");
  await leader("PUT /books/_settings", { "index.codec": "best_compression" });
  await leader("POST /books/_open");
  const isChanged = () =>
    states().some(({ metadata }) => {
      const { state, settings } = { ...metadata.indices.get("copy") };
      return state === "close" && settings?.["index.codec"] === "best_compression";
    });
  await run(120_000, isChanged);
  expect(isChanged()).toBe(true);
  const [state = initialState("none")] = states();
  const lost = state.nodes.get((followingOf(state, "copy")?.nodeId ?? "") as NodeId)?.name ?? "";
  expect(followers).toContain(lost);
  simulation.crash(lost);
  return { ...clusters, lost };
}

test("a follower that was left closed is opened by the next run of its task", async () => {
  const { follower, until, start, finish, lost } = await leftClosed(7);
  await finish(start(lost));

  await until("the codec, and documents", 300_000, async () => {
    const isChanged = (await settingOf(follower, "copy", "index.codec")) === "best_compression";
    return isChanged && (await documentsOf(follower, "copy")).size === 5;
  });
});

test("a follower that was left closed is open after a stop", async () => {
  const { follower, until } = await leftClosed(8);

  const stopped = await follower("POST /_plugins/_replication/copy/_stop", {});

  expect(stopped).toEqual({ status: 200, body: { acknowledged: true } });
  await until("documents", 300_000, async () => (await documentsOf(follower, "copy")).size === 5);
});

test("a follower's settings of the request can be changed while it follows", async () => {
  const { follower, until } = await following(3);

  const updated = await follower("PUT /_plugins/_replication/copy/_update", {
    settings: { "index.number_of_shards": 4, "index.number_of_replicas": 0 },
  });

  await until("the replicas", 120_000, async () => {
    return (await settingOf(follower, "copy", "index.number_of_replicas")) === "0";
  });
  expect(updated).toEqual({ status: 200, body: { acknowledged: true } });
  expect(await settingOf(follower, "copy", "index.number_of_shards")).toBe("1");
});

test("settings that nodes were configured with hold where the cluster's say nothing", async () => {
  const name = "plugins.replication.follower";
  const settings = { [`${name}.block.start`]: "true", [`${name}.metadata_sync_interval`]: "5s" };
  const clusters = await twoClusters({ seed: 9, leaderNodes: 1, followerNodes: 1, settings });
  const { leader, follower, until } = clusters;
  await leader("PUT /books", { settings: { number_of_replicas: 0 } });
  const start = () =>
    follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", {
      leader_alias: "lead",
      leader_index: "books",
    });

  const refused = await start();
  await follower("PUT /_cluster/settings", { persistent: { [`${name}.block.start`]: false } });
  const started = await start();
  await leader("PUT /books/_settings", { "index.max_result_window": 5000 });

  await until("the setting", 20_000, async () => {
    return (await settingOf(follower, "copy", "index.max_result_window")) === "5000";
  });
  expect([refused.status, started.status]).toEqual([403, 200]);
});

test("following pauses by itself when the leader index is gone", async () => {
  const { leader, follower, until } = await following(4);

  await leader("DELETE /books");

  await until("paused", 300_000, async () => {
    const { body } = await follower("GET /_plugins/_replication/copy/_status");
    return body["status"] === "PAUSED";
  });
  const { body } = await follower("GET /_plugins/_replication/copy/_status");
  expect(body["reason"]).toMatch(
    /^AutoPaused: {2}\+ \[\[copy\](\[0\])? - org\.opensearch\.index\.IndexNotFoundException - "no such index \[books\]"\], $/,
  );
  expect((await follower("DELETE /copy")).status).toBe(403);
  expect((await follower("POST /_plugins/_replication/copy/_stop", {})).status).toBe(200);
  expect((await follower("DELETE /copy")).status).toBe(200);
});

test("following pauses by itself when the leader index is closed, and goes on after it was opened", async () => {
  const { leader, follower, until } = await following(6);
  const status = async () => (await follower("GET /_plugins/_replication/copy/_status")).body;
  await leader("POST /books/_close");

  await until("paused", 300_000, async () => (await status())["status"] === "PAUSED");
  const paused = await status();
  const refused = await follower("POST /_plugins/_replication/copy/_resume", {});
  await leader("POST /books/_open");
  await leader("POST /books/_bulk", documents(5, 5));
  const resumed = await follower("POST /_plugins/_replication/copy/_resume", {});
  await until("ten documents", 120_000, async () => {
    return (await documentsOf(follower, "copy")).size === 10;
  });

  expect(paused["reason"]).toBe(
    'AutoPaused:  + [[copy][0] - org.opensearch.indices.IndexClosedException - "closed"], ',
  );
  expect([refused.status, refused.body["error"]]).toMatchObject([
    400,
    { type: "index_closed_exception", reason: "closed" },
  ]);
  expect(resumed.status).toBe(200);
});

test("a rule follows indices as they appear, under a name of its making, until it is deleted", async () => {
  const { leader, follower, until } = await following(5);
  const rule = {
    leader_alias: "lead",
    name: "logs",
    pattern: "logs-*",
    follower_index_pattern: "mirror-{{leader_index}}",
  };
  const created = await follower("POST /_plugins/_replication/_autofollow", rule);
  await leader("PUT /logs-1", { settings: { number_of_replicas: 0 } });
  await leader("POST /logs-1/_bulk", documents(0, 3));
  await leader("PUT /other", { settings: { number_of_replicas: 0 } });
  await until("three documents", 120_000, async () => {
    const { status, body } = await follower("GET /mirror-logs-1/_count");
    await follower("POST /mirror-logs-1/_refresh");
    return status === 200 && body["count"] === 3;
  });
  const again = await follower("POST /_plugins/_replication/_autofollow", rule);
  const stats = await follower("GET /_plugins/_replication/autofollow_stats");
  const deleted = await follower("DELETE /_plugins/_replication/_autofollow", {
    leader_alias: "lead",
    name: "logs",
  });
  await leader("PUT /logs-2", { settings: { number_of_replicas: 0 } });
  await clustersRest(follower, until);

  expect(created).toEqual({ status: 200, body: { acknowledged: true } });
  expect([again.status, again.body["error"]]).toMatchObject([
    500,
    { reason: "Exisiting autofollow replication rule cannot be recreated/updated" },
  ]);
  expect(stats.body).toMatchObject({
    num_success_start_replication: 1,
    failed_indices: [],
    autofollow_stats: [{ name: "logs", pattern: "logs-*", num_success_start_replication: 1 }],
  });
  expect(deleted).toEqual({ status: 200, body: { acknowledged: true } });
  expect((await follower("GET /mirror-logs-2")).status).toBe(404);
  expect((await follower("GET /mirror-other")).status).toBe(404);
});

/** Longer than a rule waits between two looks. */
async function clustersRest(
  follower: TwoClusters["follower"],
  until: TwoClusters["until"],
): Promise<void> {
  let looks = 0;
  await until("a while", 120_000, async () => {
    await follower("GET /_cluster/health");
    looks += 1;
    return looks > 160;
  });
}
