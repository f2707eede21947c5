/** Copies of a shard on several workers: replication, promotion, recovery. */
import { actions } from "@orrery/protocol";
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { crc32c, utf8Encode } from "@orrery/stdx";
import { createFakeCluster, UUID, within, type FakeCluster } from "./fake-cluster.ts";

async function started(
  nodes: readonly string[],
  replicas: number,
  settings: Record<string, string> = {},
): Promise<FakeCluster> {
  const cluster = createFakeCluster(nodes);
  cluster.createIndex({ replicas, settings });
  await cluster.settle(1000);
  for (let i = 0; i < replicas; i += 1) {
    cluster.allocate();
    await cluster.settle(1000);
  }
  return cluster;
}

describe("one copy", () => {
  test("starts empty, takes a bulk with new fields, and reads its documents back", async () => {
    const cluster = await started(["n1"], 0);
    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED"]);

    const answer = await within(
      cluster,
      cluster.bulk([
        { operation: "index", id: "1", source: '{"title":"a"}' },
        { operation: "create", id: "1", source: '{"title":"b"}' },
        { operation: "update", id: "1", source: '{"doc":{"pages":3}}' },
        { operation: "delete", id: "2" },
      ]),
    );

    expect(
      answer.items.map(({ status, result, seqNo, version }) => [status, result, seqNo, version]),
    ).toEqual([
      [201, "created", 0, 1],
      [409, "", 0, 0],
      [200, "updated", 1, 2],
      [404, "not_found", 2, 1],
    ]);
    expect(answer.shards).toMatchObject({ total: 1, successful: 1 });
    expect(await within(cluster, cluster.get("1"))).toBe('{"title":"a","pages":3}');
    const { mapping } = cluster.state().metadata.indices.get("books") ?? {};
    expect(Object.keys((mapping?.["properties"] ?? {}) as object)).toEqual(["pages", "title"]);
  });

  test("of a long bulk lets other requests through between its items, and takes all of them", async () => {
    const cluster = await started(["n1", "n2"], 1);
    const ids = Array.from({ length: 20 }, (_, i) => String(i));
    const bulkOf = (text: string) =>
      cluster.bulk(ids.map((id) => ({ operation: "index", id, source: `{"title":"${text}"}` })));
    await within(cluster, bulkOf("before"));
    cluster.lookMs = 25;

    const long = bulkOf("after");
    // On the same link, so that no read arrives before it; one that arrives with it comes between its items.
    const reads = Array.from({ length: 10 }, () => cluster.get("19"));
    const other = bulkOf("other");
    const answers = await within(cluster, Promise.all([long, other]));
    const found = await within(cluster, Promise.all(reads));
    await cluster.settle(1000);

    expect(found).toContain('{"title":"before"}');
    const seqNos = answers.flatMap(({ items }) => items.map(({ seqNo }) => seqNo));
    expect(seqNos.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => 20 + i));
    for (const id of ids) {
      const last = await within(cluster, cluster.get(id, "n1"));
      expect(await within(cluster, cluster.get(id, "n2"))).toBe(last);
    }
  });

  test("a write for another term or copy is turned away as shard_not_found", async () => {
    const cluster = await started(["n1"], 0);

    const write = cluster.bulk([{ operation: "index", id: "1", source: "{}" }], { term: 7 });

    await expect(within(cluster, write)).rejects.toMatchObject({
      problem: {
        type: "shard_not_found_exception",
        isRetryable: true,
        causedBy: { reason: "expected allocation id [a1] with term [7] but found [1]" },
      },
    });
  });

  test("too few active copies are named", async () => {
    const cluster = await started(["n1"], 1);

    const write = cluster.bulk([{ operation: "index", id: "1", source: "{}" }], {
      waitForActiveShards: "2",
    });

    await expect(within(cluster, write)).rejects.toMatchObject({
      problem: {
        type: "unavailable_shards_exception",
        reason:
          "[books][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [1m]",
      },
    });
  });

  test("starts again when it was given up and chosen anew while its node heard of neither", async () => {
    const cluster = await started(["n1"], 0);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));

    cluster.cut("n1", "manager");
    cluster.nodeLeft("n1");
    cluster.allocate();
    await cluster.settle(10);
    cluster.heal();
    await cluster.settle(1000);

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED"]);
    expect(await within(cluster, cluster.get("1"))).toBe('{"a":1}');
  });

  test("takes writes when it was chosen anew while it recovered", async () => {
    const cluster = await started(["n1"], 0);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
    cluster.crash("n1");
    const disk = cluster.nodes.get("n1")?.disk;
    let open = (): void => undefined;
    if (disk) disk.hold = new Promise((resolve) => (open = resolve));
    cluster.nodeLeft("n1");
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(100);

    cluster.cut("n1", "manager");
    cluster.nodeLeft("n1");
    cluster.allocate();
    await cluster.settle(10);
    cluster.heal();
    await cluster.settle(100);
    if (disk) disk.hold = undefined;
    open();
    await cluster.settle(1000);
    const answer = await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]),
    );

    expect(answer.items.map(({ status, primaryTerm }) => [status, primaryTerm])).toEqual([
      [201, 3],
    ]);
    expect(await within(cluster, cluster.get("1"))).toBe('{"a":1}');
  });

  test("is not touched by an earlier recovery that was called off and ends late", async () => {
    const cluster = await started(["n1"], 0);
    const write = (id: string) =>
      within(cluster, cluster.bulk([{ operation: "index", id, source: '{"a":1}' }]));
    await write("1");
    cluster.crash("n1");
    cluster.nodeLeft("n1");
    const disk = cluster.nodes.get("n1")?.disk;
    let open = (): void => undefined;
    if (disk) disk.hold = new Promise((resolve) => (open = resolve));
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(100);

    cluster.nodeLeft("n1");
    if (disk) disk.hold = undefined;
    await cluster.settle(100);
    cluster.allocate();
    await cluster.settle(1000);
    await write("2");
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    const files = disk?.paths;
    open();
    await cluster.settle(100);

    expect(disk?.paths).toEqual(files);
    for (const id of ["1", "2"]) expect(await within(cluster, cluster.get(id))).toBe('{"a":1}');
  });

  test("goes on after its node crashed, with every acknowledged write", async () => {
    const cluster = await started(["n1"], 0);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));

    cluster.crash("n1");
    cluster.nodeLeft("n1");
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(1000);

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED"]);
    expect(await within(cluster, cluster.get("1"))).toBe('{"a":1}');
  });
});

