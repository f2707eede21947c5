/** Disks that fail and mappings that race: the copy suffers, the acknowledged writes do not. */
import { actions } from "@orrery/protocol";
import { describe, expect, test } from "vitest";
import { createFakeCluster, UUID, within, type FakeCluster } from "./fake-cluster.ts";

async function started(
  nodes: readonly string[],
  settings: Record<string, string> = {},
): Promise<FakeCluster> {
  const cluster = createFakeCluster(nodes);
  cluster.createIndex({ replicas: nodes.length - 1, settings });
  await cluster.settle(1000);
  for (let i = 1; i < nodes.length; i += 1) {
    cluster.allocate();
    await cluster.settle(1000);
  }
  return cluster;
}

const write = (cluster: FakeCluster, id: string) =>
  within(cluster, cluster.bulk([{ operation: "index", id, source: `{"v":"${id}"}` }]));

describe("a disk whose sync fails", () => {
  test("of a replica: the write is acknowledged when the copy is out of the in-sync set", async () => {
    const cluster = await started(["n1", "n2"]);
    await write(cluster, "1");
    const disk = cluster.nodes.get("n2")?.disk;
    if (disk) disk.failSync = true;

    const answer = await write(cluster, "2");

    expect(answer.shards).toMatchObject({ total: 2, successful: 1 });
    expect(cluster.inSync()).toEqual(["a1"]);
    if (disk) disk.failSync = false;
    cluster.allocate();
    await cluster.settle(3000);
    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(await within(cluster, cluster.get("2", "n2"))).toBe('{"v":"2"}');
  });

  test("of a primary: the write is refused, the replica takes over", async () => {
    const cluster = await started(["n1", "n2"]);
    await write(cluster, "1");
    const disk = cluster.nodes.get("n1")?.disk;
    if (disk) disk.failSync = true;

    await expect(write(cluster, "2")).rejects.toMatchObject({ problem: { type: "i_o_exception" } });
    await cluster.settle(1000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n2", state: "STARTED" });
    expect(await within(cluster, cluster.get("1"))).toBe('{"v":"1"}');
    expect((await write(cluster, "3")).items[0]?.status).toBe(201);
  });
});

describe("a replica that cannot be reached", () => {
  test("and takes over meanwhile: the write is refused by the old primary", async () => {
    const cluster = await started(["n1", "n2"]);
    cluster.cut("n1", "n2");
    const answer = write(cluster, "1");
    const refused = expect(answer).rejects.toMatchObject({
      problem: { type: "retry_on_primary_exception" },
    });
    await cluster.settle(30);

    cluster.nodeLeft("n1");
    await refused;

    expect(cluster.primary()).toMatchObject({ nodeId: "n2" });
  });

  test("and leaves the routing table meanwhile: it is in-sync no more when the write is acknowledged", async () => {
    const cluster = await started(["n1", "n2"]);
    cluster.cut("n1", "n2");
    const answer = write(cluster, "1");
    await cluster.settle(30);

    cluster.nodeLeft("n2");
    const { items } = await answer;

    expect(items[0]?.status).toBe(201);
    expect(cluster.inSync()).toEqual(["a1"]);
  });
});

describe("a replica that does not answer although it is connected", () => {
  test.each(["request", "response"] as const)(
    "is sent the write again when its %s was lost, and stays in-sync",
    async (kind) => {
      const cluster = await started(["n1", "n2"]);
      cluster.loseNext(kind, "n2");

      const answer = await within(cluster, write(cluster, "1"));

      expect(answer.shards).toMatchObject({ total: 2, successful: 2 });
      expect(cluster.inSync()).toEqual(["a1", "a2"]);
      expect(await within(cluster, cluster.get("1", "n2"))).toBe('{"v":"1"}');
    },
  );

  test("again and again leaves the in-sync set before the write is acknowledged", async () => {
    const cluster = await started(["n1", "n2"]);
    for (let i = 0; i < 10; i += 1) cluster.loseNext("request", "n2");

    const answer = await within(cluster, write(cluster, "1"));

    expect(answer.shards).toMatchObject({ total: 2, successful: 1 });
    expect(cluster.inSync()).toEqual(["a1"]);
  });
});

describe("a replica that knows an older global checkpoint than the promoted copy", () => {
  test("keeps what lies below the new primary's: no resync brings it again", async () => {
    const cluster = await started(["n1", "n2", "n3"]);
    await write(cluster, "1");
    cluster.cut("n1", "n3");
    await cluster.settle(2000);

    cluster.nodeLeft("n1");
    await cluster.settle(1000);
    expect(cluster.primary()).toMatchObject({ nodeId: "n2" });
    await write(cluster, "2");

    for (const node of ["n2", "n3"])
      for (const id of ["1", "2"])
        expect(await within(cluster, cluster.get(id, node))).toBe(`{"v":"${id}"}`);
  });
});

describe("INV-REPL-10: the resync of a promoted primary", () => {
  /** n2 is primary, its resync message to n3 is lost; n4 has no copy. */
  async function promoted(): Promise<FakeCluster> {
    const cluster = createFakeCluster(["n1", "n2", "n3", "n4"]);
    cluster.createIndex({ replicas: 2 });
    await cluster.settle(1000);
    for (let i = 0; i < 2; i += 1) {
      cluster.allocate();
      await cluster.settle(1000);
    }
    await write(cluster, "1");
    const [next, other] = cluster.rows().flatMap(({ nodeId }) => (nodeId === "n1" ? [] : [nodeId]));
    expect([next, other]).toEqual(["n2", "n3"]);
    return cluster;
  }

  test("is sent again after a second when its message was lost", async () => {
    const cluster = await promoted();
    cluster.loseNext("request", "n3");
    cluster.nodeLeft("n1");
    await cluster.settle(900);
    const before = cluster.log.filter((line) => line.includes("resync completed"));

    await cluster.settle(400);

    expect(before).toEqual([]);
    expect(cluster.log.filter((line) => line.includes("resync completed"))).toHaveLength(1);
    expect(cluster.primary()).toMatchObject({ nodeId: "n2" });
  });

  test("keeps the role where it is until it is over", async () => {
    const cluster = await promoted();
    for (let i = 0; i < 3; i += 1) cluster.loseNext("request", "n3");
    cluster.nodeLeft("n1");
    await cluster.settle(100);

    cluster.move("n2", "n4");
    await cluster.settle(2000);
    const during = cluster.primary();
    await cluster.settle(5000);

    expect(during).toMatchObject({ nodeId: "n2", state: "RELOCATING" });
    expect(cluster.primary()).toMatchObject({ nodeId: "n4", state: "STARTED" });
    expect(await within(cluster, cluster.get("1", "n3"))).toBe('{"v":"1"}');
  });

  test("that the cluster manager does not confirm fails the primary", async () => {
    const cluster = await promoted();
    cluster.refuseFailures({ type: "illegal_state_exception", reason: "no", status: 500 });
    const disk = cluster.nodes.get("n3")?.disk;
    if (disk) disk.failSync = true;
    cluster.nodeLeft("n1");
    await cluster.settle(1000);

    expect(cluster.log.join("\n")).toContain("exception during primary-replica resync");
  });
});

test("a replica that rolls back to the global checkpoint shows searches the documents that it showed before", async () => {
  const cluster = await started(["n1", "n2", "n3"], { "index.refresh_interval": "-1" });
  await write(cluster, "1");
  await cluster.settle(2000);
  await within(cluster, cluster.admin(actions.refreshShard, "n1"));
  const shown = async (): Promise<unknown> =>
    (await within(cluster, cluster.admin(actions.shardStats, "n3")))["docs"];
  expect(await shown()).toMatchObject({ count: 1 });

  // Only the third copy receives the second document.
  cluster.cut("n1", "n2");
  write(cluster, "2").catch(() => undefined);
  await cluster.settle(50);
  cluster.nodeLeft("n1");
  await cluster.settle(1000);
  await write(cluster, "3");

  expect(await within(cluster, cluster.get("2", "n3"))).toBeUndefined();
  expect(await shown()).toMatchObject({ count: 1 });
});

test("a replica whose disk has lost operations below the global checkpoint fails when it rolls back, and recovers", async () => {
  const cluster = await started(["n1", "n2", "n3"]);
  const disk = cluster.nodes.get("n3")?.disk ?? expect.unreachable();
  const folder = `indices/${UUID}/0/translog`;
  const files = (): string[] => disk.list(folder).map((name) => `${folder}/${name}`);
  await write(cluster, "1");
  const sizes = new Map(files().map((path) => [path, disk.sizeBytes(path)]));
  await write(cluster, "2");
  // Its primary has told it the global checkpoint.
  await cluster.settle(2000);
  // Only the third copy receives the third document, and has something to roll back.
  cluster.cut("n1", "n2");
  write(cluster, "3").catch(() => undefined);
  await cluster.settle(50);
  // As if the disk had put the second record, and the marks of its syncs, elsewhere.
  for (const path of files()) {
    if (path.endsWith(".ckp")) disk.write(path, new Uint8Array(0));
    else disk.truncate(path, sizes.get(path) ?? 0);
  }

  cluster.nodeLeft("n1");
  await cluster.settle(1000);

  expect(cluster.log.join("\n")).toContain("the store ends at operation [0]");
  cluster.allocate();
  await cluster.settle(2000);
  for (const id of ["1", "2"])
    expect(await within(cluster, cluster.get(id, "n3"))).toBe(`{"v":"${id}"}`);
});

describe("a replica that has rolled back when its new primary fails", () => {
  /** The third copy has seen the new term and rolled back, and lacks the operations of the resync. */
  const rolledBackCluster = async (): Promise<FakeCluster> => {
    const cluster = await started(["n1", "n2", "n3"]);
    await write(cluster, "1");
    cluster.cut("n1", "n2");
    cluster.cut("n1", "n3");
    cluster.loseNext("request", "n3");
    cluster.nodeLeft("n1");
    await cluster.settle(200);
    write(cluster, "2").catch(() => undefined);
    await cluster.settle(200);
    return cluster;
  };

  /** Only the third copy has received the second write, and the new primary's resync has excluded it from the history. */
  const resyncedCluster = async (): Promise<FakeCluster> => {
    const cluster = await started(["n1", "n2", "n3"]);
    await write(cluster, "1");
    cluster.cut("n1", "n2");
    // The write is not acknowledged.
    write(cluster, "2").catch(() => undefined);
    await cluster.settle(50);
    cluster.nodeLeft("n1");
    await cluster.settle(1000);
    return cluster;
  };

  test("has what was acknowledged when it is promoted itself", async () => {
    const cluster = await rolledBackCluster();
    expect(await within(cluster, cluster.get("1", "n3"))).toBeUndefined();

    cluster.crash("n2");
    cluster.nodeLeft("n2");
    await cluster.settle(1000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n3" });
    for (const id of ["1", "2"])
      expect(await within(cluster, cluster.get(id, "n3"))).toBe(`{"v":"${id}"}`);
  });

  test("does not re-apply operations that the new primary's resync has excluded from the history", async () => {
    const cluster = await resyncedCluster();

    cluster.crash("n2");
    cluster.nodeLeft("n2");
    await cluster.settle(1000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n3" });
    expect(await within(cluster, cluster.get("1", "n3"))).toBe('{"v":"1"}');
    expect(await within(cluster, cluster.get("2", "n3"))).toBeUndefined();
  });

  test("does not take it up after a restart either", async () => {
    const cluster = await resyncedCluster();

    cluster.crash("n3");
    cluster.crash("n2");
    cluster.nodeLeft("n2");
    cluster.nodeLeft("n3");
    cluster.restart("n3");
    cluster.allocate();
    await cluster.settle(3000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n3" });
    expect(await within(cluster, cluster.get("1", "n3"))).toBe('{"v":"1"}');
    expect(await within(cluster, cluster.get("2", "n3"))).toBeUndefined();
  });

  test("has it after a restart, too", async () => {
    const cluster = await rolledBackCluster();

    cluster.crash("n3");
    cluster.crash("n2");
    cluster.nodeLeft("n3");
    cluster.nodeLeft("n2");
    cluster.restart("n3");
    cluster.allocate();
    await cluster.settle(3000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n3" });
    for (const id of ["1", "2"])
      expect(await within(cluster, cluster.get(id, "n3"))).toBe(`{"v":"${id}"}`);
  });
});

describe("a primary that wrote alone, fell and came back as a replica", () => {
  test("has forgotten what it wrote alone when it is primary again after a restart", async () => {
    const cluster = await started(["n1", "n2"]);
    await write(cluster, "1");
    cluster.cut("n1", "n2");
    write(cluster, "alone").catch(() => undefined);
    await cluster.settle(50);
    cluster.crash("n1");
    cluster.nodeLeft("n1");
    cluster.heal();
    await cluster.settle(1000);
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(3000);
    expect(cluster.inSync()).toHaveLength(2);

    for (const node of ["n2", "n1"]) {
      cluster.crash(node);
      cluster.nodeLeft(node);
    }
    cluster.restart("n1");
    cluster.allocate();
    await cluster.settle(3000);

    expect(cluster.primary()).toMatchObject({ nodeId: "n1", state: "STARTED" });
    expect(await within(cluster, cluster.get("1", "n1"))).toBe('{"v":"1"}');
    expect(await within(cluster, cluster.get("alone", "n1"))).toBeUndefined();
  });
});

test("a report of a copy to the cluster manager is sent again when it was lost", async () => {
  const cluster = createFakeCluster(["n1"]);
  cluster.loseNext("request", "manager");
  cluster.createIndex({ replicas: 0 });
  await cluster.settle(10_000);
  expect(cluster.primary()).toMatchObject({ state: "INITIALIZING" });

  await cluster.settle(30_000);

  expect(cluster.primary()).toMatchObject({ state: "STARTED" });
});

test("a recovery that nobody hears of any more ends, and is tried again", async () => {
  const cluster = createFakeCluster(["n1", "n2"]);
  cluster.createIndex({ replicas: 1 });
  await cluster.settle(1000);
  cluster.loseNext("request", "n1");
  cluster.allocate();
  await cluster.settle(60_000);
  expect(cluster.inSync()).toHaveLength(1);

  await cluster.settle(3_600_000);
  cluster.allocate();
  await cluster.settle(3000);

  expect(cluster.log.join("\n")).toContain("no activity after [30m]");
  expect(cluster.inSync()).toHaveLength(2);
});

describe("a file that rots under a running primary", () => {
  test("is written anew from memory when a replica needs it", async () => {
    const cluster = createFakeCluster(["n1", "n2"]);
    cluster.createIndex({ replicas: 0 });
    await cluster.settle(1000);
    await write(cluster, "1");
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    const disk = cluster.nodes.get("n1")?.disk;
    disk?.flipBit(disk.paths.find((path) => path.includes("/index/_")) ?? "", 50);

    cluster.createReplica();
    for (let i = 0; i < 3; i += 1) {
      cluster.allocate();
      await cluster.settle(3000);
    }

    expect(cluster.rows().map(({ state }) => state)).toEqual(["STARTED", "STARTED"]);
    expect(await within(cluster, cluster.get("1", "n2"))).toBe('{"v":"1"}');
    expect(cluster.log.join("\n")).toContain("wrote [1] damaged files anew");
  });
});

test("a recovery goes on when the answer to any of its steps was lost with the connection", async () => {
  for (let afterMs = 0; afterMs < 30; afterMs += 1) {
    const cluster = createFakeCluster(["n1", "n2"], `lost-${afterMs}`);
    cluster.createIndex({ replicas: 0 });
    await cluster.settle(1000);
    await write(cluster, "1");
    await within(cluster, cluster.admin(actions.flushShard, "n1"));
    cluster.createReplica();
    cluster.allocate();
    await cluster.settle(afterMs);

    cluster.loseNext("response", "n2");
    await cluster.settle(20);
    cluster.nodes.get("n1")?.deliver?.({ kind: "disconnected", nodeId: "n2", reason: "cut" });
    await cluster.settle(600);

    expect([afterMs, cluster.inSync()]).toEqual([afterMs, ["a1", "a2"]]);
  }
});

test("a replica that lacks operations its primary has lost fails: the global checkpoint does not wait for it", async () => {
  const cluster = createFakeCluster(["n1", "n2"]);
  const mapping = { _source: { enabled: false } };
  cluster.createIndex({ replicas: 0, mapping });
  await cluster.settle(1000);
  await write(cluster, "1");
  await within(cluster, cluster.admin(actions.flushShard, "n1"));
  await write(cluster, "2");
  const disk = cluster.nodes.get("n1")?.disk;
  // Operations that are not committed are in the newest generation only.
  disk?.remove(disk.paths.findLast((path) => path.endsWith(".tlog")) ?? "");

  cluster.createReplica();
  cluster.allocate();
  await cluster.settle(3000);
  await write(cluster, "3");

  expect(cluster.log.join("\n")).toContain("missing_history_operations_exception");
  const stats = await within(cluster, cluster.admin(actions.shardStats, "n1"));
  expect(stats["seq_no"]).toMatchObject({ max_seq_no: 2, global_checkpoint: 2 });
});

describe("asynchronous durability", () => {
  test("acknowledges before the sync, which follows within its interval", async () => {
    const cluster = await started(["n1"], { "index.translog.durability": "async" });
    const disk = cluster.nodes.get("n1")?.disk;
    let open = (): void => undefined;
    if (disk) disk.hold = new Promise((resolve) => (open = resolve));

    const answer = await write(cluster, "1");
    const before = await within(cluster, cluster.admin(actions.shardStats, "n1"));
    open();
    await cluster.settle(5100);

    expect(answer.items[0]?.status).toBe(201);
    expect(before["seq_no"]).toMatchObject({ max_seq_no: 0, local_checkpoint: -1 });
    const after = await within(cluster, cluster.admin(actions.shardStats, "n1"));
    expect(after["seq_no"]).toMatchObject({ local_checkpoint: 0, global_checkpoint: 0 });
  });
});

describe("fields that documents bring", () => {
  test("writes that race for one mapping all get in", async () => {
    const cluster = await started(["n1", "n2"]);
    const bulks = ["a", "b", "c", "d"].map((field) =>
      cluster.bulk([{ operation: "index", id: field, source: `{"${field}":1}` }]),
    );

    const answers = await within(cluster, Promise.all(bulks));

    expect(answers.map(({ items }) => items[0]?.status)).toEqual([201, 201, 201, 201]);
    const { mapping } = cluster.state().metadata.indices.get("books") ?? {};
    expect(Object.keys((mapping?.["properties"] ?? {}) as object).toSorted()).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(await within(cluster, cluster.get("d", "n2"))).toBe('{"d":1}');
  });

  test("within one bulk an earlier document decides the type", async () => {
    const cluster = await started(["n1"]);

    const answer = await within(
      cluster,
      cluster.bulk([
        { operation: "index", id: "1", source: '{"n":1}' },
        { operation: "index", id: "2", source: '{"n":"x"}' },
      ]),
    );

    expect(answer.items.map(({ status }) => status)).toEqual([201, 400]);
    expect(answer.items[1]?.problem?.type).toBe("mapper_parsing_exception");
  });
});

describe("updates", () => {
  test("answer with the filtered document, do nothing when nothing changes, and miss what is not there", async () => {
    const cluster = await started(["n1"]);
    await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "1", source: '{"1":1.0,"b":{"x":[1]}}' }]),
    );

    const answer = await within(
      cluster,
      cluster.bulk([
        { operation: "update", id: "1", source: '{"doc":{"b":{"y":2}},"_source":["b.y"]}' },
        { operation: "update", id: "1", source: '{"doc":{"b":{"y":2}}}' },
        { operation: "update", id: "2", source: '{"doc":{"b":1}}' },
        { operation: "update", id: "3", source: '{"doc":{"c":1},"doc_as_upsert":true}' },
      ]),
    );

    expect(answer.items.map(({ result, status }) => [result, status])).toEqual([
      ["updated", 200],
      ["noop", 200],
      ["", 404],
      ["created", 201],
    ]);
    const get = new TextDecoder().decode(answer.items[0]?.get);
    expect(get).toBe('{"_seq_no":1,"_primary_term":1,"found":true,"_source":{"b":{"y":2}}}');
    expect(await within(cluster, cluster.get("1"))).toBe('{"1":1.0,"b":{"x":[1],"y":2}}');
  });
});

test("a copy that catches up with the last of all operations while it recovers is let in", async () => {
  for (let afterMs = 0; afterMs < 40; afterMs += 1) {
    const cluster = createFakeCluster(["n1", "n2"], `late-${afterMs}`);
    cluster.createIndex({ replicas: 1 });
    await cluster.settle(1000);
    cluster.allocate();
    await cluster.settle(afterMs);

    await write(cluster, "1");
    await cluster.settle(5000);

    expect([afterMs, cluster.inSync()]).toEqual([afterMs, ["a1", "a2"]]);
  }
});
