/** Files of a node's state that are not what was written: nothing that was acknowledged goes missing without a word. */
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeStore, StoredEntry, StoredNode } from "@orrery/ports";
import Sqlite from "better-sqlite3";
import { afterEach, describe, expect, test } from "vitest";
import { openNodeStore } from "../src/index.ts";

const folders: string[] = [];
const opened: NodeStore[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-store-"));
  folders.push(folder);
  return folder;
}
function open(folder: string): NodeStore {
  const store = openNodeStore(join(folder, "node.sqlite"));
  opened.push(store);
  return store;
}
function load(folder: string): StoredNode {
  const store = openNodeStore(join(folder, "node.sqlite"));
  try {
    return store.load();
  } finally {
    store.close();
  }
}

const entry = (index: number): StoredEntry => ({
  index,
  term: 1,
  bytes: new Uint8Array(700).fill(index),
});
const nodeId = new Map([["node_id", new Uint8Array([7])]]);

/** The files of a node that was killed after its last acknowledgement: the write-ahead file is still there. */
async function killed(commits = 6): Promise<string> {
  const folder = temporaryFolder();
  const store = open(folder);
  await store.write({ values: nodeId });
  for (let i = 1; i <= commits; i += 1) {
    await store.write({ hardState: new Uint8Array([i]), entries: [entry(i)] });
  }
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function flip(file: string, at: number, bit = 2): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
}