test("files that another copy wrote meanwhile are not started from", async () => {
  const cluster = await started(["n1"], 0);
  cluster.crash("n1");
  cluster.nodeLeft("n1");
  cluster.restart("n1");
  cluster.allocate();

  const disk = cluster.nodes.get("n1")?.disk;
  const path = disk?.paths.find((name) => name.endsWith("/state.json")) ?? "";
  const body = JSON.stringify({ indexUuid: UUID, allocationId: "a9", primary: false });
  disk?.write(path, utf8Encode(`${crc32c(utf8Encode(body))}\n${body}`));
  await cluster.settle(1000);

  expect(cluster.rows().map(({ state }) => state)).toEqual(["UNASSIGNED"]);
  expect(cluster.log.join("\n")).toContain("shard has allocation id [a9] on disk, expected [a1]");
});

describe("two copies", () => {
  test("a replica recovers from files and then follows every write", async () => {
    const cluster = await started(["n1", "n2"], 0);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
    await within(cluster, cluster.admin(actions.flushShard, "n1"));

    cluster.createReplica();
    cluster.allocate();
    await cluster.settle(2000);
    const answer = await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]),
    );

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(answer.shards).toMatchObject({ total: 2, successful: 2 });
    expect(await within(cluster, cluster.get("1", "n2"))).toBe('{"a":1}');
    expect(await within(cluster, cluster.get("2", "n2"))).toBe('{"a":2}');
    const recovery = await within(cluster, cluster.admin(actions.shardRecovery, "n2"));
    expect(recovery).toMatchObject({ type: "PEER", stage: "DONE" });
  });

  test("INV-REPL-11: a refresh while a copy recovers is seen by searches of that copy", async () => {
    for (let ms = 0; ms < 120; ms += 3) {
      const cluster = createFakeCluster(["n1", "n2"]);
      cluster.createIndex({ replicas: 1, settings: { "index.refresh_interval": "30s" } });
      await cluster.settle(1000);
      await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
      cluster.allocate();
      await cluster.settle(ms);
      await within(cluster, cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]));
      await within(cluster, cluster.admin(actions.refreshShard, "n1"));
      await cluster.settle(1000);

      const { docs } = await within(cluster, cluster.admin(actions.shardStats, "n2"));
      expect([ms, docs]).toMatchObject([ms, { count: 2 }]);
    }
  });

  test("is closed only when every copy has everything", async () => {
    const cluster = await started(["n1", "n2"], 1);
    const verify = (phase: number): Promise<JsonObject> =>
      within(cluster, cluster.admin(actions.verifyShardBeforeClose, "n1", { phase }));
    const write = cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]);
    await expect(verify(1)).rejects.toThrow("must be blocked before closing");
    await within(cluster, write);

    cluster.blockWrites();
    const phases = [await verify(1), await verify(2)];

    const whole = { total: 2, successful: 2, failures: [] };
    expect(phases).toEqual([whole, whole]);
    for (const node of ["n1", "n2"]) {
      const { translog } = await within(cluster, cluster.admin(actions.shardStats, node));
      expect(translog).toMatchObject({ uncommitted_operations: 0 });
    }
  });

  test("is not closed while its highest number is above the global checkpoint", async () => {
    const cluster = await started(["n1", "n2"], 1, { "index.translog.durability": "async" });
    cluster.blockWrites();
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));

    const early = cluster.admin(actions.verifyShardBeforeClose, "n1", { phase: 2 });

    await expect(within(cluster, early)).rejects.toThrow(
      "Global checkpoint [-1] mismatches maximum sequence number [0]",
    );
  });

  test("a replica that was away catches up by operations", async () => {
    const cluster = await started(["n1", "n2"], 1);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    await cluster.settle(1000);

    cluster.crash("n2");
    cluster.nodeLeft("n2");
    await within(cluster, cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]));
    cluster.restart("n2");
    cluster.allocate();
    await cluster.settle(2000);

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    const recovery = await within(cluster, cluster.admin(actions.shardRecovery, "n2"));
    expect(recovery).toMatchObject({ stage: "DONE", index: { files: { total: 0 } } });
    expect(await within(cluster, cluster.get("2", "n2"))).toBe('{"a":2}');
  });

  test("a promoted replica has every acknowledged write, and fences the old primary", async () => {
    const cluster = await started(["n1", "n2"], 1);
    const old = cluster.primary();
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));

    cluster.cut("n1", "manager");
    cluster.cut("n1", "n2");
    cluster.nodeLeft("n1");
    await cluster.settle(1000);
    const term = cluster.state().metadata.indices.get("books")?.primaryTerms[0];
    await within(cluster, cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]));
    // The old primary does not know; its write cannot be confirmed by anyone.
    const stale = cluster.bulk([{ operation: "index", id: "3", source: '{"a":3}' }], {
      ...(old && { to: old }),
      term: 1,
    });
    let isAcknowledged = false;
    stale.then(() => (isAcknowledged = true)).catch(() => undefined);
    await cluster.settle(30_000);

    expect(term).toBe(2);
    expect(isAcknowledged).toBe(false);
    expect(await within(cluster, cluster.get("1"))).toBe('{"a":1}');

    cluster.heal();
    await cluster.settle(5000);
    cluster.allocate();
    await cluster.settle(5000);
    expect(isAcknowledged).toBe(false);
    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(await within(cluster, cluster.get("2", "n1"))).toBe('{"a":2}');
    expect(await within(cluster, cluster.get("3", "n1"))).toBeUndefined();
  });

  test("a primary moves to another node while it is written to", async () => {
    const cluster = await started(["n1", "n2"], 0);
    await within(cluster, cluster.bulk([{ operation: "index", id: "0", source: '{"a":0}' }]));

    cluster.move("n1", "n2");
    for (let i = 1; i <= 20; i += 1) {
      const write = cluster.bulk([{ operation: "index", id: `${i}`, source: `{"a":${i}}` }]);
      await within(cluster, write).catch(() => cluster.settle(200));
      await within(
        cluster,
        cluster.bulk([{ operation: "index", id: `${i}`, source: `{"a":${i}}` }]),
      );
    }
    await cluster.settle(3000);

    expect(cluster.rows().map(({ state, nodeId }) => [state, nodeId])).toEqual([["STARTED", "n2"]]);
    for (let i = 0; i <= 20; i += 1)
      expect(await within(cluster, cluster.get(`${i}`))).toBe(`{"a":${i}}`);
  });

  test("a primary that handed its role over fails when another target is chosen at the moment the first one is lost", async () => {
    const cluster = await started(["n1", "n2", "n3"], 0);
    cluster.move("n1", "n2");
    await cluster.settle(5);
    cluster.cut("n2", "manager");
    await cluster.settle(2000);
    expect(
      cluster.rows().map(({ state }) => state),
      "nobody says it is started",
    ).toEqual(["RELOCATING"]);

    cluster.move("n1", "n3");
    await cluster.settle(2000);

    expect(cluster.log.join("\n")).toContain("cannot safely move to state RELOCATING");
    expect(cluster.rows().map(({ state }) => state)).toEqual(["UNASSIGNED"]);
  });

  test("a replica that began to recover from a primary that moves away has what the new one acknowledged", async () => {
    const cluster = await started(["n1", "n2", "n3"], 0);
    const write = (id: string) =>
      within(cluster, cluster.bulk([{ operation: "index", id, source: '{"a":1}' }]));
    await write("1");
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    const disk = cluster.nodes.get("n2")?.disk;
    cluster.createReplica();
    cluster.allocate();
    while (disk?.paths.some((path) => path.includes("/recovery.")) === false)
      await cluster.settle(1);
    let open = (): void => undefined;
    if (disk) disk.hold = new Promise((resolve) => (open = resolve));
    cluster.move("n1", "n3");
    await cluster.settle(5);
    cluster.cut("n3", "manager");
    await cluster.settle(2000);

    if (disk) disk.hold = undefined;
    open();
    await cluster.settle(2000);
    await write("2");
    cluster.heal();
    await cluster.settle(30_000);

    expect(cluster.rows().map(({ state, nodeId }) => [state, nodeId])).toEqual([
      ["STARTED", "n3"],
      ["STARTED", "n2"],
    ]);
    expect(await within(cluster, cluster.get("2", "n2"))).toBe('{"a":1}');
  });

  test("the leases of copies outlive a loss of power before a commit", async () => {
    const cluster = await started(["n1", "n2"], 1);
    const leases = async (): Promise<readonly string[]> => {
      const stats = await within(cluster, cluster.admin(actions.shardStats, "n1"));
      const held = stats["retention_leases"] as { readonly leases: readonly { id: string }[] };
      return held.leases.map(({ id }) => id).toSorted();
    };
    const before = await leases();
    expect(before).toEqual(["peer_recovery/n1", "peer_recovery/n2"]);

    cluster.crash("n2");
    cluster.crash("n1");
    cluster.nodeLeft("n2");
    cluster.nodeLeft("n1");
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(1000);

    expect(cluster.rows().map(({ state }) => state)).toContain("STARTED");
    expect(await leases()).toEqual(before);
  });

  test("a replica that opens its own files knows the leases before the primary tells them again", async () => {
    const cluster = await started(["n1", "n2"], 1);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    await cluster.settle(1000);
    cluster.crash("n2");
    cluster.nodeLeft("n2");
    await within(cluster, cluster.bulk([{ operation: "index", id: "2", source: '{"a":2}' }]));
    cluster.restart("n2");
    cluster.allocate();

    const known: unknown[] = [];
    for (let ms = 0; ms < 60; ms += 1) {
      cluster.admin(actions.shardStats, "n2").then(
        (stats) => known.push((stats["retention_leases"] as JsonObject)["leases"]),
        () => undefined,
      );
      await cluster.settle(1);
    }

    const recovery = await within(cluster, cluster.admin(actions.shardRecovery, "n2"));
    expect(recovery).toMatchObject({ stage: "DONE", index: { files: { total: 0 } } });
    expect(known.length).toBeGreaterThan(0);
    for (const leases of known) expect(leases).toHaveLength(2);
  });

  test("a damaged copy fails alone and is built anew from the other", async () => {
    const cluster = await started(["n1", "n2"], 1);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }]));
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    await cluster.settle(1000);

    cluster.crash("n2");
    cluster.nodeLeft("n2");
    const disk = cluster.nodes.get("n2")?.disk;
    const file = disk?.paths.find((path) => path.includes("/index/_"));
    disk?.flipBit(file ?? "", 60);
    cluster.restart("n2");
    for (let i = 0; i < 4; i += 1) {
      cluster.allocate();
      await cluster.settle(2000);
    }

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(await within(cluster, cluster.get("1", "n2"))).toBe('{"a":1}');
  });
});
