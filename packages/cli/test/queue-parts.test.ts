/** Parts of a queue that need no server: addresses, payloads, results, sizes of jobs. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readAddress } from "../src/queue/address.ts";
import { connect } from "../src/queue/connection.ts";
import { hashesOfScenario, hashOf, readPayload } from "../src/queue/payload.ts";
import { rangeSize } from "../src/queue/ranges.ts";
import { readScenarioFile } from "../src/scenario-file.ts";
import { sweepOnQueue } from "../src/queue/sweep-on-queue.ts";
import { readExploreResult, readSweepResults } from "../src/queue/results.ts";
import { serverProgram, startQueueServer } from "./queue-server.ts";

const some = join(import.meta.dirname, "../../../scenarios/failover/data-node-crash.yaml");

describe("an address", () => {
  test.each([
    ["redis://queue", "redis://queue", { host: "queue", port: 6379, db: 0 }],
    ["redis://queue:7000/3", "redis://queue:7000/3", { host: "queue", port: 7000, db: 3 }],
    ["redis://[::1]:7000/", "redis://[::1]:7000", { host: "::1", port: 7000, db: 0 }],
    [
      "rediss://me:a%40b@queue",
      "rediss://queue",
      { host: "queue", port: 6379, db: 0, username: "me", password: "a@b", tls: {} },
    ],
  ])("[%s] is shown as [%s]", (text, shown, options) => {
    expect(readAddress(text, {})).toEqual({ shown, options });
  });

  test("takes its password from the environment", () => {
    const { options } = readAddress("redis://queue", { ORRERY_QUEUE_PASSWORD: "secret" });

    expect(options).toMatchObject({ password: "secret" });
  });

  test.each([
    "http://me:secret@queue",
    "redis://me:secret@queue/x",
    "secret@queue",
    "redis://:sec:ret@@qu eue",
  ])("[%s] is refused without its password", (text) => {
    expect(() => readAddress(text, {})).toThrow(
      /^\[--queue\] must be of the form (?!.*secret|.*sec:ret)/,
    );
  });
});

describe("a payload", () => {
  const hash = "0".repeat(64);
  const sweep = {
    ...{ kind: "sweep", build: "1", owner: "a-b", limitMs: 1000, file: "a.yaml", isTwice: false },
    ...{ scenario: { source: hash, files: [["data/a.ndjson", hash]] }, seeds: [1, 2] },
  };
  const explore = {
    ...{ kind: "explore", build: "1", owner: "a-b", limitMs: 1000, action: "run" },
    ...{ sketch: { area: "replication" }, seed: 3, budgetMs: 1000 },
  };

  test.each([[sweep], [explore]])("of its build is taken as it is", (payload) => {
    expect(readPayload(payload, "1")).toEqual(payload);
  });

  test("of another build is refused", () => {
    expect(readPayload(sweep, "2")).toEqual({
      refusal: "the job is refused: it is of version [1] of orrery, and this worker is [2]",
    });
  });

  test.each([
    ["kind", { kind: "shell" }],
    ["file", { file: "" }],
    ["file", { file: "x".repeat(4097) }],
    ["owner", { owner: "a:b" }],
    ["limitMs", { limitMs: 3_600_001 }],
    ["scenario", { scenario: { source: "text", files: [] } }],
    ["scenario", { scenario: { source: hash, files: [["a", "b"]] } }],
    [
      "scenario",
      { scenario: { source: hash, files: Array.from({ length: 65 }, () => ["a", hash]) } },
    ],
    ["seeds", { seeds: [] }],
    ["seeds", { seeds: [1, 1] }],
    ["seeds", { seeds: [-1] }],
    ["seeds", { seeds: [1.5] }],
    ["seeds", { seeds: Array.from({ length: 1001 }, (_, i) => i) }],
    ["isTwice", { isTwice: "no" }],
  ])("of a sweep with an invalid [%s] is refused", (member, change) => {
    expect(readPayload({ ...sweep, ...change }, "1")).toEqual({
      refusal: `the job is refused: its data has no valid [${member}]`,
    });
  });

  test.each([
    ["action", { action: "write" }],
    ["sketch", { sketch: [] }],
    ["sketch", { sketch: { text: "x".repeat(1 << 20) } }],
    ["seed", { seed: "1" }],
    ["budgetMs", { budgetMs: 0 }],
  ])("of an exploration with an invalid [%s] is refused", (member, change) => {
    expect(readPayload({ ...explore, ...change }, "1")).toEqual({
      refusal: `the job is refused: its data has no valid [${member}]`,
    });
  });

  test("refers to texts by their hashes", () => {
    const texts = new Map<string, string>();

    const hashes = hashesOfScenario(
      {
        source: "s",
        files: new Map([
          ["a", "t"],
          ["b", "t"],
        ]),
      },
      texts,
    );

    expect(hashes).toEqual({
      source: hashOf("s"),
      files: [
        ["a", hashOf("t")],
        ["b", hashOf("t")],
      ],
    });
    expect([...texts.values()]).toEqual(["s", "t"]);
  });
});

test("a scenario that workers would refuse is refused before anything is sent", async () => {
  const files = new Map(Array.from({ length: 65 }, (_, i) => [`${i}.ndjson`, "{}"]));
  const scenario = { ...readScenarioFile(some), file: "a.yaml", source: "a", files };
  const plan = { scenarios: [scenario], seeds: [1], budgetMs: 1, isTwice: false };
  const account = { keepFor: () => undefined, record: async () => undefined, say: () => undefined };

  await expect(
    sweepOnQueue({ ...plan, address: readAddress("redis://127.0.0.1:1", {}) }, account),
  ).rejects.toThrow(
    "[a.yaml] is too large for a queue: it names 65 files of 131 bytes, and at most 64 of 67108864 are sent",
  );
});

describe("results of a sweep's job", () => {
  const result = { seed: 4, verdict: "pass", hash: "0a", wall_ms: 5, why: "" };

  test("are taken in the order of the seeds, without a path of the worker's machine", () => {
    const { seed: _, ...rest } = result;

    expect(readSweepResults([{ ...result, bundle: "/etc/passwd" }], [4])).toEqual([rest]);
  });

  test.each([
    [[]],
    [[result, result]],
    [[{ ...result, seed: 5 }]],
    [[{ ...result, verdict: "great" }]],
    [[{ ...result, hash: "<b>" }]],
    [[{ ...result, why: undefined }]],
    ["text"],
  ])("%j are refused", (value) => {
    expect(readSweepResults(value, [4])).toBe(undefined);
  });
});

describe("a result of an exploration's job", () => {
  const ran = {
    ...{
      kind: "run",
      verdict: "fail",
      hash: "0a",
      events: 3,
      wall_ms: 5,
      tuples: ["a"],
      came: { resync: 1 },
    },
    finding: { says: "lost", atMs: 3, checker: "converges-to-green" },
  };

  test("is taken as it is", () => {
    expect(readExploreResult(ran)).toEqual(ran);
    expect(readExploreResult({ kind: "broken", why: "it" })).toEqual({ kind: "broken", why: "it" });
  });

  test.each([
    { ...ran, tuples: [1] },
    { ...ran, came: { resync: "1" } },
    { ...ran, finding: { says: 3 } },
    { ...ran, kind: "other" },
    { kind: "broken" },
    undefined,
  ])("%j is refused", (value) => {
    expect(readExploreResult(value)).toBe(undefined);
  });
});

describe("the size of a job", () => {
  const figures = { meanMs: 100, left: 10_000, slots: 4, most: 1000 };

  test.each([
    ["one before anything is known", { meanMs: undefined }, 1],
    ["about a second and a half", {}, 15],
    ["one, however long a run takes", { meanMs: 60_000 }, 1],
    ["a share of what is left", { left: 40 }, 3],
    ["at most what a job may have", { meanMs: 0, left: 10_000_000 }, 1000],
  ])("is %s", (_, change, size) => {
    expect(rangeSize({ ...figures, ...change })).toBe(size);
  });
});

describe("a connection", () => {
  const times = { firstMs: 300, retryMs: 300, silenceMs: 20_000 };

  test("to no server is given up with the reason", async () => {
    const address = readAddress("redis://me:secret@127.0.0.1:1", {});

    const said: string[] = [];
    await expect(connect(address, (line) => said.push(line), times)).rejects.toThrow(
      /^no connection to the queue \[redis:\/\/127\.0\.0\.1:1\]: .*ECONNREFUSED 127\.0\.0\.1:1$/,
    );
    expect(said).toEqual([
      "no connection to the queue [redis://127.0.0.1:1] yet: connect ECONNREFUSED 127.0.0.1:1; retrying for 0.3 s",
    ]);
  });

  test.skipIf(serverProgram === undefined)("that is lost is retried, then given up", async () => {
    const server = await startQueueServer();
    const said: string[] = [];
    const address = readAddress(server.url, {});
    const connection = await connect(address, (line) => said.push(line), times);

    await server.kill();

    expect(await connection.lost).toMatch(
      /^the connection to the queue \[redis:.*\] was lost for 0.3 s: .*ECONNREFUSED/,
    );
    expect(said).toEqual([
      `the connection to the queue [${address.shown}] is lost; retrying for 0.3 s`,
    ]);
    connection.close();
  });
});
