/** The control port: nodes stopped, started and killed, faults begun and ended, and mistakes answered. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type Json } from "@orrery/stdx";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClusterControl, type ClusterControl } from "../src/cluster-control.ts";
import { serveControl } from "../src/control.ts";
import type { MakeAddedNode } from "../src/added-nodes.ts";
import { startCluster } from "../src/running-cluster.ts";
import { UsageError } from "../src/usage.ts";
import { run } from "./command.ts";
import { brokenNode, fakeNode, type FakeNode } from "./fake-nodes.ts";

const token = "sixteen-or-more-of-them";
let nodes: readonly FakeNode[];
let addedNodes: readonly FakeNode[];
let clusterControl: ClusterControl;
let server: Server;

beforeEach(async () => {
  nodes = ["node-1", "node-2", "node-3"].map(fakeNode);
  addedNodes = [];
  clusterControl = createClusterControl({ cluster: startCluster(nodes), makeAddedNode: come });
  server = await serveControl({ port: 0, clusterControl, token });
  vi.stubEnv("ORRERY_CONTROL_TOKEN", token);
});
afterEach(() => {
  vi.unstubAllEnvs();
  clusterControl.end();
  server.close();
  server.closeAllConnections();
});

/** A node that nobody planned; the one called `broken` cannot start. */
const come: MakeAddedNode = async ({ nextNumber }, { name = `node-${nextNumber}` }) => {
  const member = name === "broken" ? brokenNode(name) : fakeNode(name);
  addedNodes = [...addedNodes, member];
  return { number: nextNumber, member };
};

const port = (): number => (server.address() as AddressInfo).port;
const rules = () => nodes.map((node) => node.rules);
const done = () => nodes.map((node) => node.done.filter((what) => what !== "start").join(", "));

async function ask(path: string, how: RequestInit = {}): Promise<readonly [number, Json]> {
  const answer = await fetch(`http://127.0.0.1:${port()}${path}`, {
    method: "POST",
    ...how,
    headers: { authorization: `Bearer ${token}` },
  });
  return [answer.status, (await answer.json()) as Json];
}

const post = (path: string, body: object): Promise<readonly [number, Json]> =>
  ask(path, { method: "POST", body: JSON.stringify(body) });

function idOf([, body]: readonly [number, Json]): string {
  return isJsonObject(body) ? String(body["id"]) : "";
}

const acknowledged = [200, { acknowledged: true }];
const cutOff = { from: ["node-1"], to: ["node-2", "node-3"], both: true };

test("each verb reaches the nodes it names, by number or name, with GET and POST", async () => {
  const answers = [
    await ask("/stop/2"),
    await ask("/kill/node-1"),
    await ask("/start/2,1"),
    await ask("/pause/3"),
    await ask("/resume?node=3"),
    await post("/restart", { node: 3 }),
  ];

  expect(answers).toEqual(answers.map(() => acknowledged));
  expect(nodes.map((node) => node.done)).toEqual([
    ["start", "kill", "start"],
    ["start", "stop", "start"],
    ["start", "pause", "resume", "stop", "start"],
  ]);
});

