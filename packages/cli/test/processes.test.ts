/** Clusters of real processes: how they start, who ends with whom, and what of a data folder stays. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { spawn } from "node:child_process";
import {
  bin,
  freePorts,
  isAlive,
  observe,
  startOrrery,
  until,
  type Ready,
  type Running,
} from "./orrery.ts";

let started: Running[];
let pids: number[];
let data: string;

beforeEach(() => {
  started = [];
  pids = [];
  data = join(mkdtempSync(join(tmpdir(), "orrery-cli-")), "data");
});

/** Only what this test started, by its id. */
afterEach(async () => {
  for (const { process: child } of started) child.kill("SIGTERM");
  await Promise.all(started.map(({ ended }) => ended));
  for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
  rmSync(join(data, ".."), { recursive: true, force: true });
});

function start(...args: string[]): Running {
  const running = startOrrery(...args);
  started.push(running);
  void running.ready.then(
    ({ nodes }) => pids.push(...nodes.map(({ pid }) => pid)),
    () => undefined,
  );
  return running;
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url);
  return answer.json();
}

/** Tells the control endpoint what to do. */
async function tell({ control }: Ready, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${control?.token}` };
  const answer = await fetch(`${control?.url}${path}`, { method: "POST", headers });
  return answer.json();
}

const httpOf = ({ nodes }: Ready, number: number): string => nodes[number - 1]?.http ?? "";
const pidOf = ({ nodes }: Ready, number: number): number => nodes[number - 1]?.pid ?? 0;

describe.each(["grpc", "websocket", "memory"])("orrery up over %s", (transport) => {
  test("says where its nodes are once they are green, and stops at a signal", async () => {
    const port = await freePorts(2);
    const up = start(
      ...["up", "--json", "--nodes", "2", "--zones", "a,b"],
      ...["--transport", transport, "--http-port", String(port)],
    );

    const ready = await up.ready;
    const health = await get(`${httpOf(ready, 2)}/_cluster/health`);
    const attributes = await get(
      `${httpOf(ready, 1)}/_cat/nodeattrs?format=json&h=node,attr,value`,
    );
    up.process.kill("SIGINT");
    const { code, err } = await up.ended;

    const isMemory = transport === "memory";
    expect(ready).toEqual({
      event: "ready",
      health: "green",
      elapsed_ms: expect.any(Number),
      nodes: [1, 2].map((number) => ({
        name: `node-${number}`,
        http: `http://127.0.0.1:${port + number - 1}`,
        transport: isMemory ? `node-${number}` : `127.0.0.1:${port + 99 + number}`,
        pid: expect.any(Number),
        roles: ["cluster_manager", "data", "ingest", "remote_cluster_client"],
      })),
    });
    expect(health).toMatchObject({ status: "green", number_of_nodes: 2 });
    expect(attributes).toEqual(
      expect.arrayContaining([
        { node: "node-1", attr: "zone", value: "a" },
        { node: "node-2", attr: "zone", value: "b" },
      ]),
    );
    expect(code).toBe(0);
    expect(err).toMatch(/\]\[INFO \]\[node-1\] setting initial configuration to \[node-1\]\n/);
    expect(ready.nodes.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  });

  test("does under control what it is told: faults take effect, crash and pause end, data stays", async () => {
    const port = await freePorts(3);
    const up = start(
      ...["up", "--json", "--nodes", "3", "--control", String(port + 50)],
      ...["--transport", transport, "--http-port", String(port)],
    );
    const ready = await up.ready;
    const url = httpOf(ready, 1);
    const body = JSON.stringify({ settings: { number_of_shards: 3, number_of_replicas: 2 } });
    const headers = { "content-type": "application/json" };
    await fetch(`${url}/books`, { method: "PUT", headers, body });

    await tell(ready, "/delay?low=1ms&high=5ms");
    await fetch(`${url}/books/_doc/1`, { method: "PUT", headers, body: `{"a":1}` });
    const during = (await tell(ready, "/status")) as { faults: readonly { hits: number }[] };
    await tell(ready, "/pause/3");
    await tell(ready, "/crash/2");
    const between = await tell(ready, "/status");
    await tell(ready, "/heal");
    await until(async () => {
      const health = await get(`${url}/_cluster/health?wait_for_status=green&wait_for_nodes=3`);
      return (health as { timed_out?: boolean }).timed_out === false;
    });

    expect(during.faults[0]?.hits).toBeGreaterThan(0);
    expect(between).toMatchObject({
      nodes: [{ status: "up" }, { status: "down" }, { status: "paused" }],
      faults: [{ id: "delay-1" }, { id: "crash-2", hits: 1 }],
    });
    expect(ready.control?.url).toBe(`http://127.0.0.1:${port + 50}`);
    expect(await get(`${httpOf(ready, 3)}/books/_doc/1`)).toMatchObject({
      found: true,
      _source: { a: 1 },
    });
  });

  test("takes nodes in under control, and goes on without those that are removed", async () => {
    const port = await freePorts(3);
    const up = start(
      ...["up", "--json", "--nodes", "2", "--zones", "a,b", "--control", String(port + 50)],
      ...["--transport", transport, "--http-port", String(port)],
    );
    const ready = await up.ready;
    const first = httpOf(ready, 1);
    const headers = { "content-type": "application/json" };
    const settings = {
      number_of_replicas: 1,
      "unassigned.node_left.delayed_timeout": "0",
    };
    await fetch(`${first}/books`, { method: "PUT", headers, body: JSON.stringify({ settings }) });
    await fetch(`${first}/books/_doc/1`, { method: "PUT", headers, body: `{"a":1}` });

    const added = (await tell(ready, "/add-node")) as { nodes: readonly { pid: number }[] };
    pids.push(...added.nodes.map(({ pid }) => pid));
    const third = `http://127.0.0.1:${port + 2}`;
    const attributes = await get(`${third}/_cat/nodeattrs?format=json&h=node,attr,value`);
    const refused = await tell(ready, "/add-node?roles=nothing");
    const removed = await tell(ready, "/remove-node/2");
    await until(async () => {
      const health = await get(`${third}/_cluster/health?wait_for_status=green&wait_for_nodes=2`);
      return (health as { timed_out?: boolean }).timed_out === false;
    });
    await tell(ready, "/kill/1");

    expect(added).toEqual({
      ...{ acknowledged: true, targets: ["node-3"] },
      nodes: [{ name: "node-3", number: 3, status: "up", http: third, pid: expect.any(Number) }],
    });
    expect(attributes).toEqual(
      expect.arrayContaining([{ node: "node-3", attr: "zone", value: "a" }]),
    );
    expect(refused).toEqual({ error: expect.stringContaining("unknown role [nothing]") });
    expect(removed).toEqual({ acknowledged: true, targets: ["node-2"], hits: 1 });
    expect(await tell(ready, "/status")).toMatchObject({
      nodes: [
        { number: 1, status: "down" },
        { number: 3, name: "node-3", status: "up" },
      ],
    });
    expect(await get(`${third}/books/_doc/1`)).toMatchObject({ found: true, _source: { a: 1 } });
  });
});

