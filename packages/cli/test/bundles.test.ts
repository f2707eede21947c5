/** What is done with a bundle: recorded, replayed, traced, drawn, shrunk; and what is refused. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failing, last, passing, run, type Outcome } from "./command.ts";

let folder: string;
let good: string;
let bad: string;
let recorded: Outcome;
let failed: Outcome;

const inside = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
  [good, bad] = [inside("good.bundle"), inside("bad.bundle")];
  writeFileSync(inside("good.yaml"), passing);
  writeFileSync(inside("bad.yaml"), failing);
  recorded = await run("run", inside("good.yaml"), "--seed", "3", "--record", good, "--json");
  failed = await run("run", inside("bad.yaml"), "--seed", "1", "--record", bad, "--json");
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("recording changes nothing about the run", async () => {
  const plain = last(await run("run", inside("good.yaml"), "--seed", "3", "--json"));

  expect([recorded.code, last(recorded)["verdict"]]).toEqual([0, "pass"]);
  expect(last(recorded)["hash"]).toBe(plain["hash"]);
});

test("a bundle can be asked with SQL", () => {
  const database = new Database(good, { readonly: true });
  const one = (sql: string): unknown => database.prepare(sql).pluck().get();
  const { hash, events } = last(recorded);

  expect(database.prepare("SELECT seed, verdict, hash, events FROM run").get()).toEqual({
    ...{ seed: 3, verdict: "pass", hash, events },
  });
  expect(one("SELECT count(*) FROM events")).toBe(events);
  expect(one("SELECT count(*) FROM operations WHERE outcome = 'ok'")).toBeGreaterThan(3);
  expect(
    one("SELECT count(DISTINCT node) FROM shards WHERE index_name = 'books' AND state = 'STARTED'"),
  ).toBe(2);
  expect(
    one("SELECT count(*) FROM events WHERE index_name = 'books' AND action LIKE '%bulk%'"),
  ).toBeGreaterThan(3);
  database.close();
});

describe("replay", () => {
  test("has the same hash, also when the scenario's file is gone", async () => {
    writeFileSync(inside("gone.yaml"), passing);
    await run("run", inside("gone.yaml"), "--seed", "9", "--record", inside("gone.bundle"));
    rmSync(inside("gone.yaml"));

    const again = await run("replay", inside("gone.bundle"), "--json");

    expect(again.code).toBe(0);
    expect(last(again)).toMatchObject({ event: "replay", same: true, verdict: "pass", seed: 9 });
  });

  test("needs no file of documents either: the bundle holds them", async () => {
    writeFileSync(inside("people.ndjson"), '{"index":{"_id":"a"}}\n{"name":"Amber"}\n');
    writeFileSync(
      inside("people.yaml"),
      passing.replace("replicas: 1 }", "replicas: 1, data: { file: people.ndjson } }"),
    );
    const first = await run(
      ...["run", inside("people.yaml"), "--record", inside("people.bundle"), "--json"],
    );
    rmSync(inside("people.ndjson"));

    const again = await run("replay", inside("people.bundle"), "--json");
    const gone = await run("run", inside("people.yaml"));

    expect([first.code, again.code, gone.code]).toEqual([0, 0, 2]);
    expect(last(again)).toMatchObject({ same: true, hash: last(first)["hash"] });
    expect(gone.err).toBe(
      `orrery: ${inside("people.yaml")}:3:53: [file] names [people.ndjson], which is not there\n`,
    );
  });

  test("of a failure fails in the same way, and is a replay that succeeded", async () => {
    const again = await run("replay", bad, "--json");

    expect([failed.code, again.code]).toEqual([1, 0]);
    expect(last(again)).toMatchObject({ same: true, verdict: "fail", hash: last(failed)["hash"] });
  });

  test("tells the first event that differs", async () => {
    const other = inside("other.bundle");
    writeFileSync(inside("other.yaml"), passing.replace("every: 50ms", "every: 40ms"));
    await run("run", inside("other.yaml"), "--seed", "3", "--record", other);
    const database = new Database(good);
    const plan = database.prepare("SELECT json FROM plan").pluck().get();
    database.close();
    await forge(other, "UPDATE plan SET json = ?", plan);

    const again = await run("replay", other, "--json");

    expect(again.code).toBe(1);
    expect(last(again)).toMatchObject({
      same: false,
      first_difference: { seq: expect.any(Number) },
    });
    const { first_difference: difference } = last(again) as {
      first_difference: { readonly recorded: string; readonly replayed: string };
    };
    expect(difference.recorded).not.toBe(difference.replayed);
    expect((await run("replay", other)).out).toContain("differs from event ");
  });

  test("of another version's bundle is refused, unless it is wanted", async () => {
    const old = inside("old.bundle");
    copyFileSync(good, old);
    await forge(old, "UPDATE run SET program_version = ?", "0.0.1");

    const refused = await run("replay", old);

    expect(refused.code).toBe(2);
    expect(refused.err).toBe(
      `orrery: the bundle [${old}] was recorded by version [0.0.1] of orrery, and this is [0.1.0]: [--any-version] runs it all the same\n`,
    );
    expect((await run("replay", old, "--any-version")).code).toBe(0);
  });
});

/** Changes a bundle as its writer would have: the digest fits. */
async function forge(path: string, sql: string, value: unknown): Promise<void> {
  const { digestOf } = await import("../../bundle/src/digest.ts");
  const database = new Database(path);
  database.prepare(sql).run(value);
  database.prepare("UPDATE digest SET sha256 = ?").run(digestOf(database));
  database.close();
}

