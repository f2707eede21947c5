/** Programs of shard workers: one that lacks what the node has opens no shard, and the node says what is missing where. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterState } from "@orrery/cluster-state";
import { createNodeHost, type NodeHostOptions } from "@orrery/host-node";
import { composeProduct, coreProduct, startNode, type Product } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { composeShards, startShardWorker } from "@orrery/shard-worker";
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { createMemoryHub } from "@orrery/transport-memory";
import { afterEach, describe, expect, test } from "vitest";
import { half, hiding, openers, whole } from "./plugin.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Program = Pick<NodeHostOptions, "threadEntry" | "shardProgram" | "blobOpeners">;

const thread = {
  whole: new URL("./whole-thread.ts", import.meta.url),
  half: new URL("./half-thread.ts", import.meta.url),
  bare: new URL("./bare-thread.ts", import.meta.url),
  lost: new URL("./lost-thread.ts", import.meta.url),
};

interface Answers {
  readonly found: string;
  /** Why a shard worker ended; `undefined`: it runs. */
  readonly ended: string | undefined;
}

/** The count of a node with one document, or what it says of its shard worker. */
async function searched(product: Product, program: Program): Promise<Answers> {
  const hub = createMemoryHub({ schedule: setImmediate });
  const isInThread = program.threadEntry !== undefined;
  const folder = isInThread ? mkdtempSync(join(tmpdir(), "orrery-programs-")) : "";
  if (isInThread) folders.push(folder);
  const settings = {
    "node.shard_workers": isInThread ? "1" : "0",
    "cluster.initial_cluster_manager_nodes": "only",
    "cluster.routing.allocation.disk.threshold_enabled": "false",
  };
  let ended: string | undefined;
  const host = createNodeHost({
    ...{ name: "only", folder, network: hub.network("only"), settings },
    log: (_level, message) => {
      ended ??= /^shard worker \[1\] ended: (.*)/.exec(message)?.[1];
    },
    ...program,
  });
  const address = { hostAddress: "127.0.0.1", hostName: "localhost", httpAddress: undefined };
  const config = { name: "only", clusterName: "test", ...address, settings };
  const node = await startNode(host, config, product);
  const ask = async (method: string, uri: string, body: string): Promise<string> => {
    const headers = { "content-type": "application/json" };
    const answer = await dispatch({ method, uri, headers, body: utf8Encode(body) }, node.cluster);
    return answer.body.map(utf8Decode).join("");
  };
  await node.cluster.stateWhen((state) => state.nodes.size === 1, 60_000);
  await ask("PUT", "/i?wait_for_active_shards=0", '{"settings":{"number_of_replicas":0}}');
  const isStarted = () => node.cluster.stateWhen(hasStarted, 200).then(({ timedOut }) => !timedOut);
  while (ended === undefined && !(await isStarted()));
  if (ended === undefined) await ask("PUT", "/i/_doc/1?refresh=true", '{"a":1}');
  const found = await ask("POST", "/i/_count", "{}");
  await node.stop();
  return { found, ended };
}

function hasStarted({ routingTable }: ClusterState): boolean {
  const copies = [...routingTable.values()].flatMap(({ shards }) => shards.flat());
  return copies.some(({ state }) => state === "STARTED");
}

const product = composeProduct([hiding]);
const others = "shard workers run other plugins than the node";

describe("a node whose shard workers", () => {
  test.each([
    ["run the plugin in threads", { threadEntry: thread.whole, blobOpeners: openers }],
    [
      "run the plugin in its own thread",
      { shardProgram: (host) => void startShardWorker(host, product.shards) },
    ],
  ] satisfies [string, Program][])("%s hides what the plugin hides", async (_what, program) => {
    const { found, ended } = await searched(product, program);

    expect([found, ended]).toEqual([expect.stringContaining('"count":0'), undefined]);
  });

  test.each([
    [
      "lack the plugin in threads",
      { threadEntry: thread.bare },
      `${others}: shard workers lack plugin [hiding]`,
    ],
    [
      "lack the plugin and the opener in threads",
      { threadEntry: thread.bare, blobOpeners: openers },
      `${others}: shard workers lack plugin [hiding], opener of [shelf]`,
    ],
    [
      "lack its restriction",
      { threadEntry: thread.half, blobOpeners: openers },
      `${others}: shard workers lack [restrict] of plugin [hiding]`,
    ],
    [
      "open what the node does not",
      { threadEntry: thread.whole },
      `${others}: the node lacks opener of [shelf]`,
    ],
    [
      "lack it in the node's own thread",
      { shardProgram: (host) => void startShardWorker(host, composeShards([])) },
      `${others}: shard workers lack plugin [hiding]`,
    ],
    ["are the plain ones", {}, `${others}: shard workers lack plugin [hiding]`],
    [
      "have another in the node's own thread",
      {
        shardProgram: (host) =>
          void startShardWorker(host, composeShards([half, { ...whole, name: "more" }])),
      },
      `${others}: shard workers lack [restrict] of plugin [hiding]; the node lacks plugin [more]`,
    ],
    ["cannot be loaded", { threadEntry: thread.lost }, "Error: a module of the thread is missing"],
  ] satisfies [string, Program, string][])(
    "%s opens no shard, and says why",
    async (_what, program, reason) => {
      const { found, ended } = await searched(product, program);

      expect(ended).toBe(reason);
      expect(found).toContain("all shards failed");
    },
  );

  test("lack only the opener opens no shard", async () => {
    const program = { threadEntry: thread.bare, blobOpeners: openers };
    const { ended } = await searched(coreProduct, program);

    expect(ended).toBe(`${others}: shard workers lack opener of [shelf]`);
  });
});
