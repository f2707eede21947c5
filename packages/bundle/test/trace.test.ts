/** Each format as its reader wants it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createBundle,
  openBundle,
  printTrace,
  type Bundle,
  type EventFilter,
  type TraceFormatName,
} from "../src/index.ts";
import { otlp } from "../src/trace/otlp.ts";
import type { RecordedEvent } from "../src/types.ts";
import { events, identity, message, outcome, writeBundle } from "./runs.ts";

let folder: string;
let bundle: Bundle;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  writeBundle(join(folder, "run.bundle"));
  bundle = openBundle(join(folder, "run.bundle"));
});
afterAll(() => {
  bundle.close();
  rmSync(folder, { recursive: true, force: true });
});

function linesOf(format: TraceFormatName, filter: EventFilter = {}): readonly string[] {
  return [...printTrace(bundle, format, filter)].join("").trimEnd().split("\n");
}

test("text has a line an event: number, time, node, kind, words", () => {
  const lines = linesOf("text");

  expect(lines).toHaveLength(events.length);
  expect(lines[5]).toMatch(
    /^ +6 +102\.500 ms {2}node-2 +message-delivered +node-1 → node-2 {2}indices:data\/write\/bulk\[s\]\[r\] request #4, 120 B$/,
  );
});

test("ndjson has the event as it was recorded, with its number", () => {
  const objects = linesOf("ndjson").map((line) => JSON.parse(line) as object);

  expect(objects).toEqual(events.map((event, i) => ({ seq: i + 1, ...event })));
});

test("mermaid has every node as a participant, and lost messages crossed out", () => {
  const lines = linesOf("mermaid");

  expect(lines[0]).toBe("sequenceDiagram");
  expect(lines).toContain("  participant node-2");
  expect(lines).toContain("  node-1->>node-2: 102.5 ms indices:data/write/bulk[s][r]");
  expect(lines).toContain(
    "  node-1-xnode-2: 502.0 ms indices:data/write/bulk[s][r]: connection closed",
  );
});

describe("mermaid of a long run", () => {
  const file = () => join(folder, "long.bundle");
  const asked = (atMs: number, id: number) =>
    ({
      at_ms: atMs,
      node: "",
      kind: "client-request",
      client: "c1",
      id,
      operation: "GET /",
    }) as const;

  function diagram(filter: EventFilter = {}): readonly string[] {
    const writer = createBundle(file(), identity);
    for (let id = 1; id <= 300; id += 1) {
      writer.event(asked(id * 10, id));
      const ping = { ...message, action: "internal:coordination/fault_detection/follower_check" };
      writer.event({ at_ms: id * 10 + 1, node: "node-2", kind: "message-delivered", ...ping });
      if (id === 200)
        writer.event({
          ...{ at_ms: 2005, node: "", kind: "fault-started" },
          fault: "crash",
          description: "node-2",
        });
    }
    writer.finish(outcome);
    const long = openBundle(file());
    const text = [...printTrace(long, "mermaid", filter)].join("");
    long.close();
    return text.trimEnd().split("\n");
  }

  test("shows a page around the first fault, and says what is cut", () => {
    const lines = diagram();

    expect(lines.length).toBeLessThan(70);
    expect(lines).toContain("  Note over faults: 2005.0 ms fault-started crash");
    expect(lines).toContain("  Note over c1: 2000.0 ms GET /");
    expect(lines.join("\n")).not.toContain("follower_check");
    expect(lines).toContain(
      "  Note over c1: 180 more before, see --from, --to, --node, --index, --shard, --action",
    );
    expect(lines.at(-1)).toMatch(/^ {2}Note over c1: \d+ more after, see --from/);
  });

  test("shows all events that were asked for, from the first on", () => {
    const lines = diagram({ fromMs: 100, toMs: 200 });

    expect(lines).toContain("  Note over c1: 100.0 ms GET /");
    expect(lines.filter((line) => line.includes("follower_check"))).toHaveLength(10);
    expect(lines.join("\n")).not.toContain("more");
  });
});

test("shiviz gives a delivery the clock of its sending", () => {
  const lines = linesOf("shiviz", { kind: "message-dropped" });
  const all = linesOf("shiviz");

  expect(lines).toHaveLength(2);
  const before = (text: string): string =>
    all[all.findIndex((one) => one.includes(text)) - 1] ?? "";
  const [sent, delivered] = [before("ms message-sent"), before("ms message-delivered")];
  const clockOf = (line: string): Record<string, number> =>
    JSON.parse(line.slice(line.indexOf("{"))) as Record<string, number>;
  expect(sent.split(" ")[0]).toBe("node-1");
  expect(delivered.split(" ")[0]).toBe("node-2");
  expect(clockOf(delivered)["node-1"]).toBe(clockOf(sent)["node-1"]);
  expect(clockOf(delivered)["node-2"]).toBe(2);
  expect(clockOf(before("102.9 ms"))).toEqual({ "node-1": 4, "node-2": 3 });
});

test("perfetto is JSON in which an arrow joins a sending with its delivery, and a request with its answer", () => {
  interface Row {
    readonly ph: string;
    readonly id?: number;
    readonly name: string;
    readonly tid: number;
  }
  const { traceEvents } = JSON.parse(linesOf("perfetto").join("\n")) as {
    readonly traceEvents: readonly Row[];
  };
  const of = (ph: string): readonly Row[] => traceEvents.filter((row) => row.ph === ph);

  expect(of("f").map(({ id }) => id)).toEqual(
    of("s")
      .slice(0, 2)
      .map(({ id }) => id),
  );
  expect(of("f")[0]?.tid).not.toBe(of("s")[0]?.tid);
  expect(of("b").map(({ name }) => name)).toEqual(["PUT /books", "crash", "GET /books"]);
  expect(of("e").map(({ name, id }) => [name, id])).toEqual([
    ["PUT /books", of("b")[0]?.id],
    ["crash", of("b")[1]?.id],
  ]);
});

interface OtlpSpan {
  readonly place: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly message?: string };
}

function spansOf(filter: EventFilter = {}): readonly OtlpSpan[] {
  interface Request {
    readonly resourceSpans: readonly {
      readonly resource: {
        readonly attributes: readonly {
          readonly key: string;
          readonly value: { readonly stringValue?: string };
        }[];
      };
      readonly scopeSpans: readonly { readonly spans: readonly Omit<OtlpSpan, "place">[] }[];
    }[];
  }
  return linesOf("otlp", filter).flatMap((line) =>
    (JSON.parse(line) as Request).resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const instance = resource.attributes.find(({ key }) => key === "service.instance.id");
      const place = instance?.value.stringValue ?? "";
      return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, place })));
    }),
  );
}

describe("otlp", () => {
  const bulk = "indices:data/write/bulk[s][r]";
  const SERVER = 2;
  const CLIENT = 3;

  test("is one trace, in which every parent exists and no id is there twice", () => {
    const spans = spansOf();

    const ids = spans.map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name }) => name)).toEqual(["test/small"]);
    for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
  });

  test("has a request from its sending to its answer, and within it the work of the receiver", () => {
    const spans = spansOf();

    const client = spans.find(({ name, kind }) => name === bulk && kind === CLIENT);
    const server = spans.find(({ name, kind }) => name === bulk && kind === SERVER);
    expect([client?.place, server?.place]).toEqual(["node-1", "node-2"]);
    expect(server?.parentSpanId).toBe(client?.spanId);
    const nanosOf = (span: OtlpSpan | undefined): bigint =>
      BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0);
    expect([nanosOf(client), nanosOf(server)]).toEqual([1_900_000n, 100_000n]);
  });

  test("says what became of lost messages and of requests without an end", () => {
    const failures = spansOf().flatMap(({ name, status }) =>
      status.message === undefined ? [] : [[name, status.message]],
    );

    expect(failures).toEqual([
      ["test/small", "fail"],
      [bulk, "dropped: connection closed"],
      ["GET /books", "without an end in the run"],
    ]);
  });

  test("takes what a node does at the instant of a delivery as its effect, and nothing later", () => {
    const sent = { action: "a", correlationId: 1, frameKind: "request", sizeBytes: 1 };
    const given = [
      { at_ms: 1, node: "x", kind: "message-sent", from: "x", to: "y", ...sent },
      { at_ms: 2, node: "y", kind: "message-delivered", from: "x", to: "y", ...sent },
      { at_ms: 2, node: "y", kind: "message-sent", from: "y", to: "z", ...sent, action: "b" },
      { at_ms: 2, node: "z", kind: "message-sent", from: "z", to: "y", ...sent, action: "c" },
      { at_ms: 3, node: "y", kind: "message-sent", from: "y", to: "z", ...sent, action: "d" },
    ].map((event, i) => ({
      ...{ seq: i + 1, json: "", index: null, shard: null },
      event: event as RecordedEvent,
    }));

    const [line = ""] = [
      ...otlp(given, { run: bundle.run, focusMs: undefined, isFiltered: false }),
    ];

    const { resourceSpans } = JSON.parse(line) as {
      readonly resourceSpans: readonly {
        readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
      }[];
    };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
    const nameOfParent = (name: string): string | undefined => {
      const { parentSpanId } = spans.find((span) => span.name === name) ?? {};
      const parent = spans.find(({ spanId }) => spanId === parentSpanId);
      return parent && `${parent.name} ${parent.kind}`;
    };
    expect(["b", "c", "d"].map(nameOfParent)).toEqual([
      `a ${SERVER}`,
      "test/small 1",
      "test/small 1",
    ]);
  });

  test("has the events of the filter, with the same ids", () => {
    const all = new Set(spansOf().map(({ spanId }) => spanId));

    const some = spansOf({ kind: "node-crashed" });

    expect(some.map(({ name }) => name)).toEqual(["test/small", "node-crashed"]);
    expect(some.every(({ spanId }) => all.has(spanId))).toBe(true);
  });
});

test("otlp-metrics has sums at the end of each second in which they have risen", () => {
  interface Request {
    readonly resourceMetrics: readonly {
      readonly scopeMetrics: readonly {
        readonly metrics: readonly {
          readonly name: string;
          readonly sum: { readonly dataPoints: readonly { readonly asInt: string }[] };
        }[];
      }[];
    }[];
  }
  const [line = "", ...others] = linesOf("otlp-metrics");

  const { resourceMetrics } = JSON.parse(line) as Request;

  expect(others).toEqual([]);
  const sums = resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .map(({ name, sum }) => [name, ...sum.dataPoints.map(({ asInt }) => asInt)]);
  expect(sums).toEqual([
    ["orrery.elections.won", "1"],
    ["orrery.messages.sent", "2"],
    ["orrery.messages.bytes", "240"],
    ["orrery.messages.dropped", "1"],
    ["orrery.messages.sent", "1"],
    ["orrery.messages.bytes", "60"],
    ["orrery.client.requests", "1"],
  ]);
});
