/** A plugin with a repository type: snapshots and restores with it, in virtual time and between real threads over gRPC. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "@orrery/host-node";
import { composeProduct, coreProduct, startNode, type Cluster, type Node } from "@orrery/node";
import { ownWork } from "@orrery/ports";
import { blobStoresContract, settleInRealTime } from "@orrery/ports/contract";
import { dispatch } from "@orrery/rest";
import { createSimulation } from "@orrery/simulator";
import type { JsonObject, NodeId } from "@orrery/stdx";
import { createGrpcNetwork } from "@orrery/transport-grpc";
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryBlobs } from "./memory-blobs.ts";
import { memoryRepository } from "./plugin.ts";
import { remoteStore, serveStores } from "./remote-blobs.ts";

blobStoresContract("in memory, behind a transport", async () => {
  const serve = serveStores(createMemoryBlobs());
  const context = {
    ...ownWork,
    from: "a" as NodeId,
    shard: "",
    request: { from: "a", endpoint: 0, correlationId: 1 },
  };
  const stores = {
    types: ["memory"],
    open: ({ location }: { readonly location: string }) =>
      remoteStore(location, (payload) => serve(payload, context)),
  };
  return { stores, address: { type: "memory", location: "place" }, settle: settleInRealTime };
});

const product = composeProduct([memoryRepository]);

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

type Ask = (method: string, uri: string, body?: unknown) => Promise<Answer>;

async function answerOf(
  cluster: Cluster,
  ...[method, uri, body]: Parameters<Ask>
): Promise<Answer> {
  const lines = Array.isArray(body)
    ? body.map((line) => `${JSON.stringify(line)}\n`).join("")
    : undefined;
  const bytes = Buffer.from(body === undefined ? "" : (lines ?? JSON.stringify(body)));
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await dispatch({ method, uri, headers, body: bytes }, cluster);
  return { status: answer.status, body: JSON.parse(Buffer.concat(answer.body).toString()) };
}

const definition = { type: "memory", settings: { node: "node-1", location: "place" } };

/** Writes documents, snapshots them, deletes their index, and restores it. */
async function lifeOfASnapshot(ask: Ask, nodes: number): Promise<void> {
  await ask("GET", `/_cluster/health?wait_for_nodes=${nodes}&timeout=60s`);
  expect(await ask("PUT", "/_snapshot/kept", definition)).toMatchObject({ status: 200 });
  await ask("PUT", "/books", { settings: { number_of_shards: 4, number_of_replicas: nodes - 1 } });
  const documents = Array.from({ length: 50 }, (_, i) => [{ index: { _id: `${i}` } }, { n: i }]);
  const written = await ask("POST", "/books/_bulk?refresh=true", documents.flat());
  expect(written.body).toMatchObject({ errors: false });

  const taken = await ask("PUT", "/_snapshot/kept/first?wait_for_completion=true", {});
  expect(taken.body).toMatchObject({ snapshot: { state: "SUCCESS", shards: { failed: 0 } } });
  expect(await ask("DELETE", "/books")).toMatchObject({ status: 200 });
  expect(await ask("GET", "/books/_search")).toMatchObject({ status: 404 });
  const restored = await ask("POST", "/_snapshot/kept/first/_restore?wait_for_completion=true", {});
  expect(restored.body).toMatchObject({ snapshot: { shards: { failed: 0, successful: 4 } } });
  await ask("GET", "/_cluster/health/books?wait_for_status=green&timeout=60s");

  const found = await ask("POST", "/books/_search", { size: 100, sort: [{ n: "asc" }] });
  const { hits } = found.body["hits"] as unknown as { hits: readonly { _source: { n: number } }[] };
  expect(hits.map(({ _source }) => _source.n)).toEqual(documents.map((_, i) => i));
}

