/** Nodes that are started one by one from their settings. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { secretsIn } from "../src/secrets.ts";
import { createNodeLog } from "../src/serve/node-log.ts";
import { planServedNode, settingsOfMissingPlugins } from "../src/serve/node-plan.ts";
import { run } from "./command.ts";
import { freePorts, startOrrery, until, type Running } from "./orrery.ts";

let started: Running[];
let folder: string;

beforeEach(() => {
  started = [];
  folder = mkdtempSync(join(tmpdir(), "orrery-serve-"));
});

/** Only what this test started. */
afterEach(async () => {
  for (const { process: child } of started) child.kill("SIGTERM");
  await Promise.all(started.map(({ ended }) => ended));
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a node with settings and a folder of its own. */
function serve(name: string, settings: Record<string, string>, ...args: string[]): Running {
  const options = Object.entries(settings).flatMap(([key, value]) => ["-E", `${key}=${value}`]);
  const running = startOrrery("serve", "--json", "--data", join(folder, name), ...options, ...args);
  started.push(running);
  return running;
}

async function get(url: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url);
  return (await answer.json()) as Record<string, unknown>;
}

describe("orrery serve", () => {
  test("makes one cluster of nodes that have the seeds and the secret in common", async () => {
    vi.stubEnv("ORRERY_CLUSTER_SECRET_FILE", join(folder, "secret"));
    const port = await freePorts(3);
    const names = ["a", "b", "c"];
    const seeds = names.map((_, i) => `localhost:${port + 100 + i}`);
    const nodes = names.map((name, i) =>
      serve(name, {
        "cluster.name": "books",
        "node.name": name,
        "http.port": String(port + i),
        "transport.port": String(port + 100 + i),
        "discovery.seed_hosts": seeds.join(","),
        "cluster.initial_cluster_manager_nodes": names.join(","),
      }),
    );

    const ready = await Promise.all(nodes.map((node) => node.ready));

    expect(ready.map(({ nodes: [node] }) => node?.name)).toEqual(names);
    await until(async () => {
      const health = await get(`http://127.0.0.1:${port + 1}/_cluster/health`);
      return health["number_of_nodes"] === 3 && health["cluster_name"] === "books";
    });
  });

  test("takes another port of a range if the one that was free is taken meanwhile", async () => {
    const port = await freePorts(8);
    const nodes = ["a", "b", "c", "d"].map((name) =>
      serve(name, {
        "discovery.type": "single-node",
        "http.port": `${port}-${port + 7}`,
        "transport.port": `${port + 100}-${port + 107}`,
      }),
    );

    const ready = await Promise.all(nodes.map((node) => node.ready));

    const addresses = ready.flatMap(({ nodes: [node] }) => [node?.http, node?.transport]);
    expect(new Set(addresses).size).toBe(8);
  });

  test("starts again under the name and with the documents of its folder, and ends with 0", async () => {
    const port = await freePorts(1);
    const settings = { "discovery.type": "single-node", "http.port": String(port) };
    const first = serve("data", { ...settings, "node.name": "one" });
    await first.ready;
    const headers = { "content-type": "application/json" };
    await fetch(`http://127.0.0.1:${port}/a/_doc/1`, { method: "PUT", headers, body: "{}" });
    first.process.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);

    const second = serve("data", settings);
    const { nodes } = await second.ready;

    expect(nodes[0]?.name).toBe("one");
    await until(async () => (await get(`http://127.0.0.1:${port}/a/_doc/1`))["found"] === true);
  });

  test("writes the line of a started node on standard output, and the id of its process in a file", async () => {
    const port = await freePorts(1);
    const pidfile = join(folder, "pid");
    const options = ["-E", "discovery.type=single-node", "-E", `http.port=${port}`, "-p", pidfile];
    const running = startOrrery("serve", "--data", folder, ...options);
    started.push(running);
    let out = "";
    running.process.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));

    await until(() => /\[INFO \]\[o\.o\.n\.Node {15}\] \[\S+\] started\n/.test(out));

    expect(readFileSync(pidfile, "utf8")).toBe(String(running.process.pid));
  });

  test("leaves the pidfile of another process alone, and names one that it cannot write", async () => {
    const port = await freePorts(1);
    const settings = { "discovery.type": "single-node", "http.port": String(port) };
    await serve("data", settings).ready;
    const pidfile = join(folder, "pid");
    writeFileSync(pidfile, "42");
    const options = ["-E", `http.port=${port}`, "-E", "discovery.type=single-node", "-p"];

    const taken = await run("serve", ...options, pidfile);
    const free = [
      "-E",
      `http.port=${await freePorts(1)}`,
      "-E",
      "discovery.type=single-node",
      "-p",
    ];
    const unwritable = await startOrrery("serve", ...free, folder).ended;

    expect(taken.code).toBe(2);
    expect(readFileSync(pidfile, "utf8")).toBe("42");
    expect([unwritable.code, unwritable.err]).toEqual([
      2,
      expect.stringContaining(`[--pidfile ${folder}] cannot be written`),
    ]);
  });

  test("does not start openly when it is told to be secure", async () => {
    const { code, err } = await run("serve", "-E", "plugins.security.disabled=false");

    expect([code, err]).toEqual([2, expect.stringContaining("there is no security plugin yet")]);
  });

  test("warns of an open node, unless its user knows", async () => {
    const port = await freePorts(1);
    const settings = { "http.host": "0.0.0.0", "http.port": String(port) };
    const open = serve("data", settings);
    await open.complained("started");
    open.process.kill("SIGTERM");
    expect((await open.ended).err).toContain("there is no security plugin yet");

    const known = serve("data", {
      ...{ ...settings, "plugins.security.disabled": "true", "knn.x": "1" },
      "path.data": join(folder, "data"),
    });
    await known.complained("started");
    known.process.kill("SIGTERM");
    const { err } = await known.ended;

    expect(err).not.toContain("security");
    expect(err).toContain("accepted without effect: knn.x\n");
  });

  test("says that nodes which find each other need a common secret", async () => {
    vi.stubEnv("ORRERY_CLUSTER_SECRET", undefined);
    const { code, err } = await run(
      ...["serve", "--data", folder, "-E", "discovery.seed_hosts=other"],
    );

    expect([code, err]).toEqual([2, expect.stringContaining("ORRERY_CLUSTER_SECRET_FILE")]);
  });

  test.each([
    [["-E", "cluster.nam=x"], "unknown setting [cluster.nam]"],
    [["-E", "node.name=../n"], "[../n] cannot be the name of a node"],
    [["--transport", "memory"], "unknown transport [memory]"],
    [["--config", "nowhere.yml"], "there is no settings file [nowhere.yml]"],
    [["name"], "unexpected argument [name]"],
  ])("ends with 2 for invalid input: %j", async (args, sentence) => {
    const { code, err } = await run("serve", "--quiet", ...args);

    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe("the plan of a served node", () => {
  const plan = (settings: Record<string, string>) =>
    planServedNode({ settings, transport: "grpc", data: folder });

  test("gives seeds without a port the first transport port", async () => {
    const seeds = "a,b:9400,[::1]:9500,::1,[fe80::1]";

    const { settings } = await plan({ "node.name": "n", "discovery.seed_hosts": seeds });

    expect(settings["discovery.seed_hosts"]).toEqual([
      ...["a:9300", "b:9400", "[::1]:9500", "[::1]:9300", "[fe80::1]:9300"],
    ]);
  });

  test("rejects a folder of another node", async () => {
    const port = await freePorts(1);
    const first = serve("data", { "node.name": "one", "http.port": String(port) });
    await first.ready;
    const data = join(folder, "data");
    const named = planServedNode({
      ...{ settings: { "node.name": "two" }, transport: "grpc", data },
    });

    await expect(named).rejects.toThrow(
      `the data folder [${data}] is of node [one], not of [two]: set [node.name=one], or another [path.data]`,
    );
  });

  test("accepts settings of plugins of the product that are not there, and no others", () => {
    const settings = { "plugins.ml_commons.max": "1", "knn.x": "1", "cluster.nam": "x" };

    expect(settingsOfMissingPlugins({ ...settings, "cluster.name": "x" })).toEqual([
      ...["plugins.ml_commons.max", "knn.x"],
    ]);
  });
});

describe("the secret in a file", () => {
  test("is written by the first node, and read by the others", () => {
    const file = join(folder, "secret");
    vi.stubEnv("ORRERY_CLUSTER_SECRET_FILE", file);

    const { secret } = secretsIn(undefined);

    expect(readFileSync(file, "utf8").trim()).toBe(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(secretsIn(undefined).secret).toBe(secret);
  });

  test("is one of two ways, not both", () => {
    vi.stubEnv("ORRERY_CLUSTER_SECRET", "a secret of some length");
    vi.stubEnv("ORRERY_CLUSTER_SECRET_FILE", join(folder, "secret"));

    expect(() => secretsIn(undefined)).toThrow("are both set: one is enough");
  });

  test("must be long enough", () => {
    const file = join(folder, "secret");
    writeFileSync(file, "short\n");
    vi.stubEnv("ORRERY_CLUSTER_SECRET_FILE", file);

    expect(() => secretsIn(undefined)).toThrow("is too short");
  });
});

test("the log of a served node has the product's layout", () => {
  let text = "";
  const now = () => new Date("2026-11-28T06:50:23.042Z");
  const { log, say, warn } = createNodeLog({
    ...{ nodeName: "n", now },
    write: (line) => (text += line),
  });

  say("node", "started");
  warn("careful");
  log("error", "it failed");
  log("debug", "not shown");

  expect(text).toBe(
    `[2026-11-28T06:50:23,042][INFO ][o.o.n.Node               ] [n] started
[2026-11-28T06:50:23,042][WARN ][orrery                   ] [n] careful
[2026-11-28T06:50:23,042][ERROR][orrery                   ] [n] it failed
`,
  );
});
