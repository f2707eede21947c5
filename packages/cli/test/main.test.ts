/** Commands that end by themselves, run in this process: their exit code and what they print. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commandNames } from "../src/help.ts";
import { replayLine } from "../src/replay-line.ts";
import { run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const scenario = `name: test/short
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 1, documents: 5, every: 50ms, timeout: 5s }
phases: { faults: 200ms, converge: 60s }
checkers: [one-cluster-manager-per-term, converges-to-green]
`;

function scenarioFile(text = scenario): string {
  const file = join(folder, "short.yaml");
  writeFileSync(file, text);
  return file;
}

test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j prints how it is used", async (args) => {
  const { code, out } = await run(...args);

  expect(code).toBe(0);
  for (const command of commandNames) expect(out).toMatch(new RegExp(`^  ${command} +[a-z]`, "m"));
});

test.each(["", ...commandNames])(
  "the help of [%s] fits on a screen of 100 columns",
  async (name) => {
    const { out } = await run("help", ...(name === "" ? [] : [name]));

    expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  },
);

test.each([
  [["sweep", "--help"], "--shard I/N"],
  [["help", "trace"], "--format F"],
  [["run", "x.yaml", "-h"], "--record BUNDLE"],
])("%j prints the options of one command", async (args, option) => {
  const { code, out } = await run(...args);

  expect(code).toBe(0);
  expect(out).toContain(option);
});

test("--version is the version of the package", async () => {
  const file = join(import.meta.dirname, "../package.json");
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };

  expect(await run("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
});

describe("bad input is a sentence on standard error and exit code 2", () => {
  test.each([
    [
      ["juggle"],
      "unknown command [juggle]: expected one of [up, node, fault, serve, run, sweep, explore, replay, trace, report, shrink, validate, new, collect, worker, config, completion]",
    ],
    [["help", "reprot"], "unknown command [reprot] -> did you mean [report]?"],
    [["run", "x.yaml", "-s", "1"], "unknown option [-s]"],
    [["up", "-E"], "[-E] takes a value"],
    [["validate", "."], "[.] is a folder, not a scenario"],
    [
      ["new", "mine", "-o", "no/such/mine.yaml"],
      "[no/such/mine.yaml] cannot be written: there is no folder [no/such]",
    ],
    [["replya"], "unknown command [replya] -> did you mean [replay]?"],
    [["up", "--node", "3"], "unknown option [--node] -> did you mean [--nodes]?"],
    [["up", "--nodes", "0"], "[--nodes] must be a whole number from 1 to 64, not [0]"],
    [["up", "extra"], "unexpected argument [extra]"],
    [
      ["up", "--transport", "pigeon"],
      "unknown transport [pigeon]: expected one of [grpc, websocket, memory]",
    ],
    [["up", "--zones", "a,,b"], "[--zones a,,b]: the name of a zone is empty"],
    [["up", "-E", "novalue"], "[-E novalue] is not of the form [-E setting=value]"],
    [
      ["up", "-E", "path.repo=/tmp", "-E", "cluster.nosuch=1"],
      "unknown setting [cluster.nosuch] please check that any required plugins are installed, or check the breaking changes documentation for removed settings",
    ],
    [
      ["up", "-E", "plugins.replication.follower.concurrent_reader_per_shard=2"],
      "unknown setting [plugins.replication.follower.concurrent_reader_per_shard] did you mean any of [plugins.replication.follower.concurrent_readers_per_shard, plugins.replication.follower.concurrent_writers_per_shard]?",
    ],
    [
      ["up", "-E", "cluster.election.duration=abc"],
      "failed to parse setting [cluster.election.duration] with value [abc] as a time value: unit is missing or unrecognized",
    ],
    [
      ["up", "-E", "cluster.routing.allocation.disk.watermark.low=99%"],
      "low disk watermark [99%] more than high disk watermark [90%]",
    ],
    [["up", "-E", "cluster.name="], "[cluster.name] must not be empty"],
    [["up", "-E", "node.name="], "the name of a node must not be empty"],
    [
      ["up", "-E", "http.host=0.0.0.0,::1"],
      "bind address: {0.0.0.0} is wildcard, but multiple addresses specified: this makes no sense",
    ],
    [
      ["up", "-E", "orrery.strict=yes"],
      "[-E orrery.strict=yes]: Failed to parse value [yes] as only [true] or [false] are allowed.",
    ],
    [
      ["up", "-E", "orrery.strict=yes", "-E", "index.number_of_shards=3", "-E", "cluster.nme=x"],
      "[-E orrery.strict=yes]: Failed to parse value [yes] as only [true] or [false] are allowed.\n" +
        "found index level settings on node level configuration: index level settings can NOT be set on the nodes configuration, only on an index or in an index template [index.number_of_shards]\n" +
        "unknown setting [cluster.nme] did you mean [cluster.name]?",
    ],
    [
      ["up", "--processes", "2", "--control", "9400"],
      "[--processes] and [--control] exclude each other: faults need a process for each node",
    ],
    [
      ["up", "--processes", "2", "--transport", "memory"],
      "[--processes] is for grpc and websocket: memory has one process",
    ],
    [["up", "--control", "x"], "[--control] must be a whole number from 1 to 65535, not [x]"],
    [["node"], "expected [orrery node start|inspect|repair NAME --data DIR]"],
    [["node", "stop", "node-1"], "expected [orrery node start|inspect|repair NAME --data DIR]"],
    [["node", "start", "node-1"], "[--data DIR] is missing: where does the node live?"],
    [["run"], "expected [orrery run SCENARIO], one scenario file"],
    [["run", "a.yaml", "b.yaml"], "expected [orrery run SCENARIO], one scenario file"],
    [["run", "missing.yaml"], "there is no scenario [missing.yaml]"],
    [
      ["run", "x.yaml", "--seed", "one"],
      `[--seed] must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not [one]`,
    ],
  ])("%j", async (args, sentence) => {
    const { code, out, err } = await run(...args);

    expect([code, out, err]).toEqual([2, "", `orrery: ${sentence}\n`]);
  });

  test("a data folder that is a file", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");

    const { code, err } = await run("up", "--data", file);

    expect(code).toBe(2);
    expect(err).toMatch(/^orrery: the data folder \[.*file\] cannot be written: [^\n]+\n$/);
  });

  test("a data folder below a file", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");

    expect(await run("up", "--data", join(file, "below"))).toMatchObject({ code: 2 });
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("a node that is not in the data folder", async () => {
    const { code, err } = await run("node", "start", "node-9", "--data", folder);

    expect([code, err]).toEqual([
      2,
      `orrery: there is no node [node-9] in the data folder [${folder}]\n`,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a scenario that cannot be read names file and line", async () => {
    const file = scenarioFile(scenario.replace("claim:", "clam:"));

    const { code, err } = await run("run", file);

    expect([code, err]).toEqual([
      2,
      `orrery: ${file}:2:1: unknown key [clam] -> did you mean [claim]?\n`,
    ]);
  });

  test("a trace whose run cannot start leaves the one that was there", async () => {
    const trace = join(folder, "old.ndjson");
    writeFileSync(trace, "old");
    const file = scenarioFile(`${scenario}worlds: [sim]\n`);

    const { code } = await run("run", file, "--world", "grpc", "--trace", trace);

    expect([code, readFileSync(trace, "utf8")]).toEqual([2, "old"]);
  });

  test.skipIf(!existsSync("/dev/full"))("a trace that finds no room", async () => {
    const { code, out, err } = await run("run", scenarioFile(), "--trace", "/dev/full");

    expect(code).toBe(2);
    expect(out).toMatch(/^● test\/short seed 1: pass, /m);
    expect(err).toMatch(/orrery: \[\/dev\/full\] cannot be written: ENOSPC: .*\n$/);
  });

  test("a name that no file can have", async () => {
    const { code, err } = await run("new", "a".repeat(300));

    expect(code).toBe(2);
    expect(err).toMatch(/^orrery: \[a+\.yaml\] cannot be written: ENAMETOOLONG: .*\n$/);
  });

  test("a trace file that cannot be written", async () => {
    const { code, err } = await run("run", scenarioFile(), "--trace", join(folder, "no/t.ndjson"));

    expect(code).toBe(2);
    expect(err).toContain("cannot be written");
  });
});

describe("validate", () => {
  test("warns about what may be unintended, and rejects what cannot be meant", async () => {
    const written = scenarioFile(scenario.replace("index: books", "index: boks"));
    const warned = await run("validate", written);
    const json = await run("validate", written, "--json");
    const read = await run(
      "validate",
      scenarioFile(scenario.replace(/workload: .*/, "workload: { kind: search, index: boks }")),
    );

    const warning = `${written}:4:25: nothing makes the index [boks]; the first write creates it with defaults -> did you mean [books]?`;
    expect(warned).toEqual({
      code: 0,
      out: `${written}: valid\n`,
      err: `orrery: warning: ${warning}\n`,
    });
    expect(JSON.parse(json.out)).toMatchObject({ valid: true, warnings: [warning] });
    expect(read).toEqual({
      code: 2,
      out: "",
      err: `orrery: ${written}:4:27: nothing makes the index [boks] -> did you mean [books]?\n`,
    });
  });
});

