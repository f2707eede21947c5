/** The stores against the contract, and what a locked, damaged, newer or unwritable file gives. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { NodeStore } from "@orrery/ports";
import { nodeStoreContract, settleInRealTime as settle } from "@orrery/ports/contract";
import { OperationError } from "@orrery/stdx";
import { afterEach, expect, test } from "vitest";
import Sqlite from "better-sqlite3";
import { createMemoryNodeStore, openNodeStore } from "../src/index.ts";

const folders: string[] = [];
const opened: NodeStore[] = [];
function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-store-"));
  folders.push(folder);
  return join(folder, "node.sqlite");
}
function open(file: string): NodeStore {
  const store = openNodeStore(file);
  opened.push(store);
  return store;
}
function problemOf(operation: () => unknown) {
  try {
    operation();
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  return undefined;
}
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

nodeStoreContract("SQLite", async () => {
  const file = temporaryFile();
  const store = open(file);
  return {
    store,
    settle,
    reopen: async () => {
      store.close();
      return open(file);
    },
  };
});

nodeStoreContract("memory", async () => {
  const store = createMemoryNodeStore();
  return { store, settle, reopen: async () => store };
});

test("a folder that another node uses is refused in one sentence", () => {
  const file = temporaryFile();
  open(file);

  const problem = problemOf(() => open(file));

  expect(problem?.type).toBe("illegal_state_exception");
  expect(problem?.reason).toMatch(
    /^failed to obtain node locks, tried \[\[.*\]\] with lock id \[0\]; /,
  );
});

test("a killed process leaves its folder free and its acknowledged batches behind", async () => {
  const file = temporaryFile();
  const source = new URL("../src/index.ts", import.meta.url).href;
  const program = `
    const { openNodeStore } = await import(${JSON.stringify(source)});
    const store = openNodeStore(${JSON.stringify(file)});
    await store.write({ hardState: new Uint8Array([7]) });
    process.stdout.write("written");
    // A store that nobody refers to may be collected, and its lock with it.
    setInterval(() => store.load(), 1000);
  `;
  const flags = ["--conditions=source", "--input-type=module", "-e", program];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const whileItRuns = problemOf(() => open(file));

  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));

  expect(whileItRuns?.type).toBe("illegal_state_exception");
  expect(open(file).load().hardState).toEqual(new Uint8Array([7]));
});

test("a file that is no store is told as a loss, and kept beside the new one", () => {
  const file = temporaryFile();
  writeFileSync(file, "not a database, but long enough to look like one. ".repeat(200));

  const { loss } = open(file).load();

  expect(loss).toContain(`[${file}] is damaged`);
  expect(readdirSync(join(file, ".."))).toContain("node.sqlite.damaged");
});

test("a store of a newer version is refused", () => {
  const file = temporaryFile();
  open(file).close();
  const database = new Sqlite(file);
  database.pragma("user_version = 99");
  database.close();

  expect(problemOf(() => open(file))?.reason).toContain("format [99]");
});

test("a log with a gap is told as a loss", async () => {
  const file = temporaryFile();
  const store = open(file);
  const entry = (index: number) => ({ index, term: 1, bytes: new Uint8Array(1) });
  await store.write({ entries: [entry(1), entry(2), entry(3)] });
  store.close();
  const database = new Sqlite(file);
  database.exec("DELETE FROM entries WHERE position = 2");
  database.close();

  const { loss, entries } = open(file).load();

  expect(loss).toContain("log entry [3] follows [1]");
  expect(entries).toEqual([]);
});

test("a write to a closed store is rejected", async () => {
  const store = open(temporaryFile());
  store.close();

  await expect(store.write({ hardState: new Uint8Array(1) })).rejects.toThrow(OperationError);
});

test("batches of one turn share a commit that completes before the turn ends", async () => {
  const store = open(temporaryFile());
  const order: string[] = [];

  const next = new Promise<void>((resolve) => {
    setImmediate(() => {
      order.push("next turn");
      resolve();
    });
  });
  void store.write({ hardState: new Uint8Array([1]) }).then(() => order.push("first"));
  await Promise.resolve();
  void store.write({ hardState: new Uint8Array([2]) }).then(() => order.push("second"));
  await next;

  expect(order).toEqual(["first", "second", "next turn"]);
});

test("a folder keeps one database, its write-ahead file and its marker, however much was written", async () => {
  const file = temporaryFile();
  const store = open(file);

  for (let i = 1; i <= 200; i += 1) {
    await store.write({
      entries: [{ index: i, term: 1, bytes: new Uint8Array(50_000) }],
      compactTo: i - 1,
    });
  }

  expect(store.load().entries.map(({ index }) => index)).toEqual([200]);
  const files = ["node.marker", "node.sqlite", "node.sqlite-wal"];
  expect(readdirSync(join(file, ".."))).toEqual(files);
});

test("the files of a store are its user's alone", async () => {
  const file = join(temporaryFile(), "../node/node.sqlite");
  const store = open(file);
  await store.write({ values: new Map([["a", new Uint8Array([1])]]) });

  const folder = dirname(file);
  const names = readdirSync(folder);
  const modes = names.map((name) => statSync(join(folder, name)).mode & 0o777);

  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(names.length).toBeGreaterThan(1);
  expect(modes).toEqual(names.map(() => 0o600));
});
