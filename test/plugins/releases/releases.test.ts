/** A field type, a query and an aggregation that no core file knows, through everything that may happen to an index. */
import { createNodeHost } from "@orrery/host-node";
import { composeProduct, startNode, startShardWorker } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { utf8Decode, utf8Encode, type Json, type JsonObject } from "@orrery/stdx";
import { createMemoryHub } from "@orrery/transport-memory";
import { describe, expect, test } from "vitest";
import { inSnapshotWorld } from "../../snapshot-world.ts";
import { releases } from "./plugin.ts";

const product = composeProduct([releases]);

interface Told {
  readonly status: number;
  readonly body: Json;
}

type Ask = (method: string, uri: string, body?: Json) => Promise<Told>;

const MAPPINGS = {
  properties: {
    v: { type: "release" },
    name: { type: "keyword" },
    older: { type: "alias", path: "v" },
  },
};
const DOCUMENTS = ["1.9.0", "1.10.0", "2.0.1", "1.10.3", "10.0.0"];

async function write(ask: Ask): Promise<void> {
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await ask("PUT", "/tools", { settings, mappings: MAPPINGS });
  for (const [i, v] of DOCUMENTS.entries())
    await ask("PUT", `/tools/_doc/${i}?refresh=true`, { v, name: i % 2 === 0 ? "even" : "odd" });
}

const SPAN = { release_span: { field: "v" } };

/** Everything that the module's rows take part in, as one value. */
async function read(ask: Ask, index = "tools"): Promise<JsonObject> {
  const { body } = await ask("POST", `/${index}/_search`, {
    query: { bool: { filter: [{ range: { v: { gte: "1.10.0" } } }] } },
    sort: [{ v: "desc" }],
    docvalue_fields: ["v"],
    aggs: {
      span: SPAN,
      names: { terms: { field: "name" }, aggs: { span: SPAN } },
      values: { terms: { field: "v" } },
    },
  });
  const { hits, aggregations } = body as { hits: { hits: JsonObject[] }; aggregations: JsonObject };
  const compatible = await ask("POST", `/${index}/_search`, {
    query: { compatible: { older: "1.10.0" } },
  });
  const exact = await ask("POST", `/${index}/_count`, {
    query: { terms: { v: ["2.0.1", "3.0.0"] } },
  });
  return {
    order: hits.hits.map(({ sort, fields }) => [sort, fields] as Json),
    aggregations,
    compatible: Object.fromEntries(
      (compatible.body as { hits: { hits: JsonObject[] } }).hits.hits.map(
        ({ _id: id, _score: score }) => [String(id), score ?? null] as const,
      ),
    ),
    exact: (exact.body as JsonObject)["count"] ?? null,
  };
}

const bucket = (key: string, count: number, more: JsonObject = {}): JsonObject => ({
  key,
  doc_count: count,
  ...more,
});
const EXPECTED: JsonObject = {
  order: ["10.0.0", "2.0.1", "1.10.3", "1.10.0"].map((v) => [[v], { v: [v] }]),
  aggregations: {
    span: { oldest: "1.10.0", newest: "10.0.0" },
    names: {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [
        bucket("even", 2, { span: { oldest: "2.0.1", newest: "10.0.0" } }),
        bucket("odd", 2, { span: { oldest: "1.10.0", newest: "1.10.3" } }),
      ],
    },
    values: {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: ["1.10.0", "1.10.3", "10.0.0", "2.0.1"].map((v) => bucket(v, 1)),
    },
  },
  compatible: { "1": 1, "3": 1 },
  exact: 1,
};

async function segmentsOf(ask: Ask): Promise<number> {
  const { body } = await ask("GET", "/tools/_segments");
  const { indices } = body as { indices: Record<string, { shards: Record<string, JsonObject[]> }> };
  const shards = Object.values(indices["tools"]?.shards ?? {}).flat();
  return Math.max(...shards.map(({ segments }) => Object.keys(segments as JsonObject).length));
}

