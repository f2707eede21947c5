/** Files and options that somebody made to harm whoever runs the command: one plain sentence and exit code 2, and nothing else happens. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder, readPlan, writePlan } from "../src/data-folder.ts";
import { settingsOf } from "../src/options.ts";
import { UsageError } from "../src/usage.ts";
import { openPartialFile } from "../src/atomic-file.ts";
import { failing, passing, run } from "./command.ts";

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-hostile-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string | Uint8Array): string {
  writeFileSync(at(name), text);
  return at(name);
}

/** One line, without what only a programmer reads. */
function expectPlain({ code, err }: { readonly code: number; readonly err: string }): void {
  expect(code).toBe(2);
  expect(err).toMatch(/^orrery: [^\n]+\n$/);
  expect(err).not.toMatch(
    /TypeError|SyntaxError|RangeError|\[object |^\s+at |must be a string, Uint8Array/m,
  );
}

describe("a scenario", () => {
  const letters = [..."abcdefghij"];
  const laughs = letters.map((letter, i) =>
    i === 0
      ? "a: &a [x, x, x, x, x, x, x, x, x]"
      : `${letter}: &${letter} [${Array.from({ length: 9 }, () => `*${letters[i - 1]}`).join(", ")}]`,
  );
  const withData = (file: string): string =>
    passing.replace("replicas: 1", `replicas: 1, data: { file: ${JSON.stringify(file)} }`);

  test.each<[string, string | Uint8Array, string]>([
    ["a billion laughs", laughs.join("\n"), "must not come to more than 500000 values"],
    ["an alias of itself", "a: &a\n  b: *a\n", "must not be nested more than 100 deep"],
    ["lists in lists", `a: ${"[".repeat(100_000)}${"]".repeat(100_000)}`, "100 deep"],
    ["a hundred megabytes", new Uint8Array(1e8).fill(0x78), "must not be larger than 1048576"],
    ["noise", Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251), ":"],
    ["the prototype", `${passing}__proto__: { polluted: true }\n`, "unknown key [__proto__]"],
    ["a number without an end", passing.replace("documents: 5", "documents: 1e400"), "[documents]"],
    ["an index that is a path", passing.replaceAll("books", "'../../x'"), "Invalid index name"],
  ])("of %s", async (_, text, says) => {
    const outcome = await run("validate", write("s.yaml", text));

    expectPlain(outcome);
    expect(outcome.err).toContain(says);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("without an end is read no further than it may be long", async () => {
    const outcome = await run("validate", "/dev/zero");

    expectPlain(outcome);
    expect(outcome.err).toContain("must not be larger than 1048576 characters");
  });

  test.each([
    ["/etc/passwd", "which is not beside it"],
    ["../secret.ndjson", "which is not beside it"],
    ["inner/../../secret.ndjson", "which is not beside it"],
    ["endless", "which is no file"],
    ["inner", "which is no file"],
    ["a\0b", "which is no name of a file"],
  ])("does not take the documents of %j", async (file, why) => {
    mkdirSync(at("inner"));
    symlinkSync("/dev/zero", at("endless"));

    const outcome = await run("validate", write("s.yaml", withData(file)));

    expectPlain(outcome);
    expect(outcome.err).toContain(why);
  });
});

describe("a bundle", () => {
  const commands = [["replay"], ["trace"], ["report", "-o", "OUT"], ["shrink", "-o", "OUT"]];

  test("that is noise, torn, empty, a folder or a device is none", async () => {
    await run("run", write("s.yaml", failing), "--record", at("good"));
    const good = readFileSync(at("good"));
    const paths = [
      write(
        "noise",
        Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251),
      ),
      write("head", good.subarray(0, 16)),
      write("torn", good.subarray(0, 10_000)),
      write("after", Buffer.concat([good.subarray(0, 4096), Buffer.alloc(20_000, 7)])),
      write("empty", ""),
      folder,
      "/dev/zero",
    ];

    for (const path of paths)
      for (const [name = "", ...more] of commands)
        expectPlain(
          await run(name, path, ...more.map((word) => (word === "OUT" ? at("out") : word))),
        );
  });

  test.each([
    "{",
    "null",
    "[]",
    "7",
    "{}",
    '{"__proto__":{"name":"x"}}',
    '{"name":null,"clusters":null}',
  ])("whose plan is %s is not run", async (json) => {
    await run("run", write("s.yaml", failing), "--record", at("bad"));
    const { digestOf } = await import("../../bundle/src/digest.ts");
    const database = new Database(at("bad"));
    database.prepare("UPDATE plan SET json = ?").run(json);
    database.prepare("UPDATE digest SET sha256 = ?").run(digestOf(database));
    database.close();

    expectPlain(await run("replay", at("bad")));
    expectPlain(await run("shrink", at("bad"), "-o", at("out")));
  });
});

describe("what is written", () => {
  test("takes no place of what is read", async () => {
    const scenario = write("s.yaml", failing);
    await run("run", scenario, "--record", at("good"));
    const before = readFileSync(at("good"));

    expectPlain(await run("report", at("good"), "-o", at("good")));
    expectPlain(await run("shrink", at("good"), "-o", at("good")));
    expectPlain(await run("run", scenario, "--trace", scenario));

    expect(readFileSync(at("good"))).toEqual(before);
    expect(readFileSync(scenario, "utf8")).toBe(failing);
  });

  test("goes through no link that was laid in wait", () => {
    const victim = write("victim", "as it was");
    symlinkSync(victim, `${at("report.html")}.${process.pid}.part`);

    const place = openPartialFile(at("report.html"));
    writeFileSync(place.handle, "a report");
    place.finish();

    expect(readFileSync(victim, "utf8")).toBe("as it was");
    expect(readFileSync(at("report.html"), "utf8")).toBe("a report");
  });
});

describe("a data folder", () => {
  test("that is made is its user's alone; one without a name is none", () => {
    openDataFolder(at("a/b"));

    expect(statSync(at("a/b")).mode & 0o777).toBe(0o700);
    expect(() => openDataFolder("")).toThrow(new UsageError("[--data] names no folder"));
  });

  test.each(["../other", "a/b", "", ".", ".."])("has no node called %j", (name) => {
    const plan = { name, transport: "grpc", httpPort: 1, transportPort: 2, settings: {} } as const;
    mkdirSync(at("data/a/b"), { recursive: true });
    mkdirSync(at("other"));
    for (const path of ["other", "data/a/b", "data", "."]) writePlan(at(path), plan);

    expect(() => readPlan(at("data"), name)).toThrow(
      `there is no node [${name}] in the data folder [${at("data")}]`,
    );
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"name":"n","transport":"x","httpPort":1,"settings":{}}',
  ])("whose node has the plan %j is damaged", (text) => {
    mkdirSync(at("n"));
    write("n/node.json", text);

    expect(() => readPlan(folder, "n")).toThrow("is not what a node keeps of its plan");
  });

  test("whose node has the plan of another one names that one", () => {
    mkdirSync(at("n"));
    const plan = {
      name: "m",
      transport: "grpc",
      httpPort: 1,
      transportPort: 2,
      settings: {},
    } as const;
    writePlan(at("n"), plan);

    expect(() => readPlan(folder, "n")).toThrow(
      `[${at("n/node.json")}] is of node [m]: the folder of a node keeps its name`,
    );
  });
});

test("a setting is kept under the name that was given", () => {
  const settings = settingsOf(["__proto__=1", "constructor=2"]);

  expect(Object.entries(settings)).toEqual([
    ["__proto__", "1"],
    ["constructor", "2"],
  ]);
});
