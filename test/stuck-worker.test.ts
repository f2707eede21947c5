/** Two nodes whose shards live in threads: a request that stops a worker for good costs that worker, and nothing else. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "@orrery/host-node";
import { startNode, type Node } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { utf8Decode, utf8Encode, type JsonObject } from "@orrery/stdx";
import { createMemoryHub } from "@orrery/transport-memory";
import { afterEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "orrery-stuck-"));
const nodes: Node[] = [];
const logs: string[] = [];

afterEach(async () => {
  for (const node of nodes) await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(names: readonly string[]): Promise<void> {
  const hub = createMemoryHub({ schedule: setImmediate });
  for (const name of names) {
    const settings = {
      "cluster.initial_cluster_manager_nodes": names[0] ?? "",
      "discovery.seed_hosts": [...names],
      "orrery.shard_worker.stall_timeout": "2s",
    };
    const host = createNodeHost({
      name,
      folder: join(folder, name),
      network: hub.network(name),
      settings,
      secrets: { secret: "of the two nodes of this test" },
      threadEntry: new URL("./stuck-thread.ts", import.meta.url),
      log: (_level, message) => void logs.push(`${name}: ${message}`),
    });
    const node = await startNode(host, {
      name,
      clusterName: "stuck",
      httpAddress: undefined,
      hostAddress: "127.0.0.1",
      hostName: "localhost",
      settings,
    });
    nodes.push(node);
  }
}

async function call(method: string, uri: string, body?: JsonObject) {
  const [node] = nodes;
  if (node === undefined) throw new Error("no node");
  const answer = await dispatch(
    {
      method,
      uri,
      headers: { "content-type": "application/json" },
      body: body === undefined ? new Uint8Array(0) : utf8Encode(JSON.stringify(body)),
    },
    node.cluster,
  );
  const text = answer.body.map((part) => utf8Decode(part)).join("");
  return { status: answer.status, body: JSON.parse(text) as JsonObject };
}

const green = () =>
  call("GET", "/_cluster/health?wait_for_status=green&wait_for_nodes=2&timeout=60s");

const copies = () =>
  (nodes[0]?.cluster.state().routingTable.get("books")?.shards[0] ?? []).map(
    ({ state, allocationId }) => ({ state, allocationId }),
  );

/** A copy that was lost is in its place again, under another allocation id. */
async function healed(before: ReturnType<typeof copies>): Promise<void> {
  await nodes[0]?.cluster.stateWhen(
    () =>
      copies().every(({ state }) => state === "STARTED") &&
      copies().some(({ allocationId }) => before.every((old) => old.allocationId !== allocationId)),
    60_000,
  );
}

const replaced = (): string[] => logs.filter((line) => line.includes("it is replaced"));

test(
  "a search is not taken to the next copy, and the node and its documents stay",
  { timeout: 120_000 },
  async () => {
    await start(["a", "b"]);
    expect((await green()).body["timed_out"]).toBe(false);
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    await call("PUT", "/books", { settings });
    expect((await green()).body["timed_out"]).toBe(false);
    await call("PUT", "/books/_doc/1?refresh=true", { t: "x" });

    const copiesBefore = copies();
    const poisoned = await call("POST", "/books/_search", {
      query: { match: { t: "the poison" } },
    });

    expect(poisoned.status).toBe(500);
    expect(JSON.stringify(poisoned.body)).toContain(
      "were busy for [2s] without a pause, and were started again",
    );
    expect(replaced()).toHaveLength(1);
    await healed(copiesBefore);
    for (const node of nodes) expect(node.cluster.state().nodes.size).toBe(2);
    const found = await call("POST", "/books/_search", { query: { match: { t: "x" } } });
    expect(found.body).toMatchObject({ hits: { total: { value: 1 } }, _shards: { failed: 0 } });
    const written = await call("PUT", "/books/_doc/2", { t: "y" });
    expect(written.body).toMatchObject({ result: "created", _shards: { successful: 2 } });
    expect(replaced()).toHaveLength(1);

    const copiesBetween = copies();
    const wedged = await call("PUT", "/books/_doc/3?timeout=20s", { t: "the poison" });

    expect(wedged.status).toBe(500);
    expect(replaced()).toHaveLength(2);
    await healed(copiesBetween);
    expect((await call("GET", "/books/_doc/2")).status).toBe(200);
  },
);
