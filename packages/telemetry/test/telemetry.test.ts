/** Exports of one node's spans and figures: to a collector, to a file, and to a collector that is not there. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Span } from "@orrery/ports";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTelemetry, type Telemetry } from "../src/index.ts";
import { spansIn, startCollector, type Collector, type OtlpRequest } from "./collector.ts";

let folder: string;
let collector: Collector;
let log: string[];
const opened: Telemetry[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-telemetry-"));
  collector = await startCollector();
  log = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((telemetry) => telemetry.close()));
  await collector.close();
  rmSync(folder, { recursive: true });
});

async function open(settings: Record<string, string>): Promise<Telemetry> {
  const telemetry = await openTelemetry({
    ...{ nodeName: "node-1", clusterName: "test" },
    settings: {
      "telemetry.feature.tracer.enabled": "true",
      "telemetry.otel.tracer.exporter.delay": "10ms",
      ...settings,
    },
    log: (level, message) => log.push(`${level} ${message}`),
  });
  opened.push(telemetry);
  telemetry.spans?.configure({ isEnabled: true, probability: 1 });
  return telemetry;
}

const span: Span = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: "00f067aa0ba902b7",
  traceState: "",
  name: "GET /books",
  kind: "server",
  startMs: 1_700_000_000_000.5,
  endMs: 1_700_000_000_002.25,
  attributes: { "http.method": "GET" },
  failure: undefined,
};

const figure = {
  name: "opensearch_x_bytes",
  help: "X",
  samples: [{ labels: { a: "b" }, value: 1 }],
};

test("spans come to the collector with the node as their resource", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const { spans } = await open({ "orrery.telemetry.endpoint": `${collector.url}/` });

  spans?.record(span);
  spans?.record({ ...span, spanId: "b7ad6b7169203332", failure: "status 500" });

  await vi.waitFor(() => expect(collector.spans).toHaveLength(2));
  expect(collector.spans[0]).toMatchObject({
    ...{ node: "node-1", name: "GET /books", kind: 2, traceId: span.traceId },
    ...{ spanId: span.spanId, parentSpanId: span.parentSpanId },
    ...{ startTimeUnixNano: "1700000000000500000", endTimeUnixNano: "1700000000002250000" },
    attributes: { "http.method": "GET" },
  });
  expect(collector.spans[1]?.status).toEqual({ code: 2, message: "status 500" });
  expect(collector.requests).toEqual(["/v1/traces application/json"]);
});

test("the variables of OpenTelemetry name the collector, and the protocol is that of protobuf", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const { spans } = await open({});

  spans?.record(span);

  await vi.waitFor(() => expect(collector.requests).toEqual(["/v1/traces application/x-protobuf"]));
});

test("figures come at each interval, while the node lives", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const telemetry = await open({
    "orrery.telemetry.endpoint": collector.url,
    "telemetry.feature.metrics.enabled": "true",
    "telemetry.otel.metrics.publish.interval": "20ms",
  });

  telemetry.measure(async () => [figure]);

  await vi.waitFor(() => expect(collector.metrics.length).toBeGreaterThan(1));
  expect(new Set(collector.metrics)).toEqual(new Set(["opensearch_x_bytes"]));
});

test("a file gets one line of OTLP for each export", async () => {
  const file = join(folder, "otlp.ndjson");
  const telemetry = await open({
    "orrery.telemetry.file": file,
    "telemetry.feature.metrics.enabled": "true",
    "telemetry.otel.metrics.publish.interval": "1h",
  });
  telemetry.measure(async () => [figure]);

  telemetry.spans?.record(span);
  await telemetry.close();

  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const requests = lines.map((line) => JSON.parse(line) as OtlpRequest);
  expect(requests.flatMap(spansIn).map(({ spanId }) => spanId)).toEqual([span.spanId]);
  expect(requests.filter(({ resourceMetrics }) => resourceMetrics !== undefined)).toHaveLength(1);
});

test("a collector that refuses is told of once, and so is its return", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const { spans } = await open({ "orrery.telemetry.endpoint": collector.url });
  const sendOne = async (): Promise<void> => {
    const before = collector.spans.length;
    spans?.record(span);
    await vi.waitFor(() => expect(collector.spans).toHaveLength(before + 1));
  };

  collector.status = 400;
  for (let i = 0; i < 3; i += 1) await sendOne();
  collector.status = 200;
  for (let i = 0; i < 3; i += 1) await sendOne();

  await vi.waitFor(() =>
    expect(log).toEqual([
      expect.stringMatching(/^warn cannot export traces or metrics, and drops them: /),
      "info exports traces and metrics again",
    ]),
  );
});

describe("a collector that is not there", () => {
  /** A port that takes connections and never answers. */
  async function silent() {
    const server = createServer((socket) => sockets.push(socket));
    const sockets: { destroy(): void }[] = [];
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const close = (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    return { url: `http://127.0.0.1:${port}`, close };
  }

  test("costs no more spans than the queue and the batch on its way", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
    let answer = (): void => undefined;
    const stuck = await startCollector(new Promise((resolve) => (answer = resolve)));
    const { spans } = await open({
      "orrery.telemetry.endpoint": stuck.url,
      "telemetry.otel.tracer.exporter.max_queue_size": "16",
      "telemetry.otel.tracer.exporter.batch_size": "8",
    });
    for (let i = 0; i < 8; i += 1) spans?.record(span);
    await vi.waitFor(() => expect(stuck.spans).toHaveLength(8));

    for (let i = 0; i < 5000; i += 1) spans?.record(span);
    answer();

    await vi.waitFor(() => expect(stuck.spans).toHaveLength(8 + 16));
    await stuck.close();
  });

  test("does not keep a node from ending", async () => {
    const dead = await silent();
    const telemetry = await open({ "orrery.telemetry.endpoint": dead.url });
    telemetry.spans?.record(span);

    await telemetry.close();

    dead.close();
  });
});

test("tracing that is switched off records nothing, and a share of 0 begins no trace", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const telemetry = await open({ "orrery.telemetry.endpoint": collector.url });
  const { spans } = telemetry;

  spans?.configure({ isEnabled: true, probability: 0 });
  const isSampled = spans?.isSampled(span.traceId);
  spans?.configure({ isEnabled: false, probability: 1 });
  spans?.record(span);
  await telemetry.close();

  expect([isSampled, spans?.isSampled(span.traceId)]).toEqual([false, true]);
  expect(collector.spans).toEqual([]);
});

test.each([
  [{ "orrery.telemetry.endpoint": "collector" }, {}, "[orrery.telemetry.endpoint] must be a URL"],
  [{ "orrery.telemetry.file": "/no/such/folder/x" }, {}, "cannot write [orrery.telemetry.file]"],
  [
    {},
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    "must be [http/protobuf] or [http/json], not [grpc]",
  ],
])("%o with %o is refused", async (settings, env, words) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);

  await expect(open(settings as Record<string, string>)).rejects.toThrow(words);
});
