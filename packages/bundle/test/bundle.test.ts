/** What is written is what is read; what is torn, foreign or of another version is refused in one sentence. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationError } from "@orrery/stdx";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBundle, openBundle, type Bundle, type EventFilter } from "../src/index.ts";
import { events, identity, outcome, state, writeBundle } from "./runs.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  path = join(folder, "run.bundle");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function reading<T>(look: (bundle: Bundle) => T): T {
  const bundle = openBundle(path);
  try {
    return look(bundle);
  } finally {
    bundle.close();
  }
}

function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof OperationError) return error.problem.reason ?? "";
    throw error;
  }
  return "it was not refused";
}

test("a bundle tells who ran what, and what came of it", () => {
  writeBundle(path);

  const { run, plan, findings, receipts } = reading((bundle) => ({ ...bundle }));

  expect(run).toEqual({
    formatVersion: 2,
    ...{ scenario: "test/small", claim: identity.claim, file: "small.yaml", world: "sim", seed: 7 },
    ...{ programVersion: "0.1.0", verdict: "fail", hash: outcome.hash, events: 16 },
    ...{ virtualMs: 60_000, wallMs: 12 },
  });
  expect(plan).toEqual({ json: identity.plan, source: identity.source });
  expect([findings, receipts]).toEqual([outcome.findings, outcome.receipts]);
});

test("events come back as they were recorded, in order", () => {
  writeBundle(path);

  const stored = reading((bundle) => [...bundle.events()]);

  expect(stored.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(stored.map(({ json }) => json)).toEqual(events.map((event) => JSON.stringify(event)));
});

test("requests have their answers, faults their ends; what has none is open", () => {
  writeBundle(path);

  const [operations, faults] = reading((bundle) => [bundle.operations(), bundle.faults()]);

  expect(operations).toEqual([
    {
      ...{ client: "c1", id: 1, operation: "PUT /books", invokedMs: 100, completedMs: 110 },
      ...{ status: 200, outcome: "ok" },
    },
    { client: "c1", id: 2, operation: "GET /books", invokedMs: 600, outcome: "unknown" },
  ]);
  expect(faults).toEqual([{ kind: "crash", description: "node-2", fromMs: 500, toMs: 800 }]);
});

test("the shard table is kept with the time of each look at it", () => {
  writeBundle(path);

  const [states, copies] = reading((bundle) => [bundle.states(), bundle.copies()]);

  expect(states).toEqual([
    {
      ...{ cluster: "", atMs: 99, version: 4, term: 1, clusterManager: "node-1" },
      nodes: ["node-1", "node-2"],
    },
  ]);
  const place = { cluster: "", atMs: 99, version: 4, index: "books", shard: 0 };
  expect(copies).toEqual([
    { ...place, isPrimary: true, state: "STARTED", node: "node-1", allocationId: "a0" },
    { ...place, isPrimary: false, state: "UNASSIGNED" },
  ]);
});

describe("a filter", () => {
  test.each<[EventFilter, readonly number[]]>([
    [{ node: "node-2" }, [2, 5, 6, 7, 8, 9, 12, 13, 14]],
    [{ index: "books", shard: 0 }, [5, 6, 7, 8, 9, 13, 14]],
    [{ shard: 1 }, []],
    [{ action: "write/bulk", kind: "message-sent" }, [5, 7, 13]],
    [{ action: "PUT /books" }, [4]],
    [{ fromMs: 102.5, toMs: 110 }, [6, 7, 8, 9, 10]],
    [{ node: "node-1", fromMs: 500 }, [13, 14]],
  ])("%j keeps what it names", (filter, expected) => {
    writeBundle(path);

    expect(reading((bundle) => [...bundle.events(filter)].map(({ seq }) => seq))).toEqual(expected);
  });
});

describe("writing", () => {
  test("shows nothing under the bundle's name before the end", () => {
    const writer = createBundle(path, identity);
    writer.state(99, state);

    const before = readdirSync(folder);
    writer.finish(outcome);

    expect(before).toEqual([expect.stringMatching(/^run\.bundle\.\d+\.part$/)]);
    expect(readdirSync(folder)).toEqual(["run.bundle"]);
  });

  test("that is given up leaves what was there before", () => {
    writeBundle(path);
    const before = readFileSync(path);

    createBundle(path, identity).abandon();

    expect(readdirSync(folder)).toEqual(["run.bundle"]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("to a folder that is not there is refused", () => {
    const nowhere = join(folder, "no", "run.bundle");

    const refusal = refusalOf(() => createBundle(nowhere, identity));

    expect(refusal).toContain(`the bundle [${nowhere}] cannot be written: `);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("to a place that is taken by a folder is refused, and leaves nothing", () => {
    mkdirSync(path);
    writeFileSync(join(path, "file"), "");

    expect(refusalOf(() => writeBundle(path))).toContain("cannot be written");
    expect(readdirSync(folder)).toEqual(["run.bundle"]);
  });
});

describe("refused in one sentence", () => {
  test("a file that is not there", () => {
    expect(refusalOf(() => openBundle(path))).toBe(`there is no bundle [${path}]`);
  });

  test.each(["", "name: test\n", "SQLite format 3 it is not"])("a file that holds %j", (text) => {
    writeFileSync(path, text);

    expect(refusalOf(() => openBundle(path))).toBe(`[${path}] is not a run bundle`);
  });

  test("a folder", () => {
    expect(refusalOf(() => openBundle(folder))).toBe(`[${folder}] is not a run bundle`);
  });

  test("a database of something else", () => {
    new Database(path).exec("CREATE TABLE run (a)").close();

    expect(refusalOf(() => openBundle(path))).toBe(`[${path}] is not a run bundle`);
  });

  test("a bundle of another format", () => {
    writeBundle(path);
    const database = new Database(path);
    database.pragma("user_version = 9");
    database.close();

    expect(refusalOf(() => openBundle(path))).toBe(
      `the bundle [${path}] has format version [9], and this program reads version [2] only`,
    );
  });

  test("a torn bundle", () => {
    writeBundle(path);
    truncateSync(path, 9000);

    expect(refusalOf(() => openBundle(path))).toMatch(/^the bundle \[.*\] is corrupt: [^\n]+$/);
  });

  test("a bundle with a bit of an event flipped", () => {
    writeBundle(path);
    const bytes = readFileSync(path);
    const at = bytes.indexOf("node-crashed");
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);

    expect(refusalOf(() => openBundle(path))).toMatch(/^the bundle \[.*\] is corrupt: /);
  });

  test("a bundle with any bit of the head of a page flipped, in words that tell what is wrong", () => {
    writeBundle(path);
    const whole = readFileSync(path);
    const pageSize = whole.readUInt16BE(16);
    const sentences = Array.from({ length: 64 }, (_, bit) => {
      const bytes = Buffer.from(whole);
      const at = pageSize + Math.floor(bit / 8);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
      writeFileSync(path, bytes);
      return refusalOf(() => openBundle(path));
    });

    for (const sentence of sentences)
      expect(sentence).toMatch(/^the bundle \[.*\] is corrupt: [^*\n]+$/);
  });
});
