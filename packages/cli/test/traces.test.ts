/** Traces of requests over three nodes in processes of their own, as a collector gets them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  startCollector,
  type CollectedSpan,
  type Collector,
} from "../../telemetry/test/collector.ts";
import { freePorts, startOrrery, until, type Ready, type Running } from "./orrery.ts";

let collector: Collector;
let running: Running | undefined;

beforeEach(async () => {
  collector = await startCollector();
});

afterEach(async () => {
  running?.process.kill("SIGTERM");
  await running?.ended;
  running = undefined;
  await collector.close();
});

const client = "b7ad6b7169203331";
const traceId = "0af7651916cd43dd8448eb211c80319c";

async function start(transport: string, settings: Record<string, string>): Promise<Ready> {
  const given = {
    "telemetry.feature.tracer.enabled": "true",
    "telemetry.otel.tracer.exporter.delay": "50ms",
    "orrery.telemetry.endpoint": collector.url,
    ...settings,
  };
  process.env["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/json";
  const port = String(await freePorts(3));
  running = startOrrery(
    ...["up", "--json", "--nodes", "3", "--transport", transport, "--http-port", port],
    ...Object.entries(given).flatMap(([name, value]) => ["-E", `${name}=${value}`]),
  );
  delete process.env["OTEL_EXPORTER_OTLP_PROTOCOL"];
  return running.ready;
}

async function send(ready: Ready, request: string, body?: unknown, traceparent?: string) {
  const [method = "", path = ""] = request.split(" ");
  const answer = await fetch(`${ready.nodes[0]?.http}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

/** An index whose two shards are on node-2 and node-3. */
async function withBooks(ready: Ready): Promise<void> {
  const settings = {
    ...{ number_of_shards: 2, number_of_replicas: 0 },
    "routing.allocation.exclude._name": "node-1",
  };
  await send(ready, "PUT /books", { settings });
  for (const id of [1, 2, 3, 4]) await send(ready, `PUT /books/_doc/${id}?refresh=true`, { id });
}

const spansOf = (trace: string): readonly CollectedSpan[] =>
  collector.spans.filter((span) => span.traceId === trace);

/** Names of nodes and actions from the span to the first of its trace. */
function lineOf(span: CollectedSpan): readonly string[] {
  const above = spansOf(span.traceId).find(({ spanId }) => spanId === span.parentSpanId);
  const own = `${span.node} ${span.name}`;
  return above === undefined ? [own] : [own, ...lineOf(above)];
}

const SERVER = 2;
const shardSpans = (trace: string, action: string): readonly CollectedSpan[] =>
  spansOf(trace).filter(
    ({ kind, name, attributes }) =>
      kind === SERVER && name === action && attributes["index"] === "books",
  );

test.each(["grpc", "memory"])(
  "a search over three nodes with %s is one trace",
  async (transport) => {
    const ready = await start(transport, { "telemetry.tracer.enabled": "true" });
    await withBooks(ready);

    const query = "indices:data/read/search[phase/query]";
    await send(ready, "GET /books/_search?q=id:1", undefined, `00-${traceId}-${client}-01`);
    await until(() => spansOf(traceId).some(({ parentSpanId }) => parentSpanId === client));
    await until(() => shardSpans(traceId, query).length === 2);

    const [root, ...others] = spansOf(traceId).filter(
      ({ parentSpanId }) => parentSpanId === client,
    );
    expect(others).toEqual([]);
    expect(root).toMatchObject({
      ...{ node: "node-1", name: "GET /books/_search", kind: SERVER },
      attributes: { "http.method": "GET", "url.query": "q=id:1", "http.status_code": 200 },
    });
    const lines = shardSpans(traceId, query).map(lineOf);
    expect(new Set(lines)).toEqual(
      new Set([
        [`node-2 ${query}`, `node-1 ${query}`, "node-1 GET /books/_search"],
        [`node-3 ${query}`, `node-1 ${query}`, "node-1 GET /books/_search"],
      ]),
    );
    const shards = shardSpans(traceId, query).map(({ attributes }) => attributes["shard_id"]);
    expect(new Set(shards)).toEqual(new Set(["0", "1"]));
  },
);

test("requests are sampled, and traced only while the cluster says so", async () => {
  const sampler = "telemetry.tracer.sampler.probability";
  const ready = await start("grpc", { [sampler]: "1" });
  const change = (settings: Record<string, unknown>) =>
    send(ready, "PUT /_cluster/settings", { transient: settings });

  await send(ready, "GET /_cat/nodes?format=json");
  await change({ "telemetry.tracer.enabled": true });
  await send(ready, "GET /_cluster/health");
  await until(() => collector.spans.some(({ name }) => name === "GET /_cluster/health"));
  await change({ [sampler]: 0 });
  await send(ready, "GET /_nodes/stats");
  await change({ [sampler]: 1 });
  await send(ready, "GET /_stats");
  await until(() => collector.spans.some(({ name }) => name === "GET /_stats"));

  const names = collector.spans.map(({ name }) => name).filter((name) => name.startsWith("GET "));
  expect(names).toEqual(["GET /_cluster/health", "GET /_stats"]);
});

test("a bulk to a copy on another node and its replica are in the trace", async () => {
  const ready = await start("grpc", { "telemetry.tracer.enabled": "true" });
  await send(ready, "PUT /books", { settings: { number_of_shards: 1, number_of_replicas: 2 } });
  await send(ready, "GET /_cluster/health?wait_for_status=green");

  await send(ready, "PUT /books/_doc/1", { id: 1 }, `00-${traceId}-${client}-01`);
  const replica = "indices:data/write/bulk[s][r]";
  await until(() => shardSpans(traceId, replica).length === 2);
  await until(() => spansOf(traceId).some(({ parentSpanId }) => parentSpanId === client));

  for (const span of shardSpans(traceId, replica)) {
    const line = lineOf(span);
    expect(line.at(-1)).toBe("node-1 PUT /books/_doc/1");
    expect(line.some((one) => one.endsWith("indices:data/write/bulk[s]"))).toBe(true);
  }
});