test("a run in real time is kept with its shards, and is refused by replay", async () => {
  const live = inside("live.bundle");

  const { code } = await run(
    ...["run", inside("good.yaml"), "--world", "memory", "--record", live, "--json"],
  );

  const database = new Database(live, { readonly: true });
  const one = (sql: string): unknown => database.prepare(sql).pluck().get();
  expect(code).toBe(0);
  expect(one("SELECT world || hash FROM run")).toBe("memory");
  expect(one("SELECT count(DISTINCT node) FROM shards WHERE state = 'STARTED'")).toBe(2);
  expect(one("SELECT count(*) FROM operations WHERE outcome = 'ok'")).toBeGreaterThan(1);
  database.close();
  const refused = await run("replay", live);
  expect([refused.code, refused.err]).toEqual([
    2,
    `orrery: the bundle [${live}] is of the world [memory], where no run is the same twice: [npx orrery run ${inside("good.yaml")} --seed 1 --world memory] makes another one\n`,
  ]);
}, 60_000);

describe("trace", () => {
  test("prints every event as it was recorded", async () => {
    const { code, out } = await run("trace", good, "--format", "ndjson");

    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(last(recorded)["events"] as number);
  });

  test.each([
    [["--node", "node-2"], /node-2/],
    [["--kind", "message-dropped"], /message-dropped/],
    [["--message", "bulk"], /bulk/],
    [
      ["--index", "books", "--shard", "0"],
      /books|bulk|seq_no|recovery|search|get|shard|stats|refresh/,
    ],
    [["--from", "100ms", "--to", "200ms"], / 1\d\d\.\d{3} ms| 200\.000 ms/],
  ])("%j keeps what it names", async (filter, expected) => {
    const { code, out } = await run("trace", good, ...filter);

    expect(code).toBe(0);
    const lines = out === "" ? [] : out.trimEnd().split("\n");
    expect(lines.length).toBeLessThan(last(recorded)["events"] as number);
    for (const line of lines) expect(line).toMatch(expected);
  });
});

test("report draws a failure with the line that replays it", async () => {
  const html = inside("report.html");

  const { code } = await run("report", bad, "-o", html);

  expect(code).toBe(0);
  const text = readFileSync(html, "utf8");
  expect(text).toContain(`npx orrery run ${inside("bad.yaml")} --seed 1`);
  expect(text).toContain("INV-DATA-1");
});

test("shrink finds less that fails in the same way, and writes it as a scenario", async () => {
  const small = inside("small.yaml");

  const shrunk = await run("shrink", bad, "-o", small, "--json");

  expect(shrunk.code).toBe(0);
  const { after, seed, invariant } = last(shrunk) as {
    readonly after: {
      readonly faults: number;
      readonly operations: number;
      readonly nodes: number;
    };
    readonly seed: number;
    readonly invariant: string;
  };
  expect(invariant).toBe("INV-DATA-1");
  expect(after.faults).toBe(1);
  expect(after.operations).toBeLessThanOrEqual(4);
  expect(after.nodes).toBeLessThanOrEqual(2);
  const again = await run("run", small, "--seed", String(seed), "--json");
  expect(again.code).toBe(1);
  expect(last(again)).toMatchObject({ findings: [{ invariant: "INV-DATA-1" }] });
});

