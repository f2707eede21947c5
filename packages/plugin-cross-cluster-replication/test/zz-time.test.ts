import { test } from "vitest";
import { documents, twoClusters } from "./two-clusters.ts";
for (const [n, settings] of [[3, {}], [3, {"cluster.fault_detection.follower_check.interval": "10s","cluster.fault_detection.leader_check.interval": "10s"}], [2, {}]] as const)
test(`pause ${n} ${JSON.stringify(settings)}`, async () => {
  const { leader, follower, run, simulation } = await twoClusters({ seed: 1, leaderNodes: n, followerNodes: n, settings });
  await leader("PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await leader("POST /books/_bulk", documents(0, 30));
  await follower("PUT /_plugins/_replication/copy/_start?wait_for_restore=true", { leader_alias: "lead", leader_index: "books" });
  await follower("POST /_plugins/_replication/copy/_pause", {});
  const t = Date.now(); const e = simulation.recorder.events;
  await run(12 * 3_600_000 + 120_000);
  console.log(n, settings, "wall ms", Date.now() - t, "events", simulation.recorder.events - e);
  const a = await follower("POST /_plugins/_replication/copy/_resume", {});
  console.log(a.status);
}, 300_000);
