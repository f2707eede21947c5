/** Sweeps on a queue: the same verdicts and hashes as on one machine, whatever happens to workers, server and sweep. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SweptRun } from "../src/sweep/totals.ts";
import { failing, last, passing, run } from "./command.ts";
import { until } from "./orrery.ts";
import { serverProgram, startQueueServer, type QueueServer } from "./queue-server.ts";

const bin = join(import.meta.dirname, "../bin/orrery.mjs");

interface Program {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly code: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

let folder: string;
let programs: Program[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-queue-"));
  programs = [];
});
afterEach(async () => {
  for (const { kill } of programs) kill("SIGKILL");
  await Promise.all(programs.map(({ code }) => code));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the command in a process group of its own. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString("utf8")));
  const program: Program = {
    child,
    out: () => printed.out,
    err: () => printed.err,
    code: new Promise((resolve) => child.on("close", (code) => resolve(code))),
    kill: (signal) => {
      if (child.exitCode === null && child.signalCode === null)
        process.kill(-(child.pid ?? 0), signal);
    },
  };
  programs.push(program);
  return program;
}

async function startWorker(
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const worker = start(["worker", "--queue", url, "--jobs", "1", "--json"], env);
  await until(() => worker.out().includes('"ready"'));
  return worker;
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function linesOf({ out }: Program): readonly Record<string, unknown>[] {
  const lines = out().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function verdictsOf(program: Program): readonly SweptRun[] {
  return linesOf(program).filter(({ event }) => event === "verdict") as object[] as SweptRun[];
}

const summaryOf = (program: Program) => linesOf(program).at(-1);
const verdictsSeen = ({ out }: Program): number => out().split('"event":"verdict"').length - 1;
const hashesOf = (runs: readonly SweptRun[]) =>
  runs
    .map(({ seed, verdict, hash }) => ({ seed, verdict, hash }))
    .toSorted((a, b) => a.seed - b.seed);

const skipped =
  serverProgram === undefined ? ": needs valkey-server or redis-server on the path" : "";

describe.skipIf(serverProgram === undefined)(`a sweep on a queue${skipped}`, () => {
  let server: QueueServer;
  let redis: Redis;

  beforeAll(async () => {
    server = await startQueueServer();
  });
  afterAll(async () => {
    await server.kill();
  });
  beforeEach(async () => {
    redis = new Redis(server.url);
    redis.on("error", () => undefined);
    await redis.flushall();
  });
  afterEach(() => {
    redis.disconnect();
  });

  test("runs every seed once with the hash of one machine, also when a worker is killed", async () => {
    const scenario = file("a.yaml", passing);
    const workers = await Promise.all([1, 2, 3].map(() => startWorker(server.url)));

    const sweep = start(["sweep", scenario, "--seeds", "24", "--queue", server.url, "--json"]);
    await until(() => verdictsSeen(sweep) >= 3);
    workers[0]?.kill("SIGKILL");

    expect(await sweep.code).toBe(0);
    const alone = start(["sweep", scenario, "--seeds", "24", "--json"]);
    await alone.code;
    expect(summaryOf(sweep)).toEqual({ ...summaryOf(alone), wall_ms: expect.any(Number) });
    expect(hashesOf(verdictsOf(sweep))).toEqual(hashesOf(verdictsOf(alone)));
  }, 120_000);

  test("goes on when the server was lost with everything it held", async () => {
    await startWorker(server.url);
    const scenario = file("a.yaml", passing);

    const sweep = start(["sweep", scenario, "--seeds", "12", "--queue", server.url, "--json"]);
    await until(() => verdictsSeen(sweep) >= 2);
    await server.kill();
    await until(() => sweep.err().includes("is lost; retrying for 60 s"));
    await server.start();

    expect(await sweep.code).toBe(0);
    expect(sweep.err()).toContain("is back");
    expect(
      verdictsOf(sweep)
        .map(({ seed }) => seed)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  }, 120_000);

  test("keeps here the bundle of what failed there, with the files that a scenario names", async () => {
    await startWorker(server.url);
    mkdirSync(join(folder, "data"));
    file("data/books.ndjson", '{"title":"one"}\n{"title":"two"}\n');
    const data = "others: { shards: 1, replicas: 1, data: { file: data/books.ndjson } }";
    const lossy = file("lossy.yaml", failing.replace("others: { shards: 1, replicas: 1 }", data));

    const sweep = start([
      "sweep",
      lossy,
      "--seeds",
      "1",
      "--queue",
      server.url,
      "--keep",
      "kept",
      "--json",
    ]);

    expect(await sweep.code).toBe(1);
    const [verdict] = verdictsOf(sweep);
    const alone = last(await run("run", lossy, "--seed", "1", "--json"));
    expect(verdict).toMatchObject({
      verdict: "fail",
      hash: alone["hash"],
      bundle: "kept/test-lossy-seed-1.bundle",
    });
    const replayed = await run("replay", join(folder, "kept/test-lossy-seed-1.bundle"), "--json");
    expect(last(replayed)).toMatchObject({ same: true, verdict: "fail" });
    expect(readdirSync(join(folder, "kept"))).toEqual(["test-lossy-seed-1.bundle"]);
  }, 60_000);

  test("takes its jobs back at Ctrl-C, and workers drop theirs", async () => {
    const worker = await startWorker(server.url);
    const long = file("long.yaml", passing.replace("faults: 400ms", "faults: 30m"));

    const sweep = start([
      "sweep",
      long,
      file("a.yaml", passing),
      "--seeds",
      "900",
      "--queue",
      server.url,
      "--json",
    ]);
    await until(async () => (await redis.keys("{orrery}:jobs-*:active")).length === 1);
    sweep.kill("SIGINT");

    expect(await sweep.code).toBe(130);
    expect(summaryOf(sweep)).toMatchObject({ event: "summary", failed: 0 });
    const left = await redis.keys("{orrery}:*");
    expect(
      left.filter((key) => !/:(id|meta|stalled-check|events|marker)$|:worker/.test(key)),
    ).toEqual([]);
    expect(worker.child.exitCode).toBe(null);
  }, 60_000);

  test("a worker that is stopped gives its job back", async () => {
    const stopped = await startWorker(server.url);
    const scenario = file("a.yaml", passing);
    const sweep = start(["sweep", scenario, "--seeds", "200", "--queue", server.url, "--json"]);
    await until(() => verdictsSeen(sweep) >= 1);

    stopped.kill("SIGTERM");
    expect(await stopped.code).toBe(0);
    await until(() =>
      /^no worker of version \[.*\] is at the queue \[redis:.*\]; waiting for one$/m.test(
        sweep.err(),
      ),
    );
    await startWorker(server.url);

    expect(await sweep.code).toBe(0);
    expect(summaryOf(sweep)).toMatchObject({ passed: 200, not_run: 0 });
  }, 60_000);

  test("waits for a worker of its own version, and those of another one say so", async () => {
    const worker = await startWorker(server.url);

    // This sweep is of the sources, the worker of the built program.
    const sweep = await run(
      "sweep",
      file("a.yaml", passing),
      "--seeds",
      "2",
      "--queue",
      server.url,
      "--budget",
      "2s",
    );

    const waiting =
      /^no worker of version \[.*\+source\] is at the queue \[.*\]; those of version \[.*\] refuse its jobs; waiting for one\n/;
    expect(sweep.code).toBe(1);
    expect(sweep.err).toMatch(waiting);
    expect(sweep.out).toMatch(/; 2 not run: no worker of version /);
    await until(() =>
      /^jobs of version \[.*\+source\] from \[.*\] are refused: this worker is of version/m.test(
        worker.err(),
      ),
    );
  }, 60_000);

  test("explores with the workers of a queue: the plans of one machine show the same behaviours", async () => {
    await Promise.all([1, 2].map(() => startWorker(server.url)));
    const explore = ["explore", "--blind", "--runs", "6", "--seed", "7", "--json"];

    const shared = start([...explore, "--queue", server.url, "--corpus", "corpus"]);
    expect(await shared.code).toBe(0);

    const alone = await run(...explore, "--jobs", "1", "--keep", join(folder, "found"));
    expect(summaryOf(shared)).toEqual({ ...last(alone), wall_ms: expect.any(Number) });
    expect(readdirSync(join(folder, "corpus")).length).toBeGreaterThan(0);
  }, 120_000);

  test("an exploration without a worker ends with its budget and says so", async () => {
    const explore = start(["explore", "--budget", "1s", "--queue", server.url]);

    expect(await explore.code).toBe(1);
    expect(explore.out()).toMatch(/^0 runs, /);
    expect(explore.err()).toMatch(/^orrery: no worker of version \[.*\] is at the queue \[redis:/m);
  });

  test("an invalid job is refused, and the worker goes on", async () => {
    const worker = await startWorker(server.url);
    const [{ build } = {}] = linesOf(worker);
    const queue = new Queue(`jobs-${String(build)}`, { connection: redis, prefix: "{orrery}" });
    const valid = {
      kind: "sweep",
      build,
      owner: "x",
      limitMs: 1000,
      file: "a.yaml",
      seeds: [1],
      isTwice: false,
    };
    const [hash, other] = ["0".repeat(64), "1".repeat(64)];
    await redis.hset("{orrery}:owner:x", { about: "{}", [other]: passing });

    const jobs = [
      await queue.add("a", "text"),
      await queue.add("a", { ...valid, build: "0.0.9" }),
      await queue.add("a", { ...valid, scenario: { source: "../etc/passwd", files: [] } }),
      await queue.add("a", { ...valid, scenario: { source: hash, files: [] } }),
      await queue.add("a", { ...valid, scenario: { source: other, files: [] } }),
      await queue.add("a", { ...valid, owner: "y", scenario: { source: hash, files: [] } }),
    ];

    const reasons = async () =>
      Promise.all(jobs.map(async ({ id }) => (await queue.getJob(id ?? ""))?.failedReason));
    await until(async () => (await reasons()).every((reason) => reason !== undefined));
    expect(await reasons()).toEqual([
      "the job is refused: its data is no object",
      `the job is refused: it is of version [0.0.9] of orrery, and this worker is [${String(build)}]`,
      "the job is refused: its data has no valid [scenario]",
      "the job is refused: the queue has no text of [the scenario], or one too large",
      "the job is refused: the text of [the scenario] has not the hash of the job",
      "the owner of the job is gone",
    ]);
    const sweep = start([
      "sweep",
      file("a.yaml", passing),
      "--seeds",
      "1",
      "--queue",
      server.url,
      "--json",
    ]);
    expect(await sweep.code).toBe(0);
  }, 60_000);
});

describe.skipIf(serverProgram === undefined)(`a queue with a password${skipped}`, () => {
  let server: QueueServer;

  beforeAll(async () => {
    server = await startQueueServer("hunter2");
  });
  afterAll(async () => {
    await server.kill();
  });

  test("takes it from the environment or the URL, and never prints it", async () => {
    const wrong = start(["worker", "--queue", `redis://:hunter3@127.0.0.1:${server.port}`]);
    expect(await wrong.code).toBe(2);
    expect(wrong.err()).toMatch(
      /^orrery: no connection to the queue \[redis:\/\/127\.0\.0\.1:\d+\]: /,
    );

    const worker = await startWorker(server.url, { ORRERY_QUEUE_PASSWORD: "hunter2" });
    const withUrl = `redis://:hunter2@127.0.0.1:${server.port}`;
    const sweep = start([
      "sweep",
      file("a.yaml", passing),
      "--seeds",
      "1",
      "--queue",
      withUrl,
      "--json",
    ]);
    expect(await sweep.code).toBe(0);

    const printed = [wrong, worker, sweep].map((one) => one.out() + one.err()).join("");
    expect(printed).not.toContain("hunter");
  }, 60_000);
});
