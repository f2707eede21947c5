/** Random writes under random failures: what was acknowledged stays, and in the end all copies are the same. */
import { actions } from "@orrery/protocol";
import { forSeedsAsync, type Random } from "@orrery/seeds";
import { expect, test } from "vitest";
import { createFakeCluster, within, type FakeCluster } from "./fake-cluster.ts";

const nodes = ["n1", "n2", "n3"];
const ids = ["a", "b", "c", "d"];

interface Written {
  /** Values a read may show: the last acknowledged one, and those written since without an answer. */
  possible: Set<string | undefined>;
  /** One write of an id at a time, so that their order is known. */
  isPending: boolean;
}

test("INV-REPL-6: no acknowledged write is lost and all copies converge", async () => {
  await forSeedsAsync(60, async (random, seed) => {
    const cluster = createFakeCluster(nodes, `copies-${seed}`);
    cluster.createIndex({ replicas: 1 });
    await cluster.settle(500);
    cluster.allocate();
    await cluster.settle(1000);
    // Long enough for every item of a bulk to be a turn of its own.
    cluster.lookMs = seed % 3 === 0 ? 25 : 0;
    const model = new Map<string, Written>(
      ids.map((id) => [id, { possible: new Set([undefined]), isPending: false }]),
    );
    const down = new Set<string>();
    for (let i = 0; i < 40; i += 1) {
      await step(cluster, random, model, down);
      await cluster.clock.advance(random.int(0, 50));
    }
    await recover(cluster, down);
    for (const id of ids) {
      const found = await within(cluster, cluster.get(id));
      const possible = [...(model.get(id)?.possible ?? [])];
      expect(possible, `${id}\n${cluster.log.join("\n")}`).toContain(found);
    }
    await expectEqualCopies(cluster);
  });
}, 600_000);

async function step(
  cluster: FakeCluster,
  random: Random,
  model: Map<string, Written>,
  down: Set<string>,
): Promise<void> {
  const kind = random.int(0, 19);
  if (kind < 11) write(cluster, random, model);
  else if (kind === 11) await quietly(cluster, actions.flushShard, random.pick(nodes));
  else if (kind === 12) await quietly(cluster, actions.refreshShard, random.pick(nodes));
  else if (kind === 13) await quietly(cluster, actions.forceMergeShard, random.pick(nodes));
  else if (kind === 14 && down.size === 0) {
    const node = random.pick(nodes);
    down.add(node);
    cluster.crash(node);
    if (random.int(0, 1) === 0) cluster.nodeLeft(node);
  } else if (kind === 15) {
    for (const node of down) {
      cluster.nodeLeft(node);
      cluster.restart(node);
    }
    down.clear();
  } else if (kind === 16) {
    const [a = "", b = ""] = random.shuffle(nodes);
    cluster.cut(a, b);
  } else if (kind === 17) cluster.heal();
  else if (kind === 18) cluster.allocate();
  else if (kind === 19) tryMove(cluster, random, down);
}

function tryMove(cluster: FakeCluster, random: Random, down: ReadonlySet<string>): void {
  if (cluster.rows().some(({ state }) => state !== "STARTED")) return;
  const used = new Set(cluster.rows().map(({ nodeId }) => nodeId));
  const free = nodes.find((node) => !used.has(node as never) && !down.has(node));
  const from = random.pick(cluster.rows()).nodeId;
  if (free !== undefined && from !== undefined) cluster.move(from, free);
}

function write(cluster: FakeCluster, random: Random, model: Map<string, Written>): void {
  const id = random.pick(ids);
  const written = model.get(id);
  if (written === undefined || written.isPending || cluster.primary() === undefined) return;
  written.isPending = true;
  const isDelete = random.int(0, 4) === 0;
  const value = isDelete ? undefined : `{"v":${random.int(0, 1e9)}}`;
  written.possible.add(value);
  const item = isDelete
    ? ({ operation: "delete", id } as const)
    : ({ operation: "index", id, source: value ?? "" } as const);
  cluster
    .bulk([item], { refresh: random.pick(["false", "true", "wait_for"]) })
    .then(
      (answer) => {
        if (answer.items[0]?.problem === null) written.possible = new Set([value]);
      },
      () => undefined,
    )
    .finally(() => {
      written.isPending = false;
    });
}

async function quietly(cluster: FakeCluster, action: string, node: string): Promise<void> {
  await within(
    cluster,
    cluster.admin(action, node).catch(() => ({})),
    3000,
  ).catch(() => undefined);
}

async function recover(cluster: FakeCluster, down: ReadonlySet<string>): Promise<void> {
  cluster.heal();
  for (const node of down) {
    cluster.nodeLeft(node);
    cluster.restart(node);
  }
  for (let round = 0; round < 30; round += 1) {
    cluster.allocate();
    await cluster.settle(8000);
    if (cluster.rows().every(({ state }) => state === "STARTED")) break;
  }
  // A copy that left for good stays in-sync until the primary writes without it.
  const last = cluster.bulk([{ operation: "index", id: "z", source: "{}" }]);
  expect((await within(cluster, last)).shards).toMatchObject({ total: 2, successful: 2 });
  await cluster.settle(70_000);
  const states = cluster.rows().map(({ state }) => state);
  expect(states, cluster.log.join("\n")).toEqual(["STARTED", "STARTED"]);
}

async function expectEqualCopies(cluster: FakeCluster): Promise<void> {
  const found = [];
  for (const { nodeId } of cluster.rows()) {
    const documents = [];
    for (const id of ids) documents.push(await within(cluster, cluster.get(id, nodeId)));
    const stats = await within(cluster, cluster.admin(actions.shardStats, nodeId ?? ""));
    found.push({ documents, seqNo: stats["seq_no"] });
  }
  const [first, second] = found;
  expect(second, cluster.log.join("\n")).toEqual(first);
  const { max_seq_no: max, global_checkpoint: global } = (first?.seqNo ?? {}) as Record<
    string,
    number
  >;
  expect(global).toBe(max);
}