describe("a field type, a query and an aggregation of a plugin", () => {
  test("survive a force merge, peer recovery, a snapshot and its restore", async () => {
    await inSnapshotWorld(
      5,
      async (world) => {
        const ask: Ask = (...request) => world.ask(...request);
        const persistent = { "cluster.routing.rebalance.enable": "none" };
        await ask("PUT", "/_cluster/settings", { persistent });
        await write(ask);
        expect(await read(ask)).toEqual(EXPECTED);
        expect(await segmentsOf(ask)).toBeGreaterThan(1);
        await ask("POST", "/tools/_forcemerge?max_num_segments=1");
        expect(await segmentsOf(ask)).toBe(1);
        expect(await read(ask)).toEqual(EXPECTED);

        const holder = async (): Promise<string> => {
          const { body } = await ask("GET", "/_cat/shards/tools?format=json");
          const rows = body as { shard: string; node: string }[];
          return rows.find(({ shard }) => shard === "0")?.node ?? "";
        };
        const from = await holder();
        const to = world.nodes.find((node) => node !== from) ?? "";
        const move = { index: "tools", shard: 0, from_node: from, to_node: to };
        const moved = await ask("POST", "/_cluster/reroute", { commands: [{ move }] });
        expect(moved.status).toBe(200);
        await ask("GET", "/_cluster/health?wait_for_no_relocating_shards=true&timeout=60s");
        expect(await holder()).toBe(to);
        expect(await read(ask)).toEqual(EXPECTED);

        const settings = { location: "/repositories/r" };
        await ask("PUT", "/_snapshot/r", { type: "fs", settings });
        await ask("PUT", "/_snapshot/r/s?wait_for_completion=true");
        await ask("DELETE", "/tools");
        await ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", { indices: "tools" });
        await ask("GET", "/_cluster/health?wait_for_status=green&timeout=60s");
        expect(await read(ask)).toEqual(EXPECTED);
      },
      { product },
    );
  });

  test("are there on a node of one process, and refuse what they cannot read", async () => {
    const hub = createMemoryHub({ schedule: setImmediate });
    const host = createNodeHost({
      name: "only",
      folder: "",
      network: hub.network("only"),
      settings: { "node.shard_workers": "0" },
      shardProgram: (world) => void startShardWorker(world, product.shards),
    });
    const node = await startNode(
      host,
      {
        name: "only",
        clusterName: "releases",
        httpAddress: undefined,
        hostAddress: "127.0.0.1",
        hostName: "only",
        settings: {
          "discovery.seed_hosts": ["only"],
          "cluster.initial_cluster_manager_nodes": ["only"],
        },
      },
      product,
    );
    const ask: Ask = async (method, uri, body) => {
      const bytes = utf8Encode(body === undefined ? "" : JSON.stringify(body));
      const headers = bytes.length === 0 ? {} : { "content-type": "application/json" };
      const { status, body: pieces } = await dispatch(
        { method, uri, headers, body: bytes },
        node.cluster,
      );
      return { status, body: JSON.parse(pieces.map(utf8Decode).join("")) as Json };
    };
    try {
      await node.cluster.stateWhen(({ managerNodeId }) => managerNodeId !== undefined, 30_000);
      await write(ask);
      expect(await read(ask)).toEqual(EXPECTED);
      const { body: mapping } = await ask("GET", "/tools/_mapping");
      expect(mapping).toEqual({ tools: { mappings: MAPPINGS } });

      const refused = await ask("PUT", "/tools/_doc/x", { v: "newest" });
      expect([refused.status, reasonsOf(refused)]).toEqual([
        400,
        [
          "failed to parse field [v] of type [release] in document with id 'x'. Preview of field's value: 'newest'",
          "[newest] is no release number",
        ],
      ]);
      const wrongField = await ask("POST", "/tools/_search", {
        query: { compatible: { name: "1.0.0" } },
      });
      expect(JSON.stringify(wrongField)).toContain("[compatible] does not read [keyword]");
      const unknown = await ask("POST", "/tools/_search", { query: { compatibel: {} } });
      expect(reasonsOf(unknown)[0]).toBe("unknown query [compatibel] did you mean [compatible]?");
      const explained = await ask("POST", "/tools/_search", {
        query: { compatible: { v: "1.10.3" } },
        explain: true,
      });
      const { hits } = explained.body as { hits: { hits: JsonObject[] } };
      expect(hits.hits[0]?.["_explanation"]).toEqual({
        value: 1,
        description: "v compatible with 1.10.3",
        details: [],
      });
    } finally {
      await node.stop();
    }
  });
});

/** Of an error and its causes. */
function reasonsOf({ body }: Told): string[] {
  const reasons: string[] = [];
  let at = (body as JsonObject)["error"] as JsonObject | undefined;
  for (; at !== undefined; at = at["caused_by"] as JsonObject | undefined)
    reasons.push(String(at["reason"]));
  return reasons;
}
