/** Runs in real time, as users start them: one verdict in every world, refusals before the start, nothing left behind. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBundle } from "@orrery/bundle";
import type { RecordedEvent } from "@orrery/scenario";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-live-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const bin = join(import.meta.dirname, "../bin/orrery.mjs");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** What is left in the folder for temporary files. */
  readonly left: readonly string[];
}

/** `TMPDIR` is the test's own, so that what is left behind shows. */
function run(args: readonly string[], signalAfter?: string): Promise<Ended> {
  const child = spawn(process.execPath, [bin, "run", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: mkdtempSync(join(folder, "tmp-")) },
  });
  const own = readdirSync(folder).filter((name) => name.startsWith("tmp-"));
  let [out, err] = ["", ""];
  let isSignalled = false;
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString("utf8");
    if (signalAfter === undefined || isSignalled || !err.includes(signalAfter)) return;
    isSignalled = true;
    child.kill("SIGINT");
  });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const left = own.flatMap((name) => readdirSync(join(folder, name)));
      resolve({ code, out, err, left: left.filter((name) => name.startsWith("orrery")) });
    });
  });
}

function scenario(lines: string, name = "scenario.yaml", faults = "10m"): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `name: test/${name}
claim: A test.
clusters:
  main: { nodes: 3 }
indices:
  books: { shards: 2, replicas: 1 }
workload: { kind: bulk, index: books, clients: 2, documents: 2, every: 20ms, for: 1500ms }
${lines}
phases: { faults: ${faults}, converge: 30s }
checkers: [one-cluster-manager-per-term, no-acknowledged-write-lost, copies-of-a-shard-agree, converges-to-green]
`,
  );
  return file;
}

interface Verdict {
  readonly receipts: readonly { readonly fault: string; readonly hits: number }[];
}

function verdictOf({ out }: Ended): Verdict {
  return JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as Verdict;
}

test.each(["memory", "grpc", "websocket"])(
  "the world %s gives the verdict of the simulation, with a receipt of each fault",
  async (world) => {
    const file = scenario(`faults:
  - { kind: crash, node: any-but-elected-cluster-manager, from: 300ms, for: 500ms }
  - { kind: delay, low: 1ms, high: 5ms, from: 0s, for: 1s }`);

    const ended = await run([file, "--world", world, "--json"]);

    const { receipts, ...verdict } = verdictOf(ended);
    expect(verdict).toMatchObject({
      ...{ event: "verdict", verdict: "pass", world, hash: "", findings: [], doubts: [] },
    });
    expect(receipts.toSorted((a, b) => a.fault.localeCompare(b.fault))).toMatchObject([
      { fault: "crash", hits: 1 },
      { fault: "delay", hits: expect.any(Number) },
    ]);
    expect([ended.code, ended.left]).toEqual([0, []]);
  },
);

test.each([
  ["snapshot-status/repository-missing", "memory"],
  ["snapshot-status/second-copies-nothing", "grpc"],
])("%s of the library passes in the world %s, too", async (name, world) => {
  const file = join(import.meta.dirname, "../../../scenarios", `${name}.yaml`);

  const ended = await run([file, "--world", world, "--json"]);

  expect(verdictOf(ended)).toMatchObject({ verdict: "pass", world, findings: [], doubts: [] });
  expect([ended.code, ended.left]).toEqual([0, []]);
});

test("a world that cannot do what a plan asks for is named before anything starts", async () => {
  const restricted = scenario("worlds: [sim]\nfaults: []");

  const outcomes = [
    await run([restricted, "--world", "grpc"]),
    await run([restricted, "--world", "moon"]),
  ];

  expect(outcomes.map(({ code, out, err }) => [code, out, err])).toEqual([
    [2, "", "orrery: the scenario [test/scenario.yaml] is for [sim], not for the world [grpc]\n"],
    [2, "", "orrery: unknown world [moon]: expected one of [sim, memory, grpc, websocket]\n"],
  ]);
});

test("a condition waits for a message, and a bundle keeps messages, timers and syncs in their order", async () => {
  const file = scenario(
    `timeline:
  - { when: { event: { kind: message-delivered, action: "indices:data/write/bulk*" } }, request: GET /books }`,
    "waiting.yaml",
    "2s",
  );
  const bundle = join(folder, "run.bundle");

  const ended = await run([file, "--world", "grpc", "--record", bundle]);

  expect(ended.code).toBe(0);
  const opened = openBundle(bundle);
  const events = [...opened.events()].map(({ json }) => JSON.parse(json) as RecordedEvent);
  opened.close();
  const kinds = new Set(events.map(({ kind }) => kind));
  expect([...kinds]).toEqual(
    expect.arrayContaining(["message-sent", "message-delivered", "timer-fired", "disk-synced"]),
  );
  const times = events.map(({ at_ms: atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("a run that is interrupted leaves no process and no folder behind", async () => {
  const file = scenario("faults: []");

  const ended = await run([file, "--world", "grpc"], "setting initial configuration");

  expect([ended.code, ended.out, ended.left]).toEqual([2, "", []]);
  expect(ended.err).toContain("orrery: the run was interrupted");
});
