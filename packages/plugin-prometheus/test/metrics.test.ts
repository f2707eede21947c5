/** A scrape of a simulated cluster, read by a parser of the text format, beside the bodies that clients read. */
import { composeProduct } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import parse, { type ParsedFamily } from "parse-prometheus-text-format";
import { afterEach, describe, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "../../../test/simulated-cluster.ts";
import { prometheusExporter } from "../src/index.ts";

const names = ["node-1", "node-2", "node-3"];
const scrape = "GET /_prometheus/metrics";
let world: SimulatedCluster | undefined;

afterEach(() => {
  world?.simulation.end();
  world = undefined;
});

async function formed(
  settings: Record<string, string> = {},
  product = composeProduct([prometheusExporter]),
): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(3, names, () => settings, product);
  world = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  return cluster;
}

/** The same with an index of two shards and four documents, one of them deleted. */
async function filled(settings: Record<string, string> = {}): Promise<SimulatedCluster> {
  const cluster = await formed(settings);
  const index = { settings: { number_of_shards: 2, number_of_replicas: 1 } };
  await cluster.ask("node-1", "PUT /books", index);
  for (const id of [1, 2, 3, 4]) await cluster.ask("node-1", `PUT /books/_doc/${id}`, { n: id });
  await cluster.ask("node-1", "DELETE /books/_doc/4");
  await cluster.ask("node-1", "POST /books/_refresh");
  await cluster.ask("node-1", "GET /books/_search");
  await cluster.ask("node-1", "GET /_cluster/health?wait_for_status=green");
  return cluster;
}

async function scraped(
  cluster: SimulatedCluster,
  node = "node-1",
): Promise<readonly ParsedFamily[]> {
  const { status, text } = await cluster.ask(node, scrape);
  expect(status).toBe(200);
  return parse(text);
}

/** The value of the only sample with these labels. */
function valueOf(
  families: readonly ParsedFamily[],
  name: string,
  labels: Readonly<Record<string, string>>,
): number {
  const found = families
    .filter((family) => family.name === name)
    .flatMap(({ metrics }) => metrics)
    .filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
    );
  expect(found, `${name} ${JSON.stringify(labels)}`).toHaveLength(1);
  return Number(found[0]?.value);
}

/** Figures of a node: where `_nodes/stats` has them, and how many of its units one of theirs is. */
const ofNodes = [
  ["indices_doc_number", "indices/docs/count", 1],
  ["indices_doc_deleted_number", "indices/docs/deleted", 1],
  ["indices_store_size_bytes", "indices/store/size_in_bytes", 1],
  ["indices_indexing_index_count", "indices/indexing/index_total", 1],
  ["indices_indexing_delete_count", "indices/indexing/delete_total", 1],
  ["indices_search_query_count", "indices/search/query_total", 1],
  ["indices_search_query_time_seconds", "indices/search/query_time_in_millis", 1000],
  ["indices_refresh_total_count", "indices/refresh/total", 1],
  ["indices_segments_number", "indices/segments/count", 1],
  ["jvm_mem_heap_max_bytes", "jvm/mem/heap_max_in_bytes", 1],
  ["os_load_average_one_minute", "os/cpu/load_average/1m", 1],
  ["os_mem_total_bytes", "os/mem/total_in_bytes", 1],
  ["process_cpu_percent", "process/cpu/percent", 1],
  ["fs_total_total_bytes", "fs/total/total_in_bytes", 1],
] as const;

