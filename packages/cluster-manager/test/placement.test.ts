/** Where copies go, as the elected cluster manager decides it, and what happens to them when nodes come and go. */
import {
  clusterHealth,
  completeIndexSettings,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { actions, ShardFailedRequest } from "@orrery/protocol";
import { newUuid, type IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  createWorld,
  isFormed,
  startThree,
  threeNames,
  threeSettings,
  type Process,
  type World,
} from "./world.ts";

async function createIndex(world: World, shards: number, replicas: number): Promise<void> {
  const [through] = world.processes() as [Process];
  const uuid = newUuid(world.random) as IndexUuid;
  const settings = completeIndexSettings(through.manager.state(), {
    name: "books",
    uuid,
    creationDateMs: 1,
    requested: {
      "index.number_of_shards": String(shards),
      "index.number_of_replicas": String(replicas),
      "index.unassigned.node_left.delayed_timeout": "2s",
    },
  });
  await world.settle(
    through.manager.submit({
      kind: "create-index",
      name: "books",
      uuid,
      creationDateMs: 1,
      settings,
      mapping: {},
      aliases: {},
    }),
  );
}

const stateOf = (world: World): ClusterState => (world.processes()[0] as Process).manager.state();
const status = (world: World): string => clusterHealth(stateOf(world)).status;
const copies = (world: World): readonly ShardRouting[] =>
  stateOf(world).routingTable.get("books")?.shards.flat() ?? [];
const processOf = (world: World, copy: ShardRouting | undefined): Process =>
  world.processes().find(({ node }) => node.id === copy?.nodeId) as Process;

describe("an index", () => {
  test("is green soon after it was created", async () => {
    const world = createWorld("green");
    await startThree(world);
    await createIndex(world, 3, 1);

    await world.until(() => status(world) === "green", 200);

    expect(copies(world)).toHaveLength(6);
    expect(stateOf(world).metadata.indices.get("books")?.inSyncAllocationIds).toHaveLength(3);
  });

  test("promotes a replica when a node is lost, and gives it a new one after the delay", async () => {
    const world = createWorld("delay");
    await startThree(world);
    await createIndex(world, 1, 1);
    await world.until(() => status(world) === "green", 200);
    const [primary, replica] = copies(world);
    const lost = processOf(world, primary);
    const killedMs = world.nowMs();
    world.kill(lost);

    await world.until(() => copies(world)[0]?.nodeId === replica?.nodeId, 300);

    expect(status(world)).toBe("yellow");
    expect(stateOf(world).metadata.indices.get("books")?.primaryTerms).toEqual([2]);
    await world.until(() => status(world) === "green", 5000);
    expect(world.nowMs() - killedMs).toBeGreaterThan(2000);
  });

  test("gets its replica after the delay whatever the clocks say meanwhile", async () => {
    const world = createWorld("set-clocks");
    await startThree(world);
    await createIndex(world, 1, 1);
    await world.until(() => status(world) === "green", 200);
    const lost = processOf(world, copies(world)[1]);
    world.kill(lost);
    await world.until(() => status(world) === "yellow", 300);
    const lostMs = world.nowMs();

    for (const { name } of world.processes()) world.setClock(name, -3_600_000);
    await world.until(() => status(world) === "green", 5000);

    expect(world.nowMs() - lostMs).toBeGreaterThan(1900);
  });

  test("waits for a node that comes back in time, and gives it its copy", async () => {
    const world = createWorld("return");
    await startThree(world);
    await createIndex(world, 1, 1);
    await world.until(() => status(world) === "green", 200);
    const replica = copies(world)[1];
    const lost = processOf(world, replica);
    world.kill(lost);
    await world.run(600);
    expect(status(world)).toBe("yellow");

    world.start(lost.name, threeSettings());
    await world.until(() => status(world) === "green", 1000);

    expect(copies(world)[1]?.nodeId).toBe(replica?.nodeId);
  });

  test("comes back after a restart of the whole cluster, from the copies that were in sync", async () => {
    const world = createWorld("full-restart");
    await startThree(world);
    await createIndex(world, 4, 1);
    await world.until(() => status(world) === "green", 300);
    const before = copies(world).map(({ primary, nodeId, shard }) => [shard, primary, nodeId]);
    for (const process of world.processes()) world.kill(process);
    await world.run(100);
    for (const name of threeNames) world.start(name, threeSettings());

    await world.until(() => isFormed(world, 3) && status(world) === "green", 3000);

    const after = copies(world).map(({ primary, nodeId, shard }) => [shard, primary, nodeId]);
    expect(new Set(after.map(String))).toEqual(new Set(before.map(String)));
  });
});

test("a copy that is being overwritten does not become primary as what it was", async () => {
  const world = createWorld("overwritten");
  for (const name of threeNames) world.start(name, threeSettings(), ["cluster_manager"]);
  const dataNames = ["d1", "d2", "d3"];
  const startData = (name: string): Process =>
    world.start(name, { "discovery.seed_hosts": ["a:9300"] }, ["data"]);
  dataNames.forEach(startData);
  await world.until(() => isFormed(world, 6), 3000);
  await createIndex(world, 1, 2);
  await world.until(() => status(world) === "green", 500);
  const [holder, second, third] = copies(world).map((copy) => processOf(world, copy)) as [
    Process,
    Process,
    Process,
  ];
  world.kill(second);
  world.kill(third);
  await world.until(() => stateOf(world).nodes.size === 4, 1000);

  const returned = startData(second.name);
  const isRecovering = ({ nodeId, state }: ShardRouting): boolean =>
    nodeId === returned.node.id && state === "INITIALIZING";
  await world.until(() => copies(world).some(isRecovering), 2000);
  world.kill(holder);
  await world.run(500);

  expect(stateOf(world).nodes.size).toBe(4);
  expect(copies(world).map(({ state }) => state)).toEqual([
    "UNASSIGNED",
    "UNASSIGNED",
    "UNASSIGNED",
  ]);
});

test("a copy that could not be read is looked at again when failed ones are to be retried", async () => {
  const world = createWorld("unreadable");
  await startThree(world);
  await createIndex(world, 1, 1);
  await world.until(() => status(world) === "green", 300);
  for (const process of world.processes()) world.kill(process);
  for (const name of threeNames) world.setReadable(name, false);
  for (const name of threeNames) world.start(name, threeSettings());
  await world.until(() => isFormed(world, 3), 3000);
  await world.run(5000);
  for (const name of threeNames) world.setReadable(name, true);
  await world.run(5000);
  expect(status(world)).toBe("red");

  const [through] = world.processes() as [Process];
  const retry = { commands: [], explain: false, retryFailed: true, dryRun: false };
  const timeouts = { managerTimeoutMs: 1000, ackTimeoutMs: 1000 };
  await world.settle(through.manager.reroute({ ...retry, ...timeouts }));

  await world.until(() => status(world) === "green", 3000);
});

describe("a primary that fails another copy", () => {
  const report = (world: World, copy: ShardRouting, primaryTerm: number): Uint8Array =>
    ShardFailedRequest.encode({
      index: "books",
      indexUuid: stateOf(world).metadata.indices.get("books")?.uuid ?? "",
      shard: 0,
      allocationId: copy.allocationId ?? "",
      primaryTerm,
      markAsStale: true,
      message: "did not answer",
    }).finish();

  test("takes it out of the in-sync set before it is answered", async () => {
    const world = createWorld("stale");
    await startThree(world);
    await createIndex(world, 1, 1);
    await world.until(() => status(world) === "green", 200);
    const [primary, replica] = copies(world) as [ShardRouting, ShardRouting];
    const managerId = stateOf(world).managerNodeId as never;

    await world.settle(
      processOf(world, primary).endpoint.request(
        managerId,
        actions.shardFailed,
        report(world, replica, 1),
      ),
    );

    const manager = world.elected()?.manager.state();
    expect(manager?.metadata.indices.get("books")?.inSyncAllocationIds[0]).not.toContain(
      replica.allocationId,
    );
  });

  test("is tried again on its node when there is no other", async () => {
    const world = createWorld("again");
    await startThree(world);
    await createIndex(world, 1, 2);
    await world.until(() => status(world) === "green", 200);
    const [primary, replica] = copies(world) as [ShardRouting, ShardRouting];
    const managerId = stateOf(world).managerNodeId as never;

    await world.settle(
      processOf(world, primary).endpoint.request(
        managerId,
        actions.shardFailed,
        report(world, replica, 1),
      ),
    );
    await world.until(() => status(world) === "green", 300);

    expect(copies(world).some(({ allocationId }) => allocationId === replica.allocationId)).toBe(
      false,
    );
  });

  test("of an older primary term is told that it is none any more", async () => {
    const world = createWorld("fenced");
    await startThree(world);
    await createIndex(world, 1, 1);
    await world.until(() => status(world) === "green", 200);
    const [primary, replica] = copies(world) as [ShardRouting, ShardRouting];
    const process = processOf(world, primary);
    const managerId = stateOf(world).managerNodeId as never;

    const answer = process.endpoint.request(
      managerId,
      actions.shardFailed,
      report(world, replica, 9),
    );

    await expect(world.settle(answer)).rejects.toMatchObject({
      problem: {
        type: "no_longer_primary_shard_exception",
        reason: "primary term [9] did not match current primary term [1]",
      },
    });
    expect(status(world)).toBe("green");
  });
});

test("reroute moves a copy, explains itself, and changes nothing in a dry run", async () => {
  const world = createWorld("reroute");
  const [a] = (await startThree(world)) as [Process, Process, Process];
  await createIndex(world, 1, 0);
  await world.until(() => status(world) === "green", 200);
  const from = processOf(world, copies(world)[0]);
  const to = world.processes().find((process) => process !== from) as Process;
  const move = { index: "books", shard: 0, from_node: from.name, to_node: to.name };
  const request = {
    commands: [{ move }],
    explain: true,
    retryFailed: false,
    managerTimeoutMs: 1000,
    ackTimeoutMs: 1000,
  };
  const { version } = stateOf(world);

  const dry = await world.settle(a.manager.reroute({ ...request, dryRun: true }));
  expect(stateOf(world).version).toBe(version);
  expect(dry.state.routingTable.get("books")?.shards[0]?.[0]?.state).toBe("RELOCATING");
  expect(dry.explanations).toHaveLength(1);

  await world.settle(a.manager.reroute({ ...request, dryRun: false }));
  await world.until(() => processOf(world, copies(world)[0]) === to, 300);
});

test("allocation explain tells why a replica has no node", async () => {
  const world = createWorld("explain");
  const node = world.start("a", { "discovery.type": "single-node" });
  await world.until(() => isFormed(world, 1), 100);
  await createIndex(world, 1, 1);
  await world.run(100);

  const body = await world.settle(
    node.manager.explainAllocation({
      target: undefined,
      includeYesDecisions: false,
      includeDiskInfo: false,
    }),
  );

  expect(body).toMatchObject({ index: "books", shard: 0, primary: false, can_allocate: "no" });
  expect(await world.settle(node.manager.pendingTasks(1000))).toEqual([]);
});

test("a disk above the high watermark loses its copies, although they were looked at before and left there", async () => {
  const world = createWorld("high");
  await startThree(world);
  await createIndex(world, 1, 0);
  await world.until(() => status(world) === "green", 200);
  const full = processOf(world, copies(world)[0]);
  for (const usedShare of [0.87, 0.5]) {
    world.fillDisk(full.name, usedShare);
    await world.run(35_000);
  }

  world.fillDisk(full.name, 0.92);
  await world.until(() => processOf(world, copies(world)[0]) !== full, 100_000);

  expect(status(world)).toBe("green");
});

describe("a disk above the flood stage", () => {
  const blockOf = (world: World): unknown =>
    stateOf(world).metadata.indices.get("books")?.settings["index.blocks.read_only_allow_delete"];

  test("makes the indices on it read-only until there is room again", async () => {
    const world = createWorld("flood");
    await startThree(world);
    await createIndex(world, 1, 0);
    await world.until(() => status(world) === "green", 200);
    const full = processOf(world, copies(world)[0]);

    world.fillDisk(full.name, 0.97);
    await world.until(() => blockOf(world) === "true", 35_000);

    world.fillDisk(full.name, 0.5);
    await world.until(() => blockOf(world) === undefined, 35_000);
  });

  test("on every data node forbids new indices", async () => {
    const world = createWorld("all-full");
    await startThree(world);
    for (const name of threeNames) world.fillDisk(name, 0.92);

    await world.until(() => stateOf(world).blocks.global.some(({ id }) => id === 10), 35_000);

    for (const name of threeNames) world.fillDisk(name, 0.2);
    await world.until(() => stateOf(world).blocks.global.length === 0, 35_000);
  });
});
