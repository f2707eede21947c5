/** What an operator does about a stopped node whose part of the cluster state is not whole: look, give it up, or go on with what is left. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openNodeStore } from "@orrery/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { NodePlan } from "../src/cluster-plan.ts";
import { writePlan } from "../src/data-folder.ts";
import { run } from "./command.ts";

let data: string;
let path: string;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "orrery-cli-"));
  path = join(data, "node-1");
  const live = join(data, "live");
  mkdirSync(live);
  const store = openNodeStore(join(live, "node.sqlite"));
  const named = (text: string): Uint8Array => new TextEncoder().encode(text);
  const values = new Map([
    ["node_id", named("an-id")],
    ["raft_id", named("2")],
  ]);
  await store.write({ values, hardState: new Uint8Array([8, 1]) });
  for (let index = 5; index < 9; index += 1) {
    await store.write({ entries: [{ index, term: 1, bytes: new Uint8Array(300) }] });
  }
  // As a killed process leaves it.
  cpSync(live, path, { recursive: true });
  store.close();
  writePlan(path, planOf("node-1"));
});
afterEach(() => {
  rmSync(data, { recursive: true, force: true });
});

function planOf(name: string): NodePlan {
  return { name, transport: "grpc", httpPort: 9200, transportPort: 9300, settings: {} };
}

function loseTail(): void {
  const file = join(path, "node.sqlite-wal");
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * 0.9);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(file, bytes);
}

function quarantine(index: number): Promise<void> {
  const store = openNodeStore(join(path, "node.sqlite"));
  const record = { index, term: 1, tasks: ["create-index"], reason: "TypeError: no such thing" };
  const values = new Map([["quarantine", new TextEncoder().encode(JSON.stringify(record))]]);
  return store.write({ values }).then(() => store.close());
}

test("a whole one shows its log and its vote", async () => {
  const { code, out } = await run("node", "inspect", "node-1", "--data", data);

  expect(code).toBe(0);
  expect(out).toContain("node id an-id, Raft member 2");
  expect(out).toContain("entries 5 to 8");
  expect(out).toContain("state   whole");
});

test("one that lost its tail says so, and gives its log up or goes on with what is left", async () => {
  loseTail();
  const other = join(data, "node-2");
  cpSync(path, other, { recursive: true });
  writePlan(other, planOf("node-2"));

  const seen = await run("node", "inspect", "node-1", "--data", data);
  const rejoining = await run("node", "repair", "node-1", "--data", data, "--rejoin");
  const accepting = await run("node", "repair", "node-2", "--data", data, "--accept-data-loss");

  expect(seen.out).toMatch(/lost: .*commit \[\d\] was acknowledged/);
  expect([rejoining.code, accepting.code]).toEqual([0, 0]);
  expect(accepting.out).toMatch(/goes on with what is left, up to entry [567]/);
  const given = openNodeStore(join(path, "node.sqlite"));
  const left = openNodeStore(join(other, "node.sqlite"));
  expect([given.load().loss, left.load().loss]).toEqual([
    expect.stringContaining("given up"),
    undefined,
  ]);
  expect([given.load().values.has("node_id"), left.load().entries.length > 0]).toEqual([
    true,
    true,
  ]);
  given.close();
  left.close();
});

test("one that stopped at an entry passes over that one and no other", async () => {
  await quarantine(7);

  const wrong = await run("node", "repair", "node-1", "--data", data, "--skip-entry", "6");
  const right = await run("node", "repair", "node-1", "--data", data, "--skip-entry", "7");
  const seen = await run("node", "inspect", "node-1", "--data", data);

  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("stopped at entry [7]")]);
  expect([right.code, right.out]).toEqual([0, expect.stringContaining("every other node")]);
  expect(seen.out).toContain("passes over entry 7 of term 1");
});

test("a folder that was moved keeps its plan, and is refused until it is given the new name", async () => {
  const moved = join(data, "node-7");
  renameSync(path, moved);

  const refused = await run("node", "inspect", "node-7", "--data", data);
  const renamed = await run("node", "repair", "node-7", "--data", data, "--rename");
  const seen = await run("node", "inspect", "node-7", "--data", data);

  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(`[orrery node repair node-7 --data ${data} --rename]`),
  ]);
  expect([renamed.code, renamed.out]).toEqual([0, expect.stringContaining("is now of node-7")]);
  expect([seen.code, JSON.parse(readFileSync(join(moved, "node.json"), "utf8"))]).toEqual([
    0,
    planOf("node-7"),
  ]);
});

test("a folder that was given its new name in part is given the rest", async () => {
  const moved = join(data, "node-7");
  renameSync(path, moved);
  const plan = readFileSync(join(moved, "node.json"));
  await run("node", "repair", "node-7", "--data", data, "--rename");
  writeFileSync(join(moved, "node.json"), plan);

  const again = await run("node", "repair", "node-7", "--data", data, "--rename");
  const more = await run("node", "repair", "node-7", "--data", data, "--rename");

  expect([again.code, more.code]).toEqual([0, 2]);
  expect(JSON.parse(readFileSync(join(moved, "node.json"), "utf8"))).toEqual(planOf("node-7"));
});

test("a folder that was copied under another name is refused until it is given that name", async () => {
  const start = (name: string) => run("node", "start", name, "--data", data);
  const named = openNodeStore(join(path, "node.sqlite"));
  await named.write({ values: new Map([["node_name", new TextEncoder().encode("node-1")]]) });
  named.close();
  const other = join(data, "node-2");
  cpSync(path, other, { recursive: true });
  writePlan(other, planOf("node-2"));

  const refused = await start("node-2");
  const renamed = await run("node", "repair", "node-2", "--data", data, "--rename");
  const again = await run("node", "repair", "node-2", "--data", data, "--rename");

  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining("this data folder is of node [node-1]"),
  ]);
  expect([renamed.code, renamed.out]).toEqual([0, expect.stringContaining("is now of node-2")]);
  expect([again.code, again.err]).toEqual([2, expect.stringContaining("of [node-2] already")]);
});

test("a whole one has nothing to accept, and one way at a time is taken", async () => {
  const whole = await run("node", "repair", "node-1", "--data", data, "--accept-data-loss");
  const two = await run(
    "node",
    "repair",
    "node-1",
    "--data",
    data,
    "--rejoin",
    "--accept-data-loss",
  );

  expect([whole.code, whole.err]).toEqual([2, expect.stringContaining("lost nothing")]);
  expect([two.code, two.err]).toEqual([2, expect.stringContaining("expected one of")]);
});

test("a node that runs is neither looked into nor repaired", async () => {
  const store = openNodeStore(join(path, "node.sqlite"));

  const { code, err } = await run("node", "inspect", "node-1", "--data", data);
  store.close();

  expect([code, err]).toEqual([2, expect.stringContaining("another node uses this folder")]);
});
