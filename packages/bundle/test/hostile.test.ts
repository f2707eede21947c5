/** A bundle that somebody made to harm whoever opens it: refused in one sentence, or shown as nothing but text. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationError } from "@orrery/stdx";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { digestOf } from "../src/digest.ts";
import { openBundle, printTrace, renderReport, traceFormats } from "../src/index.ts";
import { writeBundle } from "./runs.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-bundle-"));
  path = join(folder, "run.bundle");
  writeBundle(path);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Changes what is there, and makes its digest again. */
function change(action: (database: Database.Database) => void): void {
  const database = new Database(path);
  action(database);
  database.prepare("UPDATE digest SET sha256 = ?").run(digestOf(database));
  database.close();
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

function report(): string {
  const bundle = openBundle(path);
  try {
    return renderReport(bundle, {
      replay: "npx orrery run",
      faultSays: () => "",
      checkerSays: () => "",
    });
  } finally {
    bundle.close();
  }
}

function traces(): readonly string[] {
  const bundle = openBundle(path);
  try {
    return traceFormats.map((format) => [...printTrace(bundle, format, {})].join(""));
  } finally {
    bundle.close();
  }
}

test("a bundle is its user's alone", () => {
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a table that is a view without an end is no table of a bundle", () => {
  const database = new Database(path);
  database.exec(`ALTER TABLE run RENAME TO other;
    CREATE VIEW run AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT other.* FROM other, c`);
  database.close();

  expect(refusalOf(() => openBundle(path))).toBe(
    `the bundle [${path}] is corrupt: its tables are not those of a bundle`,
  );
});

test("an index, or a view beside the tables, is nobody's harm", () => {
  const database = new Database(path);
  database.exec("CREATE INDEX mine ON events (kind); CREATE VIEW theirs AS SELECT * FROM run");
  database.close();

  openBundle(path).close();
});

test.each([
  "UPDATE run SET verdict = 'constructor'",
  "UPDATE run SET world = '<b>'",
  "UPDATE run SET seed = 9223372036854775807",
  "UPDATE run SET virtual_ms = 9e999",
  "UPDATE run SET virtual_ms = -1",
  "UPDATE faults SET to_ms = 9e999",
  "UPDATE operations SET invoked_ms = -1e308",
  "UPDATE operations SET outcome = '<script>'",
  "UPDATE findings SET at_ms = 1e300",
  "UPDATE events SET at_ms = -1",
  "UPDATE cluster_states SET at_ms = 9e999",
  "UPDATE shards SET shard = -1",
])("no run leaves what [%s] makes of it", (sql) => {
  change((database) => database.exec(sql));

  expect(refusalOf(() => openBundle(path))).toMatch(/holds what no run leaves there$/);
});

test.each([
  "{",
  "null",
  "7",
  "[]",
  "{}",
  '{"kind":7,"at_ms":1,"node":"n"}',
  '{"kind":"log","at_ms":"1","node":"n"}',
  '{"kind":"log","at_ms":1,"node":{}}',
  '{"kind":"message-sent","at_ms":1,"node":"n"}',
  '{"kind":"client-request","at_ms":1,"node":"","client":{},"id":1}',
  '{"kind":"fault-started","at_ms":1,"node":""}',
  `{"kind":"node-started","at_ms":1,"node":"n","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
])("an event that no run records is said to be one: %.40s", (json) => {
  change((database) => database.prepare("UPDATE events SET json = ? WHERE seq = 3").run(json));

  const says = `the bundle [${path}] is corrupt: its event [3] is none that a run records`;
  expect(refusalOf(traces)).toBe(says);
  expect(refusalOf(report)).toBe(says);
});

describe("text that a program could take for its own", () => {
  const mark = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&--></style>`;
  const control = "\u001b[2J\r\n\u0085\u2028\u202e;%%{init:{}}%%#";

  /** Wherever a table, or an event, has text that no rule is about. */
  const everywhere = (text: string) => (database: Database.Database) => {
    const free: Readonly<Record<string, readonly string[]>> = {
      run: ["scenario", "claim", "file", "hash", "program_version"],
      plan: ["source"],
      findings: ["invariant", "checker", "says"],
      doubts: ["says"],
      receipts: ["fault", "description"],
      operations: ["operation"],
      faults: ["kind", "description"],
      cluster_states: ["cluster", "cluster_manager", "nodes"],
      shards: ["index_name", "state", "node", "allocation_id"],
    };
    for (const [table, columns] of Object.entries(free))
      for (const column of columns) database.prepare(`UPDATE ${table} SET ${column} = ?`).run(text);
    for (const row of database.prepare("SELECT seq, json FROM events").all()) {
      const { seq, json } = row as { seq: number; json: string };
      const event = JSON.parse(json) as Record<string, unknown>;
      for (const [key, value] of Object.entries(event))
        if (typeof value === "string")
          event[key] = key === "kind" && seq % 2 === 0 ? `${value}${text}` : text;
      if (seq % 2 === 1) event["kind"] = (JSON.parse(json) as { kind: string }).kind;
      database
        .prepare("UPDATE events SET json = ?, node = ?, kind = ? WHERE seq = ?")
        .run(JSON.stringify(event), text, event["kind"], seq);
    }
  };

  test("is text in the report, which runs nothing", () => {
    change(everywhere(mark));

    const html = report();

    // The report's own script stands at its end, and its policy allows no other.
    const [page = "", script = "", ...more] = html.split("<script>");
    expect(page).not.toMatch(/<(script|img)/);
    expect(script).not.toContain("alert");
    expect(more).toEqual([]);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>"]*("[^"]*"[^>"]*)*\son\w+=/);
    expect(html).toContain("&lt;script&gt;");
    expect(html).toMatch(
      /content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/=]+'"/,
    );
  });

  test("moves no cursor, ends no line and directs no diagram in a trace", () => {
    change(everywhere(control));

    for (const [i, text] of traces().entries()) {
      // oxlint-disable-next-line no-control-regex
      expect([traceFormats[i], text.match(/[\u0000-\u0009\u000b-\u001f]/)]).toEqual([
        traceFormats[i],
        null,
      ]);
      if (traceFormats[i] === "mermaid") expect(text).not.toMatch(/^.*[;#]|%%/m);
    }
  });
});
