/** Seeded runs with crashes, restarts, partitions and clients: what must hold whatever happens. */
import {
  completeIndexSettings,
  encodeState,
  type ClusterState,
  type NodeRole,
} from "@orrery/cluster-state";
import { forSeedsAsync, type Random } from "@orrery/seeds";
import { newUuid, utf8Decode, type IndexUuid } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  createWorld,
  isFormed,
  threeNames,
  threeSettings,
  type Process,
  type World,
} from "./world.ts";

interface Client {
  readonly index: string;
  outcome: "pending" | "acknowledged" | "unacknowledged" | "refused";
  problem?: string;
}

/** Creates an index of a name nobody else uses: a task that is applied twice is refused the second time. */
function createIndex(world: World, through: Process, name: string): Client {
  const client: Client = { index: name, outcome: "pending" };
  const uuid = newUuid(world.random) as IndexUuid;
  const state = through.manager.state();
  const requested = { "index.number_of_shards": "1", "index.number_of_replicas": "0" };
  const settings = completeIndexSettings(state, { name, uuid, creationDateMs: 1, requested });
  through.manager
    .submit({
      kind: "create-index",
      name,
      uuid,
      creationDateMs: 1,
      settings,
      mapping: {},
      aliases: {},
    })
    .then(
      ({ acknowledged }) => {
        client.outcome = acknowledged ? "acknowledged" : "unacknowledged";
      },
      (error: Error) => {
        client.outcome = "refused";
        client.problem = error.message;
      },
    );
  return client;
}

function watch(process: Process, seen: Map<string, string>): void {
  process.manager.onApplied((state: ClusterState) => {
    if (state.version === 0 || state.managerNodeId === undefined) return;
    const text = utf8Decode(encodeState(state));
    const key = `${state.version}/${state.stateUuid}`;
    expect(seen.get(String(state.version)) ?? key).toBe(key);
    seen.set(String(state.version), key);
    expect(seen.get(key) ?? text).toBe(text);
    seen.set(key, text);
  });
}

const names = [...threeNames, "d", "e"];

/** Three that vote, and two that only hold data. */
function startNode(world: World, name: string, seen: Map<string, string>): void {
  const roles: NodeRole[] = threeNames.includes(name) ? ["cluster_manager", "data"] : ["data"];
  watch(world.start(name, threeSettings(), roles), seen);
}

async function disturb(world: World, random: Random, seen: Map<string, string>): Promise<void> {
  const alive = world.processes();
  const dead = names.filter((name) => !alive.some((process) => process.name === name));
  const kind = random.int(0, 4);
  if (kind <= 1 && alive.length >= 4) {
    world.kill(random.pick(alive));
  } else if (dead.length > 0 && kind <= 3) {
    startNode(world, random.pick(dead), seen);
  } else if (kind === 2) {
    world.partition([random.pick(alive)], "blackhole");
  } else if (kind === 3) {
    world.partition([random.pick(alive)], "close");
  } else {
    world.heal();
  }
  await world.run(random.int(5, 1500));
}

test("INV-COORD-1, 3, 4: one cluster manager a term, one state a version, and no task twice or lost", async () => {
  await forSeedsAsync(12, async (random, seed) => {
    const world = createWorld(`random-${seed}`);
    const seen = new Map<string, string>();
    for (const name of names) startNode(world, name, seen);
    await world.until(() => isFormed(world, 5), 1000);
    await world.run(100);
    const clients: Client[] = [];
    for (let i = 0; i < 12; i += 1) {
      for (let n = random.int(0, 3); n > 0; n -= 1) {
        clients.push(createIndex(world, random.pick(world.processes()), `i-${i}-${n}`));
      }
      await disturb(world, random, seen);
    }
    world.heal();
    const alive = new Set(world.processes().map(({ name }) => name));
    for (const name of names) if (!alive.has(name)) startNode(world, name, seen);
    await world.until(() => isFormed(world, 5), 30_000);
    await world.run(35_000);

    const elected = new Map<number, string>();
    for (const { event } of world.trace) {
      if (event.kind !== "cluster-state-published") continue;
      expect(elected.get(event.term) ?? event.nodeId).toBe(event.nodeId);
      elected.set(event.term, event.nodeId);
    }
    const indices = world
      .processes()
      .map(({ manager }) => [...manager.state().metadata.indices.keys()]);
    for (const others of indices) expect(others).toEqual(indices[0]);
    const lost = clients.filter(
      ({ index, outcome }) => outcome === "acknowledged" && !indices[0]?.includes(index),
    );
    expect(lost).toEqual([]);
    expect(clients.filter(({ problem }) => problem?.includes("resource_already_exists"))).toEqual(
      [],
    );
  });
});