describe("in virtual time", () => {
  const names = ["node-1", "node-2", "node-3"];

  async function inSimulation(
    made: typeof product,
    body: (ask: Ask) => Promise<void>,
  ): Promise<string> {
    const simulation = createSimulation({ seed: 7, product: made });
    const { queue } = simulation;
    for (const name of names) {
      void simulation.start({
        name,
        clusterName: "memory",
        httpAddress: undefined,
        hostAddress: "127.0.0.1",
        hostName: name,
        settings: {
          "discovery.seed_hosts": names,
          "cluster.initial_cluster_manager_nodes": "node-1",
        },
      });
    }
    const isFormed = (): boolean =>
      simulation.cluster("node-3")?.state().nodes.size === names.length;
    await queue.run(60_000, isFormed);
    let outcome: { readonly failure?: unknown } | undefined;
    const cluster = simulation.cluster("node-3");
    if (cluster === undefined) throw new Error("node-3 has not started");
    body((...request) => answerOf(cluster, ...request)).then(
      () => (outcome = {}),
      (failure: unknown) => (outcome = { failure }),
    );
    await queue.run(queue.nowMs + 600_000, () => outcome !== undefined);
    simulation.end();
    if (outcome === undefined) throw new Error("it never ended");
    if (outcome.failure !== undefined) throw outcome.failure;
    return simulation.recorder.hash;
  }

  test("a restore brings back what was snapshotted, in the same way each time", async () => {
    const hash = await inSimulation(product, (ask) => lifeOfASnapshot(ask, 3));

    expect(await inSimulation(product, (ask) => lifeOfASnapshot(ask, 3))).toBe(hash);
  });

  test.each([
    [{ node: "node-1", location: "place", bucket: "b" }, "[kept] unknown setting [bucket]"],
    [
      { node: "node-1", location: "../place" },
      "[kept] location [../place] is no name of a place in memory",
    ],
    [{ node: "node-1" }, "[kept] location [] is no name of a place in memory"],
    [{ location: "place" }, "[kept] missing node"],
  ])("settings %j are refused, and no repository is made", async (settings, reason) => {
    await inSimulation(product, async (ask) => {
      const refused = await ask("PUT", "/_snapshot/kept", { type: "memory", settings });

      expect(refused.status).toBe(500);
      expect(refused.body).toMatchObject({
        error: { type: "repository_exception", root_cause: [{ reason }] },
      });
      expect(await ask("GET", "/_snapshot/kept")).toMatchObject({ status: 404 });
    });
  });

  test("a node that no cluster has keeps nothing, and verification says so", async () => {
    await inSimulation(product, async (ask) => {
      const settings = { node: "node-9", location: "place" };
      const refused = await ask("PUT", "/_snapshot/kept", { type: "memory", settings });

      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        500,
        expect.stringContaining("node [node-9] is not in the cluster"),
      ]);
    });
  });

  test("a product without the type does not know it", async () => {
    await inSimulation(coreProduct, async (ask) => {
      const refused = await ask("PUT", "/_snapshot/kept", definition);

      expect(refused).toMatchObject({
        status: 500,
        body: { error: { reason: "[kept] repository type [memory] does not exist" } },
      });
    });
  });
});

describe("over gRPC, with shards in threads", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-memory-"));
  const nodes: Node[] = [];

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(name: string, made = product): Promise<Node> {
    const [first] = nodes;
    const settings = {
      "cluster.initial_cluster_manager_nodes": "node-1",
      "discovery.seed_hosts": first === undefined ? [] : [first.cluster.localNode.transportAddress],
    };
    const host = createNodeHost({
      name,
      folder: join(folder, name),
      network: createGrpcNetwork({ host: "127.0.0.1", port: 0 }),
      settings,
      secrets: { secret: "of the nodes of this test" },
      log: () => undefined,
      ...(made === product ? { threadEntry: new URL("./thread.ts", import.meta.url) } : {}),
    });
    const node = await startNode(
      host,
      {
        name,
        clusterName: "memory",
        httpAddress: undefined,
        hostAddress: "127.0.0.1",
        hostName: "localhost",
        settings,
      },
      made,
    );
    nodes.push(node);
    return node;
  }

  test("a restore brings back what was snapshotted", async () => {
    await start("node-1");
    const { cluster } = await start("node-2");

    await lifeOfASnapshot((...request) => answerOf(cluster, ...request), 2);
  });

  test("a node that lacks the type fails the verification and its shards' snapshots, by name", async () => {
    const { cluster } = await start("node-1");
    const lacking = await start("node-2", coreProduct);
    const ask: Ask = (...request) => answerOf(cluster, ...request);
    await ask("GET", "/_cluster/health?wait_for_nodes=2&timeout=60s");
    const missing = "repository type [memory] does not exist";

    const refused = await ask("PUT", "/_snapshot/kept", definition);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      500,
      expect.stringContaining(
        `[${lacking.cluster.localNode.id}, 'repository_exception: [kept] ${missing}']`,
      ),
    ]);

    const settings = { number_of_replicas: 0, "index.routing.allocation.require._name": "node-2" };
    await ask("PUT", "/books?wait_for_active_shards=1", { settings });
    const taken = await ask("PUT", "/_snapshot/kept/first?wait_for_completion=true", {});
    expect([taken.body, JSON.stringify(taken.body)]).toMatchObject([
      { snapshot: { state: "PARTIAL", shards: { failed: 1, successful: 0 } } },
      expect.stringContaining(missing),
    ]);
  });
});