describe("run", () => {
  test("prints the verdict as the last line of JSON, and writes as many events as it says", async () => {
    const trace = join(folder, "trace.ndjson");

    const { code, out } = await run(
      "run",
      scenarioFile(),
      "--seed",
      "7",
      "--trace",
      trace,
      "--json",
    );

    const verdict = JSON.parse(out) as Record<string, unknown>;
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(verdict).toMatchObject({
      event: "verdict",
      verdict: "pass",
      scenario: "test/short",
      seed: 7,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      virtual_ms: expect.any(Number),
      wall_ms: expect.any(Number),
    });
    const lines = readFileSync(trace, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(verdict["events"] as number);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      at_ms: expect.any(Number),
      node: expect.any(String),
      kind: expect.any(String),
    });
  });

  test("says in one readable line how it went if nothing else is wanted", async () => {
    const { code, out } = await run("run", scenarioFile(), "--quiet");

    expect(code).toBe(0);
    expect(out).toMatch(/^test\/short seed 1: pass, \d+ events, .* hash [0-9a-f]{16}\n$/);
  });

  test("a failure has exit code 1 and the line that replays it", async () => {
    const file = scenarioFile(
      scenario
        .replace("converge: 60s", "converge: 1ms")
        .replace(
          "indices: {",
          "clusters: { main: { settings: { discovery.seed_hosts: nobody } } }\nindices: {",
        ),
    );

    const { code, out, err } = await run("run", file, "--seed", "3", "--json");

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ verdict: "fail", failure: expect.any(String) });
    expect(err).toBe(`replay: npx orrery run ${file} --seed 3\n`);
  });

  test("a line that replays a file is one for a shell", () => {
    expect(replayLine({ file: "my drills/it's.yaml", seed: 2, world: "grpc" })).toBe(
      `npx orrery run 'my drills/it'\\''s.yaml' --seed 2 --world grpc`,
    );
  });
});
