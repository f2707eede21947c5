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
