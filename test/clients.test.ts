/** The recorded calls of clients (`test/clients`) on simulated nodes, and what clients with typed answers need. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  differences,
  keptOf,
  preparations,
  readExample,
  requestOf,
  type Exchange,
} from "./examples/example.ts";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const folder = join(import.meta.dirname, "clients");
const recorded = readdirSync(folder).filter((name) => existsSync(join(folder, name, "calls.yaml")));

const names = ["node-1", "node-2", "node-3"];

async function threeNodes(settings: Record<string, string> = {}): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(1, names, () => settings);
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  return cluster;
}

test.each(recorded)("the recorded calls of %s", async (name) => {
  const story = readExample(join(folder, name, "calls.yaml"));
  const cluster = await threeNodes();
  try {
    for (const { method, path, body } of preparations(story)) {
      const { status, text } = await cluster.ask("node-1", `${method} ${path}`, body);
      expect(status, text).toBe(200);
    }
    const kept = new Map<string, Json>();
    for (const [i, call] of story.exchanges.entries()) {
      const { method, path, body } = requestOf(call, kept);
      const node = names[i % names.length] ?? "";
      const { status, text } = await cluster.ask(node, `${method} ${path}`, body);
      const answered = { status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
      for (const [kind, value] of keptOf(call, answered)) kept.set(kind, value);
      const { calls, text: contained = "" } = call as Exchange & { calls: string; text?: string };
      expect(differences(call, answered), calls).toEqual([]);
      expect(text, calls).toContain(contained);
    }
  } finally {
    cluster.simulation.end();
  }
});

describe("answers for typed clients", () => {
  test.each([
    ["node-1", undefined, true, [], "node-1,node-2,node-3"],
    ["node-1", "true", null, undefined, names],
  ])("at %s, orrery.strict=%s", async (node, strict, usingBundled, deciders, seedHosts) => {
    const cluster = await threeNodes(strict === undefined ? {} : { "orrery.strict": strict });
    const ask = async (request: string, body?: unknown): Promise<never> => {
      const { status, text, json } = await cluster.ask(node, request, body);
      expect(status, text).toBe(200);
      return json as never;
    };
    try {
      const { nodes }: { nodes: Record<string, { jvm: { using_bundled_jdk: boolean | null } }> } =
        await ask("GET /_nodes/jvm");
      for (const { jvm } of Object.values(nodes)) expect(jvm.using_bundled_jdk).toBe(usingBundled);
      const flat: { nodes: Record<string, { settings: Record<string, unknown> }> } = await ask(
        "GET /_nodes/settings?flat_settings=true",
      );
      for (const { settings } of Object.values(flat.nodes))
        expect(settings).toMatchObject({
          "discovery.seed_hosts": seedHosts,
          "http.type.default": "netty4",
        });
      const stats: { nodes: { jvm: { versions: readonly object[] } } } =
        await ask("GET /_cluster/stats");
      expect(stats.nodes.jvm.versions).toMatchObject([{ using_bundled_jdk: usingBundled }]);
      await ask("PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 0 } });
      const target = { index: "books", shard: 0, primary: true };
      const explained: { node_allocation_decisions: readonly { deciders?: readonly object[] }[] } =
        await ask("GET /_cluster/allocation/explain", target);
      const shown = explained.node_allocation_decisions.map((decision) => decision.deciders);
      expect(shown).toEqual([deciders, deciders]);
    } finally {
      cluster.simulation.end();
    }
  });
});