describe("a cluster of processes", () => {
  test("reports a node that dies, starts it again and keeps its documents", async () => {
    const [port, control] = [await freePorts(2), await freePorts(1)];
    const up = start(
      ...["up", "--json", "--nodes", "2", "--http-port", String(port)],
      ...["--control", String(control + 50)],
    );
    const ready = await up.ready;
    const document = await fetch(`${httpOf(ready, 1)}/books/_doc/1?refresh=true`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"title":"kept"}',
    });

    process.kill(pidOf(ready, 2), "SIGKILL");
    await up.complained("node-2 ended with signal SIGKILL");
    const answer = await tell(ready, "/start/2");
    const found = await get(`${httpOf(ready, 2)}/books/_doc/1`);

    expect(document.status).toBe(201);
    expect(answer).toEqual({ acknowledged: true });
    expect(found).toMatchObject({ found: true, _source: { title: "kept" } });
  });

  test("ends the command once all of them are dead, in a sentence", async () => {
    const up = start("up", "--json", "--nodes", "2", "--http-port", String(await freePorts(2)));
    const ready = await up.ready;

    process.kill(pidOf(ready, 1), "SIGKILL");
    await up.complained("node-1 ended with signal SIGKILL");
    process.kill(pidOf(ready, 2), "SIGKILL");
    const { code, err } = await up.ended;

    expect(code).toBe(1);
    expect(err.trimEnd().split("\n").at(-1)).toBe("orrery: no node is left");
  });

  test("ends with the command, also when that is killed", async () => {
    const up = start("up", "--json", "--nodes", "2", "--http-port", String(await freePorts(2)));
    const ready = await up.ready;

    up.process.kill("SIGKILL");
    await up.ended;

    await until(() => ready.nodes.every(({ pid }) => !isAlive(pid)));
  });

  test("whose port is taken is one sentence and exit code 2, and nothing of it stays", async () => {
    const port = await freePorts(2);
    const other = createServer().listen(port + 1, "127.0.0.1");

    const { code, err } = await start(
      ...["up", "--nodes", "2", "--http-port", String(port), "--data", data],
    ).ended;
    other.close();

    expect(code).toBe(2);
    expect(err.split("\n").filter((line) => line.startsWith("orrery: "))).toEqual([
      `orrery: node-2: the HTTP address [127.0.0.1:${port + 1}] is taken`,
    ]);
    expect(await freePorts(2)).toBeGreaterThan(0);
  });

  test("whose control port is taken is one sentence and exit code 2", async () => {
    const port = await freePorts(1);
    const other = createServer().listen(port + 50, "127.0.0.1");

    const { code, err } = await start(
      ...["up", "--nodes", "1", "--http-port", String(port), "--control", String(port + 50)],
    ).ended;
    other.close();

    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`orrery: the control port [${port + 50}] is taken\n`),
    ]);
  });

  test("in memory whose port is taken ends at once, too", async () => {
    const port = await freePorts(3);
    const other = createServer().listen(port + 2, "127.0.0.1");

    const { code, err } = await start(
      ...["up", "--transport", "memory", "--http-port", String(port)],
    ).ended;
    other.close();

    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`orrery: the HTTP address [127.0.0.1:${port + 2}] is taken\n`),
    ]);
  });
});