describe("refused in one sentence, and nothing is written", () => {
  test.each([
    [["replay"], "expected [orrery replay BUNDLE], one bundle"],
    [["trace", "none.bundle"], "there is no bundle [none.bundle]"],
    [
      ["trace", "GOOD", "--format", "mermade"],
      "unknown format [mermade] -> did you mean [mermaid]?",
    ],
    [
      ["trace", "GOOD", "--from", "soon"],
      "[--from] must be a time value such as [1500ms], not [soon]",
    ],
    [["trace", "GOOD", "--node", "nod-1"], "the run has no node [nod-1] -> did you mean [node-1]?"],
    [
      ["trace", "GOOD", "--kind", "falt-started"],
      "there is no kind of event [falt-started] -> did you mean [fault-started]?",
    ],
    [["trace", "GOOD", "--from", "2s", "--to", "1s"], "[--from] is later than [--to]"],
    [["run", "GOOD"], "[GOOD] is a bundle, not a scenario: [orrery replay] runs it again"],
    [
      ["run", "YAML", "--record", "YAML"],
      "the bundle [YAML] cannot be written: a file is there that is no bundle",
    ],
    [
      ["run", "YAML", "--record", "FOLDER/x.bundle", "--trace", "FOLDER/./x.bundle"],
      "[FOLDER/x.bundle] is given twice: --record and --trace write a file each",
    ],
    [["report", "GOOD", "-o", "FOLDER"], "[FOLDER] cannot be written: it is a folder"],
    [
      ["run", "YAML", "--record", "FOLDER"],
      "the bundle [FOLDER] cannot be written: it is a folder",
    ],
    [["trace", "GOOD", "--nod", "x"], "unknown option [--nod] -> did you mean [--node]?"],
    [["report", "YAML"], "[YAML] is not a run bundle"],
    [
      ["shrink", "GOOD", "-o", "FOLDER/no/x.yaml"],
      "[FOLDER/no/x.yaml] cannot be written: there is no folder [FOLDER/no]",
    ],
    [["shrink", "GOOD"], "the run of the bundle [GOOD] does not fail: there is nothing to shrink"],
    [
      ["shrink", "GOOD", "--budget", "0s"],
      "[--budget] must be a time value such as [55s], not [0s]",
    ],
  ])("%j", async (args, sentence) => {
    const before = readdirSync(folder);
    const named = (text: string): string =>
      text.replace("GOOD", good).replace("YAML", inside("good.yaml")).replaceAll("FOLDER", folder);

    const { code, out, err } = await run(...args.map(named));

    expect([code, out, err]).toEqual([2, "", `orrery: ${named(sentence)}\n`]);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("a run that cannot be recorded does not start", async () => {
    const nowhere = inside("no/run.bundle");

    const { code, out, err } = await run("run", inside("good.yaml"), "--record", nowhere);

    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`orrery: the bundle [${nowhere}] cannot be written: `);
  });
});

describe("new", () => {
  test("writes a scenario that is valid and passes", async () => {
    const file = inside("mine.yaml");

    const made = await run("new", "drills/mine", "-o", file);

    expect(made).toEqual({
      ...{ code: 0, out: `wrote ${file}\nrun it: npx orrery run ${file} --seed 1\n`, err: "" },
    });
    expect(readFileSync(file, "utf8")).toContain(`#   npx orrery validate ${file} `);
    expect(await run("validate", file)).toEqual({ code: 0, out: `${file}: valid\n`, err: "" });
    expect(last(await run("run", file, "--json"))).toMatchObject({
      ...{ verdict: "pass", scenario: "drills/mine" },
    });
  });

  test("names the schema that an editor completes it by", async () => {
    const file = inside("completed.yaml");

    await run("new", "drills/completed", "-o", file);

    const [line = ""] = readFileSync(file, "utf8").split("\n");
    const [, path = ""] = /^# yaml-language-server: \$schema=(.*)$/.exec(line) ?? [];
    const schema: unknown = JSON.parse(readFileSync(join(dirname(file), path), "utf8"));
    expect(schema).toHaveProperty("title", "Orrery scenario");
  });

  test("leaves a file that is there", async () => {
    const { code, err } = await run("new", "drills/mine", "-o", inside("good.yaml"));

    expect([code, err]).toEqual([2, `orrery: there is a file [${inside("good.yaml")}] already\n`]);
    expect(readFileSync(inside("good.yaml"), "utf8")).toBe(passing);
  });

  test("writes the file that is named in place of the scenario", async () => {
    const file = inside("named.yaml");

    const { code, out } = await run("new", file);

    expect([code, out]).toEqual([0, `wrote ${file}\nrun it: npx orrery run ${file} --seed 1\n`]);
    expect(readFileSync(file, "utf8")).toMatch(/^name: [^/]+\/named$/m);
  });

  test("refuses what is no name", async () => {
    expect((await run("new", "../x y")).err).toContain("[../x y] is no name of a scenario");
  });
});

test("validate tells the first mistake of each file with line, column and the nearest key", async () => {
  const wrong = inside("wrong.yaml");
  writeFileSync(wrong, passing.replace("checkers:", "chekers:"));

  const { code, out, err } = await run("validate", inside("good.yaml"), wrong, "missing.yaml");

  expect(code).toBe(2);
  expect(out).toBe(`${inside("good.yaml")}: valid\n`);
  expect(err).toBe(
    `orrery: ${wrong}:6:1: unknown key [chekers] -> did you mean [checkers]?\norrery: there is no scenario [missing.yaml]\n`,
  );
});
