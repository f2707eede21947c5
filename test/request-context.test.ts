/** The context of a client's request, seen by guards at every handler that it reaches: from any node to the last copy. */
import { composeProduct, createCaller, withCaller, type Cluster } from "@orrery/node";
import type { ActionCall, Guard } from "@orrery/ports";
import { dispatch } from "@orrery/rest";
import { createSimulation } from "@orrery/simulator";
import { OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { afterEach, expect, test } from "vitest";

const names = ["a", "b", "c"];
let end = (): void => undefined;

afterEach(() => end());

/** Three nodes whose handlers are guarded, and a way to ask them. */
async function guardedNodes(guard: Guard<ActionCall>) {
  const product = composeProduct([
    {
      name: "guards",
      description: "",
      classname: "",
      operationGuards: [
        (call, next) => {
          const principal = { name: call.header("x-user") ?? "nobody", roles: [] };
          const { headers } = call.context.caller;
          return next(withCaller(call.context, createCaller({ principal, headers })));
        },
      ],
      actionGuards: [guard],
      shards: { name: "guards", actions: {}, guards: [guard] },
    },
  ]);
  const simulation = createSimulation({ seed: 3, product });
  end = () => simulation.end();
  const { queue } = simulation;
  for (const name of names) {
    void simulation.start({
      name,
      clusterName: "test",
      httpAddress: `${name}:9200`,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: { "discovery.seed_hosts": names, "cluster.initial_cluster_manager_nodes": ["a"] },
    });
  }
  const clusters = (): Cluster[] => names.flatMap((name) => simulation.cluster(name) ?? []);
  const isFormed = (): boolean =>
    clusters().length === 3 && clusters().every((one) => one.state().nodes.size === 3);
  await queue.run(120_000, isFormed);
  return async (node: number, line: string, body: unknown, user: string) => {
    const [method = "", uri = ""] = line.split(" ");
    const headers = { "content-type": "application/json", "x-user": user, "x-opaque-id": line };
    const bytes = utf8Encode(body === undefined ? "" : JSON.stringify(body));
    const cluster = clusters()[node];
    if (cluster === undefined) throw new Error(`no node ${node}`);
    let isOver = false;
    const over = (): void => void (isOver = true);
    const answering = dispatch({ method, uri, headers, body: bytes }, cluster);
    answering.then(over, over);
    await queue.run(queue.nowMs + 120_000, () => isOver);
    const answer = await answering;
    return { status: answer.status, text: answer.body.map(utf8Decode).join("") };
  };
}

const books = { settings: { number_of_shards: 3, number_of_replicas: 2 } };

test("every handler that a request reaches knows who asks, and which task sent it", async () => {
  const calls: ActionCall[] = [];
  const ask = await guardedNodes((call, next) => {
    if (call.context.caller.principal !== undefined) calls.push(call);
    return next(call.context);
  });
  await ask(0, "PUT /books", books, "ada");
  await ask(0, "GET /_cluster/health?wait_for_status=green", undefined, "ada");
  calls.length = 0;

  await ask(2, "PUT /books/_doc/1?refresh=true", { title: "new" }, "bob");
  await ask(1, "POST /books/_search", { query: { match: { title: "new" } } }, "cy");

  const seen = calls.map(({ action, permission, indices, context: { caller, parentTask } }) => {
    const { principal, headers } = caller;
    expect(parentTask).toBeDefined();
    return `${principal?.name} ${headers.get("x-opaque-id")?.split("?")[0]} ${action} ${permission} ${indices.join(",")}`;
  });
  const put = "bob PUT /books/_doc/1";
  const find = "cy POST /books/_search";
  const bulk = "indices:data/write/bulk[s]";
  const search = "indices:data/read/search";
  expect(new Set(seen)).toEqual(
    new Set([
      `${put} ${bulk} ${bulk} books`,
      `${put} ${bulk}[r] ${bulk} books`,
      `${put} internal:cluster/submit internal:cluster/submit `,
      `${put} internal:cluster/task internal:cluster/task `,
      `${find} ${search}[phase/query] ${search} books`,
      `${find} ${search}[phase/fetch/id] ${search} books`,
    ]),
  );
  expect(seen.filter((one) => one.includes("[r]"))).toHaveLength(2);
  const tasks = new Set(calls.map(({ context: { task } }) => `${task?.nodeId}:${task?.number}`));
  expect(tasks.size).toBe(calls.length);
});

test("what a shard's guard refuses is the answer of that item or that shard alone", async () => {
  const ask = await guardedNodes((call, next) => {
    const isRefused = call.indices.includes("books") && call.permission.startsWith("indices:data/");
    if (!isRefused || call.context.caller.principal?.name !== "eve") return next(call.context);
    const reason = `no permissions for [${call.permission}] and User [name=eve]`;
    throw new OperationError({ type: "security_exception", reason, status: 403 });
  });
  await ask(0, "PUT /books", books, "ada");
  await ask(0, "PUT /open", books, "ada");
  await ask(0, "PUT /books/_doc/1", { title: "x" }, "ada");
  await ask(0, "PUT /open/_doc/1", { title: "x" }, "ada");
  const docs = [
    { _index: "books", _id: "1" },
    { _index: "open", _id: "1" },
  ];

  for (const node of names.keys()) {
    const got = await ask(node, "GET /books/_doc/1", undefined, "eve");
    const many = await ask(node, "POST /_mget", { docs }, "eve");
    const found = await ask(node, "POST /books/_search", {}, "eve");

    expect([got.status, got.text]).toEqual([
      403,
      expect.stringContaining("[indices:data/read/get]"),
    ]);
    expect(many.text).toMatch(/security_exception.*"found":true/);
    expect(found.text).toContain("no permissions for [indices:data/read/search]");
    expect((await ask(node, "GET /books/_doc/1", undefined, "ada")).status).toBe(200);
  }
});

test("statistics of nodes tell of no copy that a guard refuses to the caller", async () => {
  const ask = await guardedNodes((call, next) => {
    const isRefused = call.indices.includes("books") && call.permission === "indices:monitor/stats";
    if (!isRefused || call.context.caller.principal?.name !== "eve") return next(call.context);
    throw new OperationError({ type: "security_exception", reason: "no permissions", status: 403 });
  });
  await ask(0, "PUT /books", books, "ada");
  await ask(0, "PUT /open", books, "ada");
  await ask(0, "GET /_cluster/health?wait_for_status=green", undefined, "ada");

  for (const node of names.keys()) {
    for (const line of [
      "GET /_nodes/stats/indices?level=shards",
      "GET /_nodes/stats?level=indices",
    ]) {
      const all = await ask(node, line, undefined, "ada");
      const some = await ask(node, line, undefined, "eve");

      expect(all.text).toContain('"books"');
      expect(some.text).toContain('"open"');
      expect(some.text).not.toContain('"books"');
    }
  }
});