describe("orrery up with several nodes in a process", () => {
  test("runs as many processes, and stops them; data stays", async () => {
    const port = await freePorts(4);
    const at = ["--json", "--data", data, "--http-port", String(port), "--processes", "2"];
    const first = start("up", ...at, "--nodes", "4");
    const ready = await first.ready;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ settings: { number_of_shards: 4, number_of_replicas: 1 } });
    await fetch(`${httpOf(ready, 1)}/books`, { method: "PUT", headers, body });
    await fetch(`${httpOf(ready, 2)}/books/_doc/1?refresh=true`, {
      ...{ method: "PUT", headers, body: `{"a":1}` },
    });
    const health = await get(`${httpOf(ready, 3)}/_cluster/health?wait_for_status=green`);
    first.process.kill("SIGTERM");
    const { code } = await first.ended;
    const second = start("up", ...at);
    const again = await get(`${httpOf(await second.ready, 4)}/books/_doc/1`);

    const processes = ready.nodes.map(({ pid }) => pid);
    expect(processes).toEqual([processes[0], processes[0], processes[2], processes[2]]);
    expect(new Set(processes).size).toBe(2);
    expect(health).toMatchObject({ status: "green", number_of_nodes: 4 });
    expect([code, processes.map(isAlive)]).toEqual([0, [false, false, false, false]]);
    expect(again).toMatchObject({ found: true });
  });

  test("one of which ends takes its nodes along, and is reported", async () => {
    const port = await freePorts(2);
    const up = start(
      ...["up", "--json", "--nodes", "2", "--processes", "2", "--http-port", String(port)],
    );
    const ready = await up.ready;

    process.kill(pidOf(ready, 2), "SIGKILL");
    await up.complained("node-2 ended with signal SIGKILL");
    process.kill(pidOf(ready, 1), "SIGKILL");
    const { code, err } = await up.ended;

    expect([code, err]).toEqual([1, expect.stringContaining("orrery: no node is left\n")]);
  });

  test("whose port is taken is one sentence and exit code 2", async () => {
    const port = await freePorts(2);
    const other = createServer().listen(port + 1, "127.0.0.1");

    const { code, err } = await start(
      ...["up", "--nodes", "2", "--processes", "1", "--http-port", String(port)],
    ).ended;
    other.close();

    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `orrery: node-2: the HTTP address [127.0.0.1:${port + 1}] is taken\n`,
      ),
    ]);
  });
});

describe("orrery up that npx started", () => {
  /** Stands for npx: a process of its name, with a shell between itself and the command. */
  const npx = `
    process.title = "npm exec orrery";
    const words = process.argv.slice(1).map((word) => "'" + word + "'").join(" ");
    require("node:child_process").spawn("sh", ["-c", words + "; true"], { stdio: "inherit" });
  `;

  test.each(["SIGTERM", "SIGKILL"] as const)("ends after %s of npx", async (signal) => {
    const command = [process.execPath, bin, "up", "--json", "--nodes", "2"];
    const up = observe(
      spawn(
        process.execPath,
        ["-e", npx, "--", ...command, "--http-port", String(await freePorts(2))],
        { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, npm_command: "exec" } },
      ),
    );
    started.push(up);
    const { nodes } = await up.ready;
    pids.push(...nodes.map(({ pid }) => pid));

    up.process.kill(signal);
    // The pipes close when the last process of the cluster has ended.
    await up.ended;

    expect(nodes.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  });
});

