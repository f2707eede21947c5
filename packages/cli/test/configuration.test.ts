/** Options and node settings of `orrery up` by command line, environment and file: which one is in force, and what an invalid one is told. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { writePlan } from "../src/data-folder.ts";
import { last, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function fileWith(text: string): string {
  const file = join(folder, "orrery.yml");
  writeFileSync(file, text);
  return file;
}

type Values = Readonly<Record<string, { readonly value: unknown; readonly from: string }>>;

/** Configuration in force, as `orrery config --json` prints it. */
async function config(
  ...args: string[]
): Promise<{ readonly options: Values; readonly settings: Values }> {
  const { options, settings } = last(await run("config", "--json", ...args));
  return { options: options as Values, settings: settings as Values };
}

describe("a value is in force", () => {
  test("from the command line before the environment, from there before the file, and before the default", async () => {
    const file = fileWith("nodes: 5\nhttp-port: 9210\nzones: [a, b]\n");
    vi.stubEnv("ORRERY_NODES", "4");
    vi.stubEnv("ORRERY_HTTP_PORT", "9220");

    const { options } = await config("--config", file, "--nodes", "2");

    expect(options).toEqual({
      nodes: { value: 2, from: "command line" },
      transport: { value: "grpc", from: "default" },
      "http-port": { value: 9220, from: "ORRERY_HTTP_PORT" },
      zones: { value: ["a", "b"], from: `${file}:3:1` },
    });
  });

  test("setting by setting, nested or with dots, at the top or below settings", async () => {
    const file = fileWith(
      "cluster.name: books\nhttp: { cors.enabled: true }\nsettings:\n  node.attr: { rack: r1 }\n  path.repo: [/a, /b]\n",
    );
    vi.stubEnv("ORRERY_SETTINGS", "{node.attr.rack: r2, cluster.name: letters}");

    const { settings } = await config("--config", file, "-E", "cluster.name=maps");

    expect(settings).toEqual({
      "cluster.name": { value: "maps", from: "command line" },
      "http.cors.enabled": { value: "true", from: `${file}:2:9` },
      "node.attr.rack": { value: "r2", from: "ORRERY_SETTINGS" },
      "path.repo": { value: ["/a", "/b"], from: `${file}:5:3` },
    });
  });

  test("as a path below the folder of the file that names it", async () => {
    const { options } = await config("--config", fileWith("data: ./books\n"));

    expect(options["data"]?.value).toBe(join(folder, "books"));
  });

  test("in a table for people, with its source", async () => {
    const file = fileWith("nodes: 1\n");

    const { code, out } = await run("config", "--config", file, "-E", "cluster.name=maps");

    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^nodes +1 +${file}:1:1$`, "m"));
    expect(out).toMatch(/^http-port +9200 +default$/m);
    expect(out).toMatch(/^data +not set$/m);
    expect(out).toMatch(/^settings.cluster.name +maps +command line$/m);
  });

  test("unless the variable is empty, or the control port is the URL of another cluster", async () => {
    vi.stubEnv("ORRERY_NODES", "");
    vi.stubEnv("ORRERY_CONTROL", "http://127.0.0.1:9400");

    const { options } = await config("--config", fileWith("# nothing\n"));

    expect(options["nodes"]).toEqual({ value: 3, from: "default" });
    expect(options["control"]).toBeUndefined();
  });
});

describe("an invalid value is a sentence with its position", () => {
  test.each([
    ["nodez: 1\n", "1:1: unknown key [nodez] -> did you mean [nodes]?"],
    ["nodes: 0\n", "1:1: [nodes] must be a whole number from 1 to 64, not [0]"],
    ["nodes: [1, 2]\n", "1:1: [nodes] must not be a list"],
    [
      "nodes: 1\ncluster.nme: x\n",
      "2:1: unknown setting [cluster.nme] did you mean [cluster.name]?",
    ],
    ["settings:\n  cluster.name:\n", "2:3: [cluster.name] has no value"],
    ["cluster.name: a\ncluster: { name: b }\n", "2:12: the setting [cluster.name] is said twice"],
    ["nodes: 1\nnodes: 2\n", "2:1: the key [nodes] is said twice: keys must be unique"],
    ["- nodes\n", "1:1: a settings file must be an object"],
    ["zones: [a, '']\n", "1:1: [zones a,]: the name of a zone is empty"],
    [
      "settings: { orrery.strict: maybe }\n",
      "1:13: [orrery.strict]: Failed to parse value [maybe] as only [true] or [false] are allowed.",
    ],
  ])("%j", async (text, sentence) => {
    const file = fileWith(text);

    const { code, out, err } = await run("up", "--config", file);

    expect([code, out, err]).toEqual([2, "", `orrery: ${file}:${sentence}\n`]);
  });

  test("of a variable, with its name", async () => {
    vi.stubEnv("ORRERY_HTTP_PORT", "http");

    expect(await run("up")).toMatchObject({
      code: 2,
      err: "orrery: [ORRERY_HTTP_PORT] must be a whole number from 0 to 65000, not [http]\n",
    });
  });

  test("of a file that is missing, or is a folder", async () => {
    const missing = join(folder, "no.yml");

    expect((await run("up", "--config", missing)).err).toBe(
      `orrery: there is no settings file [${missing}]\n`,
    );
    expect((await run("up", "--config", folder)).err).toBe(
      `orrery: [${folder}] is a folder, not a settings file\n`,
    );
  });
});

describe("a data folder remembers", () => {
  function folderOf(...zones: (string | undefined)[]): string {
    const data = join(folder, "data");
    for (const [i, zone] of zones.entries()) {
      const name = `node-${i + 1}`;
      const path = join(data, name);
      mkdirSync(path, { recursive: true });
      const settings: Record<string, string> = zone === undefined ? {} : { "node.attr.zone": zone };
      writePlan(path, { name, transport: "grpc", httpPort: 1, transportPort: 2, settings });
    }
    return data;
  }

  test("the number of its nodes, and the sequence of their zones", async () => {
    const { options } = await config("--data", folderOf("a", "b", "a", "b", "a"));

    expect(options).toMatchObject({
      nodes: { value: 5, from: "data folder" },
      zones: { value: ["a", "b"], from: "data folder" },
    });
  });

  test("zones that follow no sequence, and nodes without one", async () => {
    const { options } = await config("--data", folderOf("a", undefined, "b"));

    expect(options["zones"]).toEqual({ value: ["a", "", "b"], from: "data folder" });
  });

  test("what another source does not change", async () => {
    const { options } = await config("--data", folderOf("a", "b"), "--zones", "x", "--nodes", "4");

    expect(options).toMatchObject({
      nodes: { value: 4, from: "command line" },
      zones: { value: ["x"], from: "command line" },
    });
  });
});