describe("a fault", () => {
  test("is a rule on every node until it is healed", async () => {
    const begun = await ask("/partition/1");
    const during = rules();
    const ended = await ask(`/heal/${idOf(begun)}`);

    expect(begun).toEqual([
      200,
      { acknowledged: true, id: "partition-1", targets: ["node-1", "<->", "node-2", "node-3"] },
    ]);
    expect(during).toEqual(nodes.map(() => [{ kind: "cut", id: "cut-1", links: cutOff }]));
    expect([ended, rules()]).toEqual([acknowledged, [[], [], []]]);
  });

  test("takes several nodes as a list of JSON", async () => {
    const stopped = await post("/stop", { node: [1, "node-2"] });
    const begun = await post("/partition", { from: [1], to: ["node-2", 3] });
    const slow = await post("/slow-cpu", { node: ["node-1", 3] });

    expect(stopped).toEqual(acknowledged);
    expect(nodes.map((node) => node.done.includes("stop"))).toEqual([true, true, false]);
    expect(begun[1]).toMatchObject({ targets: ["node-1", "<->", "node-2", "node-3"] });
    expect(slow[1]).toMatchObject({ targets: ["node-1", "node-3"] });
  });

  test("takes its values from the path, the query and a body", async () => {
    await ask("/partition/1/2,3?one_way=true");
    await ask("/delay?high=20ms&node=3");
    await post("/loss", { sender: "node-2", per_mille: 7 });

    const everyone = ["node-1", "node-2", "node-3"];
    expect(nodes[0]?.rules).toEqual([
      { id: "cut-1", kind: "cut", links: { ...cutOff, both: false } },
      {
        ...{ id: "delay-2", kind: "delay", lowMs: 0, highMs: 20 },
        links: { from: ["node-3"], to: everyone, both: true },
      },
      {
        ...{ id: "lose-3", kind: "lose", perMille: 7 },
        links: { from: ["node-2"], to: everyone, both: false },
      },
    ]);
  });

  test("of several nodes begins and ends with all of them", async () => {
    const begun = await ask("/crash/2,3");
    const during = done();
    await ask("/heal");

    expect(begun[1]).toMatchObject({ id: "crash-1", targets: ["node-2", "node-3"] });
    expect(during).toEqual(["", "power off, drawn", "power off, drawn"]);
    expect(nodes.map((node) => node.status)).toEqual(["up", "up", "up"]);
  });

  test("is listed with how often it took effect, and gone when it is healed", async () => {
    await ask("/partition/1");
    nodes[0]?.hit("cut-1");
    nodes[2]?.hit("cut-1");
    await ask("/stop/2");

    const [, status] = await ask("/status");
    await ask("/heal");
    const [, after] = await ask("/status");

    expect(status).toEqual({
      nodes: ["up", "down", "up"].map((state, i) => ({
        ...{ name: `node-${i + 1}`, number: i + 1, status: state },
        ...{ http: "http://127.0.0.1:1", pid: 1 },
      })),
      faults: [
        {
          ...{ id: "partition-1", kind: "partition", hits: 2 },
          ...{ from: ["node-1"], to: ["node-2", "node-3"] },
          targets: ["node-1", "<->", "node-2", "node-3"],
        },
      ],
    });
    expect(after).toMatchObject({ faults: [] });
  });

  test("with a time ends by itself", async () => {
    await ask("/partition/1?for=0ms");
    for (let i = 0; i < 100 && nodes[0]?.rules.length !== 0; i += 1) await ask("/status");

    expect(rules()).toEqual([[], [], []]);
  });

  test("of a paused node lets it go on when all is healed", async () => {
    await ask("/pause/1");
    await ask("/heal");

    expect(done()).toEqual(["pause, resume", "", ""]);
  });
});

describe("a node that comes later", () => {
  test("is started, has the next number, and hears of what is on", async () => {
    await ask("/partition/1");
    const added = await ask("/add-node?zone=b");
    const again = await post("/add-node", { name: "extra" });
    await ask("/delay?high=20ms&node=5");

    const http = "http://127.0.0.1:1";
    expect([added, again]).toEqual([
      [
        200,
        {
          ...{ acknowledged: true, targets: ["node-4"] },
          nodes: [{ name: "node-4", number: 4, status: "up", http, pid: 1 }],
        },
      ],
      [
        200,
        {
          ...{ acknowledged: true, targets: ["extra"] },
          nodes: [{ name: "extra", number: 5, status: "up", http, pid: 1 }],
        },
      ],
    ]);
    expect(addedNodes.map(({ rules: heard }) => heard)).toEqual([rules()[0], rules()[0]]);
    expect(rules()[0]).toMatchObject([
      { kind: "cut" },
      { kind: "delay", links: { from: ["extra"] } },
    ]);
  });

  test("that cannot start never was", async () => {
    const refused = await ask("/add-node/broken");
    const [, status] = await ask("/status");

    expect(refused[0]).toBe(400);
    expect(status).toMatchObject({ nodes: [{ number: 1 }, { number: 2 }, { number: 3 }] });
  });
});

test("a node that was removed is not there any more, and the others keep their numbers", async () => {
  await ask("/crash/2");
  const removed = await ask("/remove-node/2");
  await ask("/heal");
  const answers = [await ask("/start/2"), await ask("/stop/node-2"), await ask("/stop/3")];
  const [, status] = await ask("/status");

  expect(removed).toEqual([200, { acknowledged: true, targets: ["node-2"], hits: 1 }]);
  expect(answers).toEqual([
    [400, { error: "no node is called [2]" }],
    [400, { error: "no node is [node-2] at the moment" }],
    [200, { acknowledged: true }],
  ]);
  expect(done()).toEqual(["", "power off, drawn, stop", "stop"]);
  expect(status).toMatchObject({
    nodes: [
      { name: "node-1", number: 1 },
      { name: "node-3", number: 3, status: "down" },
    ],
    faults: [],
  });
});