describe("a data folder", () => {
  test("in use by another command is left as it is", async () => {
    const up = start(
      ...["up", "--json", "--nodes", "1", "--data", data],
      ...["--http-port", String(await freePorts(1))],
    );
    await up.ready;
    const plan = readFileSync(join(data, "node-1/node.json"), "utf8");

    const second = await start(
      ...["up", "--nodes", "1", "--data", data, "--http-port", String(await freePorts(1))],
    ).ended;
    const third = await start("node", "start", "node-1", "--data", data).ended;

    for (const { code, err } of [second, third]) {
      expect(code).toBe(2);
      expect(err).toContain("failed to obtain node locks, tried [[");
    }
    expect(readFileSync(join(data, "node-1/node.json"), "utf8")).toBe(plan);
  });

  test("holds all a node needs to start alone: ports, zone, settings and documents", async () => {
    const port = await freePorts(1);
    const up = start(
      ...["up", "--json", "--nodes", "1", "--zones", "west", "-E", "node.attr.color=red"],
      ...["--http-port", String(port), "--data", data],
    );
    const first = await up.ready;
    await fetch(`${httpOf(first, 1)}/books/_doc/1?refresh=true`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"title":"kept"}',
    });
    up.process.kill("SIGTERM");
    await up.ended;

    const alone = start("node", "start", "node-1", "--data", data, "--json");
    const again = await alone.ready;
    await until(async () => (await fetch(`${httpOf(again, 1)}/books/_doc/1`)).status === 200);
    const attributes = await get(`${httpOf(again, 1)}/_cat/nodeattrs?format=json&h=attr,value`);
    alone.process.kill("SIGTERM");
    const { code } = await alone.ended;

    const { health, ...same } = first;
    expect(health).toBe("green");
    expect(again).toEqual({
      ...same,
      elapsed_ms: expect.any(Number),
      nodes: [{ ...first.nodes[0], pid: expect.any(Number) }],
    });
    expect(attributes).toEqual(
      expect.arrayContaining([
        { attr: "zone", value: "west" },
        { attr: "color", value: "red" },
      ]),
    );
    expect(code).toBe(0);
    expect(readdirSync(data)).toEqual(["cluster.secret", "node-1"]);
  });

  test("remembers the number of its nodes and their zones, and changes them when told", async () => {
    const port = await freePorts(2);
    const at = ["--json", "--data", data, "--http-port", String(port)];
    const zones = async (ready: Ready): Promise<unknown> => {
      const url = `${httpOf(ready, 1)}/_cat/nodeattrs?format=json&h=node,attr,value&s=node`;
      return ((await get(url)) as { readonly attr: string }[]).filter(
        ({ attr }) => attr === "zone",
      );
    };
    const first = start("up", ...at, "--nodes", "2", "--zones", "a,b");
    await first.ready;
    first.process.kill("SIGTERM");
    await first.ended;

    const second = start("up", ...at);
    const before = await zones(await second.ready);
    second.process.kill("SIGTERM");
    await second.ended;
    const third = start("up", ...at, "--zones", "x,y");
    const after = await zones(await third.ready);
    third.process.kill("SIGTERM");
    const { err } = await third.ended;

    const zonesOf = (...names: string[]): unknown =>
      names.map((value, i) => ({ node: `node-${i + 1}`, attr: "zone", value }));
    expect(before).toEqual(zonesOf("a", "b"));
    expect(after).toEqual(zonesOf("x", "y"));
    expect(err).toContain(`orrery: the zones of [${data}] change from [a, b] to [x, y]\n`);
  });

  test("of three nodes does not start with one of them, unless it is to wait", async () => {
    const port = await freePorts(3);
    const at = ["--data", data, "--http-port", String(port)];
    const all = start("up", "--json", ...at, "--nodes", "3");
    await all.ready;
    all.process.kill("SIGTERM");
    await all.ended;

    const one = await start("up", ...at, "--nodes", "1").ended;
    const waiting = start("up", "--json", ...at, "--nodes", "1", "--wait");
    await waiting.complained("2 voting nodes of 3 are missing");
    const other = start("node", "start", "node-2", "--data", data, "--json");
    const ready = await waiting.ready;
    const two = start("up", "--json", ...at, "--nodes", "2");
    const { err } = await two.ended;

    expect(one).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^orrery: 2 voting nodes of 3 are missing: node-2, node-3\. .*\[--wait\]\n$/,
      ),
    });
    expect(ready.nodes.map(({ name }) => name)).toEqual(["node-1"]);
    expect((await other.ready).nodes).toMatchObject([{ name: "node-2" }]);
    expect(err).toContain("failed to obtain node locks");
  });

  test("that nobody named is removed at the end", async () => {
    const before = new Set(readdirSync(tmpdir()));
    const up = start("up", "--json", "--nodes", "1", "--http-port", String(await freePorts(1)));
    await up.ready;
    const made = readdirSync(tmpdir()).filter(
      (name) => !before.has(name) && existsSync(join(tmpdir(), name, "node-1/node.json")),
    );

    up.process.kill("SIGTERM");
    await up.ended;

    expect(made.length).toBeGreaterThan(0);
    expect(made.some((name) => !existsSync(join(tmpdir(), name)))).toBe(true);
  });
});

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === "::1");