describe("a store whose files changed while nobody looked", () => {
  test("a flipped bit in the write-ahead file is a loss, not a shorter log", async () => {
    const folder = await killed();
    const file = join(folder, "node.sqlite-wal");
    flip(file, Math.floor(statSync(file).size * 0.7));

    const { loss, entries, hardState, values } = load(folder);

    expect(loss).toMatch(/ends with commit \[\d\], and commit \[7\] was acknowledged/);
    expect([entries, hardState]).toEqual([[], undefined]);
    expect(values).toEqual(nodeId);
  });

  test("a write-ahead file that is cut, or gone, is a loss", async () => {
    const [cut, gone] = [await killed(), await killed()];
    truncateSync(join(cut, "node.sqlite-wal"), 20_000);
    rmSync(join(gone, "node.sqlite-wal"));

    expect(load(cut).loss).toMatch(/acknowledged/);
    expect(load(gone).loss).toMatch(/acknowledged/);
  });

  test("a database that is gone, empty, or another node's is a loss", async () => {
    const [gone, empty, mine, other] = [
      await killed(),
      await killed(),
      await killed(),
      await killed(),
    ];
    for (const name of ["node.sqlite", "node.sqlite-wal"]) {
      rmSync(join(gone, name));
      writeFileSync(join(empty, name), "");
      copyFileSync(join(other, name), join(mine, name));
    }

    const losses = [gone, empty, mine].map((folder) => load(folder));

    expect(losses.map(({ loss }) => loss)).toEqual([
      expect.stringContaining("is missing or empty"),
      expect.stringContaining("is missing or empty"),
      expect.stringContaining("are of different stores"),
    ]);
    // The other node's id is not this node's.
    expect(losses.map(({ values }) => values.size)).toEqual([0, 0, 0]);
  });

  test("an older copy of the database is a loss, and so is one of the marker", async () => {
    const folder = temporaryFolder();
    const store = open(folder);
    await store.write({ entries: [entry(1)] });
    const [older, newer, mixed] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    cpSync(folder, older, { recursive: true });
    for (let i = 2; i < 6; i += 1) await store.write({ entries: [entry(i)] });
    cpSync(folder, newer, { recursive: true });
    cpSync(folder, mixed, { recursive: true });
    for (const name of ["node.sqlite", "node.sqlite-wal"])
      copyFileSync(join(older, name), join(newer, name));
    copyFileSync(join(older, "node.marker"), join(mixed, "node.marker"));

    expect(load(newer).loss).toContain("ends with commit [1], and commit [5] was acknowledged");
    expect(load(mixed).loss).toContain("is of commit [1], older than commit [5]");
  });

  test("a missing or unreadable marker is a loss: nothing else tells where the log ends", async () => {
    const [gone, empty, spoiled] = [await killed(), await killed(), await killed()];
    rmSync(join(gone, "node.marker"));
    truncateSync(join(empty, "node.marker"), 0);
    writeFileSync(join(spoiled, "node.marker"), new Uint8Array(8192));

    expect(load(gone).loss).toContain("is missing");
    expect(load(empty).loss).toContain("is missing");
    expect(load(spoiled).loss).toContain("is damaged");
  });

  test("a marker one commit behind is what a crash between the two writes leaves", async () => {
    const folder = temporaryFolder();
    const store = open(folder);
    await store.write({ entries: [entry(1)] });
    const marker = readFileSync(join(folder, "node.marker"));
    await store.write({ entries: [entry(2)] });
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(copy, "node.marker"), marker);

    expect(load(copy)).toMatchObject({ loss: undefined, entries: [entry(1), entry(2)] });
    expect(load(copy).loss).toBe(undefined);
  });

  test("a torn page of the marker is what a crash in its write leaves", async () => {
    const folder = temporaryFolder();
    const store = open(folder);
    await store.write({ entries: [entry(1)] });
    await store.write({ entries: [entry(2)] });
    const copy = temporaryFolder();
    cpSync(folder, copy, { recursive: true });
    const bytes = readFileSync(join(copy, "node.marker"));
    // The second commit is in the first page.
    writeFileSync(join(copy, "node.marker"), bytes.fill(0, 0, 4096));

    const { loss, repairs, entries } = load(copy);

    expect([loss, entries.length]).toEqual([undefined, 2]);
    expect(repairs).toEqual([expect.stringContaining("was damaged, and is written anew")]);
    expect(load(copy).repairs).toEqual([]);
  });

  test("one copy of a seal is enough, and the other is written anew", async () => {
    const folder = await killed();
    flip(join(folder, "node.marker"), 4096 + 20);

    expect(load(folder).repairs.length).toBe(1);
    expect(load(folder)).toMatchObject({ loss: undefined, repairs: [] });
  });

  test("a loss lasts through restarts and takes no batch, until the store starts over", async () => {
    const folder = await killed();
    writeFileSync(join(folder, "node.sqlite"), "x".repeat(9000));
    rmSync(join(folder, "node.sqlite-wal"));
    expect(load(folder).loss).toContain("is damaged");
    const store = open(folder);

    await expect(store.write({ entries: [entry(1)] })).rejects.toThrow("failed to write");
    store.close();
    const again = open(folder);
    expect(again.load().loss).not.toBe(undefined);
    await again.write({ startOver: true, values: nodeId, entries: [entry(40)] });
    again.close();

    expect(load(folder)).toMatchObject({ loss: undefined, entries: [entry(40)], values: nodeId });
  });

  test("a crash while a store is made leaves one that begins", () => {
    const [short, half, frames] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const folder of [short, half, frames]) open(folder).close();
    const marker = readFileSync(join(half, "node.marker"));
    for (const folder of [short, half, frames]) rmSync(join(folder, "node.sqlite"));
    writeFileSync(join(short, "node.marker"), "");
    writeFileSync(join(half, "node.marker"), marker.subarray(0, 4096));
    // The tables were being written, and their transaction was not.
    writeFileSync(join(frames, "node.sqlite"), "");
    writeFileSync(join(frames, "node.sqlite-wal"), new Uint8Array(5000));

    const losses = [short, half, frames].map((folder) => load(folder).loss);

    expect(losses).toEqual([undefined, undefined, undefined]);
  });

  test("a database and a marker that are gone together with the frames' meaning are told", async () => {
    const folder = await killed();
    rmSync(join(folder, "node.marker"));
    flip(join(folder, "node.sqlite-wal"), 30);

    expect(load(folder).loss).toContain("its write-ahead file cannot be read");
  });

  test("a store of the format before is sealed as it is", async () => {
    const folder = temporaryFolder();
    const database = new Sqlite(join(folder, "node.sqlite"));
    database.pragma("journal_mode = WAL");
    database.exec(`
      CREATE TABLE entries (position INTEGER PRIMARY KEY, term INTEGER NOT NULL, bytes BLOB NOT NULL);
      CREATE TABLE raft (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
      CREATE TABLE named (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
      PRAGMA user_version = 1;
      INSERT INTO entries VALUES (4, 2, x'01'), (5, 2, x'02');
      INSERT INTO raft VALUES ('hardState', x'05');
      INSERT INTO named VALUES ('node_id', x'07');
    `);
    database.close();

    const first = load(folder);
    const store = open(folder);
    await store.write({ entries: [entry(6)] });
    store.close();

    expect([first.loss, first.hardState, first.values]).toEqual([
      undefined,
      new Uint8Array([5]),
      nodeId,
    ]);
    expect(load(folder).entries.map(({ index }) => index)).toEqual([4, 5, 6]);
  });
});

test("INV-STORE-2: every byte of every file flipped: what was acknowledged is there, or its loss is told", async () => {
  const folder = await killed(3);
  const whole = load(await killed(3));
  const copy = temporaryFolder();
  const outcomes = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const { size } = statSync(join(folder, name));
    // Every seventh, and all of the headers; the fuzz target `disk` goes through all of them.
    for (let at = 0; at < size; at += at < 120 ? 1 : 61) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(folder, copy, { recursive: true });
      flip(join(copy, name), at, at % 8);
      const outcome = outcomeOf(copy, whole);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      expect(`${name} ${at}: ${outcome}`).not.toContain("silent");
    }
  }
  expect([...outcomes.keys()].toSorted()).toEqual(["told", "whole"]);
}, 60_000);

function outcomeOf(folder: string, whole: StoredNode): "whole" | "told" | "refused" | "silent" {
  let found: StoredNode;
  try {
    found = load(folder);
  } catch {
    return "refused";
  }
  if (found.loss !== undefined) return "told";
  const isWhole = JSON.stringify(plain(found)) === JSON.stringify(plain(whole));
  return isWhole ? "whole" : "silent";
}

function plain({ hardState, snapshot, entries, values }: StoredNode): unknown {
  return { hardState, snapshot, entries, values: [...values] };
}