test.each([
  ["/stop/9", "no node is called [9]"],
  ["/start/0", "no node is called [0]"],
  ["/stop/x", "no node is called [x]"],
  ["/stop/zone:nowhere", "no node is [zone:nowhere] at the moment"],
  ["/stop/1/2", "[2] is one too many: several nodes are named as [1,2]"],
  ["/kill/1?fro=5s", "unknown key [fro]: expected one of [node, for]"],
  ["/heal?name=cut", "unknown key [name]: expected one of [id]"],
  ["/stop", "which node? Name it, or give its number, such as [2]"],
  ["/heal/partition-9", "no fault [partition-9] is on"],
  ["/partition", "[partition] needs the nodes on one side, such as [node-1]"],
  ["/partition/1/1,2", "[node-1] cannot be on both sides"],
  ["/partition/1?sides=2", "unknown key [sides]: expected one of [from, to, one_way, for]"],
  ["/partition/1?for=soon", "[for] must be a time value such as [5s]"],
  ["/crash/node-9", "unknown node [node-9] -> did you mean [node-1]?"],
  ["/crash", "[node] is missing"],
  ["/delay?high=5", "[high] must be a time value such as [5s]"],
  ["/majority-ring", "[majority-ring] takes four nodes"],
  ["/partition-halves?cluster=other", "unknown cluster [other]: expected one of [orrery]"],
  ["/add-node/node-2", "there is a node [node-2] already"],
  ["/add-node?cluster=other", "unknown cluster [other]: expected one of [orrery]"],
  ["/add-node/broken", "broken: its disk is gone"],
  ["/restart/2?for=5s", "[restart] is over at once: it takes no [for]"],
  ["/remove-node/node-9", "unknown node [node-9] -> did you mean [node-1]?"],
  [
    "/crash/primary:books",
    "[crash] found nothing to harm: there is nothing it means at the moment",
  ],
  [
    "/repository-corruption?location=nowhere",
    "[repository-corruption] found nothing to harm: there is nothing it means at the moment",
  ],
  ["/delay?low=2s&high=1s", "[low] is longer than [high]"],
  [
    "/partition/zone:nowhere",
    "[partition] found nothing to harm: there is nothing it means at the moment",
  ],
  ["/partition/1?one_way=yes", "[one_way] must be true or false, not [yes]"],
  ["/partition/1?for=30d", "[for] is at most [24d]"],
])("%s is answered with what is wrong, and nothing happens", async (path, error) => {
  expect(await ask(path)).toEqual([400, { error }]);
  expect([done(), rules()]).toEqual([
    ["", "", ""],
    [[], [], []],
  ]);
});

test.each(["/explode/1", "/constructor/1", "/"])("%s is nothing that can be done", async (path) => {
  const [status, body] = await ask(path);

  expect([status, body]).toEqual([404, { error: expect.stringMatching(/expected|did you mean/) }]);
});

test("a body that is no object and a method of another kind are refused", async () => {
  expect(await ask("/heal", { method: "POST", body: "[1]" })).toEqual([
    400,
    { error: "the body must be a JSON object" },
  ]);
  expect(await ask("/heal", { method: "POST", body: "{" })).toEqual([
    400,
    { error: "the body is not JSON" },
  ]);
  expect((await ask("/stop/1", { method: "DELETE" }))[0]).toBe(405);
});

test("an id that is no text heals nothing", async () => {
  await ask("/partition/1");

  const answer = await post("/heal", { id: 7 });

  expect(answer).toEqual([400, { error: "[id] must be that of a fault, such as [delay-1]" }]);
  expect(nodes[0]?.rules).toHaveLength(1);
});

test("a zone may be called like a number", async () => {
  expect(await ask("/add-node/node-4?zone=1")).toMatchObject([200, { targets: ["node-4"] }]);
});

test("a port that is taken is one sentence", async () => {
  await expect(serveControl({ port: port(), clusterControl, token })).rejects.toThrow(
    new UsageError(`the control port [${port()}] is taken`),
  );
});

test("a flag takes no word after it", async () => {
  const control = ["--control", String(port())];
  const first = idOf(await ask("/delay?node=1"));
  await ask("/delay?node=2");

  await run("fault", "heal", "--json", first, ...control);
  await run("fault", "partition", "--one-way", "node-1", "node-2", ...control);

  expect(nodes[0]?.rules).toMatchObject([
    { kind: "delay", links: { from: ["node-2"] } },
    { kind: "cut", links: { from: ["node-1"], to: ["node-2"], both: false } },
  ]);
});

test("a port where something else answers is one sentence", async () => {
  const other = createServer((_, response) => response.end("<html></html>")).listen(0);
  await once(other, "listening");
  const { port: number } = other.address() as AddressInfo;

  const { code, err } = await run("fault", "status", "--control", String(number));
  other.close();

  expect([code, err]).toEqual([2, `orrery: [${number}] is no control port of orrery\n`]);
});

test("orrery fault does the same from the command line", async () => {
  const control = ["--control", String(port()), "--json"];

  const ended = [
    await run("fault", "delay", "--high", "20ms", "--node=2", ...control),
    await run("fault", "stop", "1", ...control),
    await run("fault", "explode", ...control),
    await run("fault", "heal", "--control", "1"),
    await run("fault", "heal"),
    await run("fault"),
    await run("fault", "list", "--json"),
  ];

  expect(ended.map(({ code }) => code)).toEqual([0, 0, 2, 2, 2, 2, 0]);
  expect(nodes[0]?.rules).toMatchObject([{ kind: "delay", highMs: 20 }]);
  expect(done()).toEqual(["stop", "", ""]);
});