describe.each(["grpc", "websocket"])("addresses over %s", (transport) => {
  test.skipIf(!hasIPv6)(
    "are those of the settings, also for a node that is started alone",
    async () => {
      const port = await freePorts(2);
      const up = start(
        ...["up", "--json", "--nodes", "2", "--transport", transport, "--data", data],
        ...["--http-port", String(port), "-E", "network.host=::1", "-E", "http.host=0.0.0.0"],
        ...["-E", "http.publish_host=127.0.0.1", "-E", `transport.port=${port + 50}`],
      );
      const ready = await up.ready;
      const before = await addressesAt(`http://127.0.0.1:${port}`);
      const answers = await fetch(`http://[::1]:${port}/`);
      up.process.kill("SIGINT");
      const { err } = await up.ended;

      const alone = ["1", "2"].map((i) =>
        start("node", "start", `node-${i}`, "--data", data, "--json"),
      );
      const again = await Promise.all(alone.map(({ ready: one }) => one));

      expect(answers.status).toBe(200);
      expect(ready.nodes.map(({ http }) => http)).toEqual([
        `http://127.0.0.1:${port}`,
        `http://127.0.0.1:${port + 1}`,
      ]);
      expect(ready.nodes.map(({ transport: at }) => at)).toEqual([
        `[::1]:${port + 50}`,
        `[::1]:${port + 51}`,
      ]);
      expect(before["node-1"]).toMatchObject({
        ...{ ip: "::1", transport_address: `[::1]:${port + 50}` },
        http: { bound_address: [`[::]:${port}`], publish_address: `127.0.0.1:${port}` },
        transport: { bound_address: [`[::1]:${port + 50}`] },
      });
      expect(err.match(/without security/g)).toHaveLength(1);
      expect(again.flatMap(({ nodes }) => nodes.map(({ http }) => http))).toEqual(
        ready.nodes.map(({ http }) => http),
      );
      expect(await addressesAt(`http://127.0.0.1:${port + 1}`)).toEqual(before);
    },
  );
});

test("an address that this machine does not have ends the command with a sentence", async () => {
  const port = await freePorts(1);
  const args = ["up", "--json", "--nodes", "1", "--http-port", String(port), "-E"];
  const [http, transport] = [
    start(...args, "http.host=192.0.2.77"),
    start(...args, "transport.host=192.0.2.77"),
  ];

  expect(await http.ended).toMatchObject({ code: 2 });
  expect((await http.ended).err).toContain(
    `cannot serve HTTP on [192.0.2.77:${port}]: this machine has no such address`,
  );
  expect(await transport.ended).toMatchObject({ code: 2 });
  expect((await transport.ended).err).toContain(
    `Failed to bind to [192.0.2.77:${port + 100}]: this machine has no such address`,
  );
});

interface NodeAddressesShown {
  readonly name: string;
}

/** Addresses in `_nodes` by the name of the node. */
async function addressesAt(url: string): Promise<Record<string, NodeAddressesShown>> {
  const { nodes } = (await get(`${url}/_nodes/http,transport`)) as {
    readonly nodes: Record<string, NodeAddressesShown>;
  };
  return Object.fromEntries(Object.values(nodes).map((node) => [node.name, node]));
}
test("two clusters that ask for any ports get different ones, and print them", async () => {
  const one = start("up", "--json", "--nodes", "2", "--http-port", "0");
  const other = start("up", "--json", "--nodes", "1", "--transport", "memory", "--http-port", "0");
  const urls = [await one.ready, await other.ready].flatMap(({ nodes }) =>
    nodes.map(({ http }) => http),
  );

  expect(new Set(urls).size).toBe(3);
  for (const url of urls) expect(await get(url)).toMatchObject({ cluster_name: "orrery" });
});