function at(body: unknown, path: string): unknown {
  return path
    .split("/")
    .reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

describe("the text", () => {
  test("is read by a parser: every family has a help text, a type and samples", async () => {
    const cluster = await filled();

    const families = await scraped(cluster);

    expect(families.length).toBeGreaterThan(120);
    for (const { name, help, type, metrics } of families) {
      expect(name).toMatch(/^opensearch_[a-z_]+$/);
      expect(help).not.toBe("");
      expect(type).toBe(name.endsWith("metrics_generate_time_seconds") ? "SUMMARY" : "GAUGE");
      expect(metrics.length).toBeGreaterThan(0);
      for (const { value, count } of metrics) expect(Number(value ?? count)).not.toBeNaN();
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  test("has a content type of its own", async () => {
    const cluster = await formed();
    const node = cluster.simulation.cluster("node-1");

    let type: unknown;
    const request = {
      method: "GET",
      uri: "/_prometheus/metrics",
      headers: {},
      body: new Uint8Array(),
    };
    if (node !== undefined)
      void dispatch(request, node).then(({ headers }) => (type = headers["content-type"]));
    await cluster.until(() => type !== undefined);

    expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  test("counts its scrapes", async () => {
    const cluster = await formed();
    await scraped(cluster);

    const families = await scraped(cluster);

    const summary = families.find(({ type }) => type === "SUMMARY");
    expect(summary?.metrics[0]?.count).toBe("2");
  });
});

describe("the numbers", () => {
  test("are those of _cluster/health", async () => {
    const cluster = await filled();
    const { json } = await cluster.ask("node-1", "GET /_cluster/health");

    const families = await scraped(cluster);

    const of = (name: string, labels = {}) =>
      valueOf(families, `opensearch_cluster_${name}`, labels);
    expect(of("status")).toBe(0);
    expect(of("nodes_number")).toBe(json["number_of_nodes"]);
    expect(of("datanodes_number")).toBe(3);
    expect(of("shards_active_percent")).toBe(json["active_shards_percent_as_number"]);
    expect(of("shards_number", { type: "active" })).toBe(4);
    expect(of("shards_number", { type: "active_primary" })).toBe(2);
    expect(of("shards_number", { type: "unassigned" })).toBe(json["unassigned_shards"]);
  });

  test("of nodes are those of _nodes/stats", async () => {
    const cluster = await filled({ "prometheus.nodes.filter": "_all" });
    const families = await scraped(cluster);

    const { json } = await cluster.ask("node-1", "GET /_nodes/stats");

    const nodes = Object.entries(json["nodes"] ?? {});
    expect(nodes).toHaveLength(3);
    for (const [nodeid, body] of nodes)
      for (const [name, path, scale] of ofNodes)
        expect(valueOf(families, `opensearch_${name}`, { nodeid }) * scale, name).toBeCloseTo(
          Number(at(body, path)),
          3,
        );
  });

  test("of indices are those of _stats, for all copies and for primaries", async () => {
    const cluster = await filled();
    const { json } = await cluster.ask("node-1", "GET /_stats");

    const families = await scraped(cluster);

    for (const context of ["total", "primaries"])
      for (const [name, path] of [
        ["index_doc_number", "docs/count"],
        ["index_indexing_index_count", "indexing/index_total"],
        ["index_translog_operations_number", "translog/operations"],
      ] as const)
        expect(valueOf(families, `opensearch_${name}`, { index: "books", context })).toBe(
          at(json, `indices/books/${context}/${path}`),
        );
    expect(valueOf(families, "opensearch_index_status", { index: "books" })).toBe(0);
    const shards = { index: "books", type: "active" };
    expect(valueOf(families, "opensearch_index_shards_number", shards)).toBe(4);
  });

  test("of roles say which the node has", async () => {
    const cluster = await formed({ "node.roles": "cluster_manager,data" });

    const families = await scraped(cluster);

    const role = (name: string) => valueOf(families, "opensearch_node_role_bool", { role: name });
    expect([role("data"), role("cluster_manager"), role("ingest")]).toEqual([1, 1, 0]);
  });

  test("of thread pools are those that admit requests, and no others", async () => {
    const cluster = await formed();

    const families = await scraped(cluster);

    const threads = families.find(({ name }) => name === "opensearch_threadpool_threads_number");
    const pools = new Set(threads?.metrics.map(({ labels }) => labels?.["name"]));
    expect(pools).toEqual(new Set(["get", "search", "write"]));
  });

  test("of watermarks are in the unit of the setting", async () => {
    const watermark = "cluster.routing.allocation.disk.watermark";
    const cluster = await formed();
    const before = await scraped(cluster);
    await cluster.ask("node-1", "PUT /_cluster/settings", {
      transient: {
        [`${watermark}.low`]: "3gb",
        [`${watermark}.high`]: "2gb",
        [`${watermark}.flood_stage`]: "1gb",
      },
    });

    const after = await scraped(cluster);

    const name = "opensearch_cluster_routing_allocation_disk_watermark_low";
    expect(valueOf(before, `${name}_pct`, {})).toBe(85);
    expect(before.some((family) => family.name === `${name}_bytes`)).toBe(false);
    expect(valueOf(after, `${name}_bytes`, {})).toBe(3 * 1024 ** 3);
    expect(after.some((family) => family.name === `${name}_pct`)).toBe(false);
  });
});

describe("the settings", () => {
  test("show the node that is scraped, or those of the filter", async () => {
    const cluster = await formed();
    const nodesIn = async (): Promise<ReadonlySet<string | undefined>> => {
      const families = await scraped(cluster, "node-2");
      const uptime = families.find(({ name }) => name === "opensearch_jvm_uptime_seconds");
      return new Set(uptime?.metrics.map(({ labels }) => labels?.["node"]));
    };
    const own = await nodesIn();

    const filter = { transient: { "prometheus.nodes.filter": "_all" } };
    await cluster.ask("node-1", "PUT /_cluster/settings", filter);

    expect(own).toEqual(new Set(["node-2"]));
    expect(await nodesIn()).toEqual(new Set(names));
  });

  test("leave indices and cluster settings out", async () => {
    const cluster = await filled();
    const none = { "prometheus.indices": false, "prometheus.cluster.settings": false };
    await cluster.ask("node-1", "PUT /_cluster/settings", { persistent: none });

    const families = await scraped(cluster);

    expect(families.filter(({ name }) => /^opensearch_index_|_watermark_/.test(name))).toEqual([]);
  });

  test("select indices", async () => {
    const cluster = await filled();
    await cluster.ask("node-1", "PUT /logs-1", {});
    const selected = { "prometheus.indices_filter.selected_indices": "logs-*" };
    await cluster.ask("node-1", "PUT /_cluster/settings", { persistent: selected });

    const families = await scraped(cluster);

    const docs = families.find(({ name }) => name === "opensearch_index_doc_number");
    const indices = new Set(docs?.metrics.map(({ labels }) => labels?.["index"]));
    expect(indices).toEqual(new Set(["logs-1"]));
  });

  test("choose the prefix of names", async () => {
    const cluster = await formed({ "prometheus.metric_name.prefix": "es_" });

    const families = await scraped(cluster);

    expect(families.filter(({ name }) => !name.startsWith("es_"))).toEqual([]);
  });
});

test("a scrape needs no cluster manager", async () => {
  const cluster = await formed();
  cluster.simulation.crash("node-2");
  cluster.simulation.crash("node-3");
  await cluster.until(
    () => cluster.simulation.cluster("node-1")?.state().managerNodeId === undefined,
  );

  const families = await scraped(cluster);

  const labels = { node: "node-1" };
  expect(valueOf(families, "opensearch_process_cpu_percent", labels)).toBeGreaterThanOrEqual(0);
});

test("a guard decides by the permission of the plugin", async () => {
  const asked: string[] = [];
  const product = composeProduct([
    prometheusExporter,
    {
      ...{ name: "guard", description: "", classname: "" },
      operationGuards: [
        (call, next) => {
          asked.push(call.permission);
          return next(call.context);
        },
      ],
    },
  ]);
  const cluster = await formed({}, product);

  await scraped(cluster);

  expect(asked).toEqual(["cluster:monitor/prometheus/metrics"]);
});
