/** Each kind of acknowledged change holds on a healthy cluster; a node, or a reading, that shows what was before is found. */
import { beforeEach, describe, expect, test } from "vitest";
import { sentenceOf, type Answered, type Finding } from "../src/checkers/checker.ts";
import { changeOf } from "../src/checkers/state-changes/table.ts";
import { newClient, type ClientAnswer, type ClientRequest, type World } from "../src/world.ts";
import { checkerNamed, scenario, startTestWorld, type TestWorld } from "./world.ts";

type Request = readonly [what: string, body?: unknown];

let cluster: TestWorld;
const client = newClient("test");
const { start, onRequest } = checkerNamed("acknowledged-changes-are-everywhere");

beforeEach(async () => {
  cluster = await startTestWorld();
});

function requestOf(what: string, body?: unknown): ClientRequest {
  const [method = "", uri = ""] = what.split(" ");
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return { method, uri, ...text, timeoutMs: 30_000 };
}

async function ask(what: string, body?: unknown): Promise<ClientAnswer> {
  const answer = await cluster.tell(() =>
    cluster.world.request(client, "node-1", requestOf(what, body)),
  );
  if (answer === undefined) throw new Error(`no answer to ${what}`);
  return answer;
}

/** What the judge says of a request that is carried out while the world is as it is given. */
async function judged(world: World, what: string, body?: unknown): Promise<Finding> {
  const watch = start?.(world, scenario);
  const end = cluster.world.watchNews((event) => void watch?.(event));
  const answered = onRequest?.(world, { node: "node-1", request: requestOf(what, body) });
  const answer = await ask(what, body);
  end();
  expect(answer).toMatchObject({ status: 200, body: { acknowledged: true } });
  return cluster.tell(async () => answered?.(answer));
}

/** The world, with what answers to the judge's questions were before the change. */
async function before(what: string, body: unknown, isOld: (node: string) => boolean) {
  const questions = new Set(changeOf(requestOf(what, body))?.claims.map(({ uri }) => uri));
  const answers = new Map<string, ClientAnswer>();
  for (const uri of questions) answers.set(uri, await ask(`GET ${uri}`));
  return (node: string, uri: string): ClientAnswer | undefined =>
    isOld(node) ? answers.get(uri.replace(/[?&]local=true$/, "")) : undefined;
}

async function nodeThatLags(what: string, body?: unknown): Promise<World> {
  const old = await before(what, body, (node) => node === "node-2");
  return {
    ...cluster.world,
    ownAnswer: async (node, uri) => old(node, uri) ?? cluster.world.ownAnswer?.(node, uri),
  };
}

async function readingThatLags(what: string, body?: unknown): Promise<World> {
  const old = await before(what, body, () => true);
  return {
    ...cluster.world,
    request: async (asked, node, request) =>
      (asked.name === "state-reader" ? old(node, request.uri) : undefined) ??
      cluster.world.request(asked, node, request),
  };
}

const template = { index_patterns: ["logs-*"], priority: 7 };
const filter = { term: { shelf: "a" } };

describe.each<[kind: string, found: string, change: Request, earlier?: Request]>([
  [
    "the creation of an index",
    "[papers] is gone on node-2, and was acknowledged as open",
    ["PUT /papers"],
  ],
  [
    "a setting of an index",
    "the setting [index.refresh_interval] of [books] is unset on node-2, and was acknowledged as 7s",
    ["PUT /books/_settings", { settings: { index: { refresh_interval: "7s" } } }],
  ],
  [
    "a setting of an index that is reset",
    "the setting [index.refresh_interval] of [books] is 7s on node-2, and was acknowledged as unset",
    ["PUT /books/_settings", { refresh_interval: null }],
    ["PUT /books/_settings", { refresh_interval: "7s" }],
  ],
  [
    "a block of an index",
    "the setting [index.blocks.write] of [books] is unset on node-2, and was acknowledged as true",
    ["PUT /books/_block/write"],
  ],
  [
    "a field of a mapping",
    "the field [shelf.row] of [books] is not mapped on node-2, and was acknowledged as keyword",
    [
      "PUT /books/_mapping",
      { properties: { shelf: { properties: { row: { type: "keyword" } } } } },
    ],
  ],
  [
    "a further way to index a field",
    "the field [title.raw] of [books] is not mapped on node-2, and was acknowledged as keyword",
    [
      "PUT /books/_mapping",
      { properties: { title: { type: "text", fields: { raw: { type: "keyword" } } } } },
    ],
    ["PUT /books/_mapping", { properties: { title: { type: "text" } } }],
  ],
  [
    "an alias",
    "the alias [all] of [books] is gone on node-2, and was acknowledged as {}",
    ["PUT /books/_alias/all"],
  ],
  [
    "an alias that is removed",
    "the alias [all] of [books] is {} on node-2, and was acknowledged as gone",
    ["DELETE /books/_alias/all"],
    ["PUT /books/_alias/all"],
  ],
  [
    "the filter and routing of an alias",
    'the alias [all] of [books] is {} on node-2, and was acknowledged as {"filter":{"term":{"shelf":"a"}},"index_routing":"1","is_write_index":"true","search_routing":"1"}',
    [
      "POST /_aliases",
      {
        actions: [
          { add: { index: "books", alias: "all", filter, routing: 1, is_write_index: true } },
        ],
      },
    ],
    ["PUT /books/_alias/all"],
  ],
  [
    "an index that aliases take the place of",
    "[papers] is open on node-2, and was acknowledged as gone",
    ["POST /_aliases", { actions: [{ remove_index: { index: "papers" } }] }],
    ["PUT /papers"],
  ],
  [
    "an index template",
    'the index template [logs] is gone on node-2, and was acknowledged as {"index_patterns":["logs-*"],"priority":7}',
    ["PUT /_index_template/logs", template],
  ],
  [
    "an index template that is put anew",
    'the index template [logs] is {"index_patterns":["logs-*"],"priority":7} on node-2, and was acknowledged as {"index_patterns":["logs-*"],"priority":8}',
    ["PUT /_index_template/logs", { ...template, priority: 8 }],
    ["PUT /_index_template/logs", template],
  ],
  [
    "an index template that is deleted",
    "the index template [logs] is {} on node-2, and was acknowledged as gone",
    ["DELETE /_index_template/logs"],
    ["PUT /_index_template/logs", template],
  ],
  [
    "a component template",
    'the component template [part] is gone on node-2, and was acknowledged as {"version":3}',
    ["PUT /_component_template/part", { template: {}, version: 3 }],
  ],
  [
    "an older template",
    'the template [old] is gone on node-2, and was acknowledged as {"index_patterns":["logs-*"],"order":1}',
    ["PUT /_template/old", { index_patterns: "logs-*", order: 1 }],
  ],
  [
    "a setting of the cluster",
    "the persistent setting [cluster.max_shards_per_node] is unset on node-2, and was acknowledged as 900",
    ["PUT /_cluster/settings", { persistent: { "cluster.max_shards_per_node": 900 } }],
  ],
  [
    "a setting of the cluster that is reset",
    "the transient setting [cluster.max_shards_per_node] is 900 on node-2, and was acknowledged as unset",
    ["PUT /_cluster/settings", { transient: { cluster: { max_shards_per_node: null } } }],
    ["PUT /_cluster/settings", { transient: { "cluster.max_shards_per_node": 900 } }],
  ],
])("%s", (_kind, found, change, earlier) => {
  beforeEach(async () => {
    if (earlier !== undefined) await ask(...earlier);
  });

  test("is found nothing wrong with where every node has it", async () => {
    expect(await judged(cluster.world, ...change)).toBeUndefined();
  });

  test("is missed on a node that lags", async () => {
    const lagging = await nodeThatLags(...change);

    expect(await judged(lagging, ...change)).toBe(found);
  });

  test("is missed in a later reading", async () => {
    const lagging = await readingThatLags(...change);
    const says = await judged(lagging, ...change);

    expect(
      sentenceOf(says)?.replace(
        / in the cluster state that node-\d answers(.*) before$/,
        " on node-2$1",
      ),
    ).toBe(found);
  });
});

describe("what several clients change at a time", () => {
  const open = (what: string, body?: unknown): Answered | undefined =>
    onRequest?.(cluster.world, { node: "node-1", request: requestOf(what, body) });
  const yes: ClientAnswer = { status: 200, body: { acknowledged: true } };
  const change: Request = ["PUT /books/_settings", { "index.refresh_interval": "7s" }];
  /** Nobody has carried the change out, so that the judge speaks unless it is silenced. */
  const says = async (answered: Answered | undefined): Promise<Finding> =>
    cluster.tell(async () => answered?.(yes));

  test.each<[what: string, body?: unknown]>([
    ["PUT /books/_settings", { refresh_interval: "8s" }],
    ["PUT /*/_settings", { "index.blocks.write": true }],
    ["PUT /_settings", { "index.blocks.write": true }],
    ["PUT /books/_settings", { "index.refresh_*": null }],
    ["PUT /books/_settings?preserve_existing=true", { "index.blocks.write": true }],
    ["DELETE /books"],
    ["DELETE /b*"],
    ["POST /_snapshot/safe/s1/_restore"],
    ["PUT /_plugins/_replication/books/_start"],
  ])("is not judged beside %s %j", async (what, body) => {
    start?.(cluster.world, scenario);
    const alone = open(...change);
    expect(await says(alone)).toContain("the setting [index.refresh_interval] of [books] is unset");

    const earlier = open(what, body);
    const beside = open(...change);
    expect(await says(beside)).toBeUndefined();
    if (!what.includes("_replication"))
      await cluster.tell(async () => earlier?.({ ...yes, status: 400 }));
    const second = open(...change);
    const later = open(what, body);
    expect(await says(second)).toBeUndefined();
    await cluster.tell(async () => later?.({ ...yes, status: 400 }));
  });

  test.each<[what: string, body?: unknown]>([
    ["PUT /books/_settings", { "index.blocks.write": true }],
    ["PUT /books/_mapping", { properties: { a: { type: "text" } } }],
    ["PUT /other/_settings", { refresh_interval: "8s" }],
    ["POST /books/_doc", { value: 1 }],
    ["PUT /_cluster/settings", { persistent: { "cluster.max_shards_per_node": 900 } }],
  ])("is judged beside %s %j", async (what, body) => {
    start?.(cluster.world, scenario);
    open(what, body);

    expect(await says(open(...change))).toContain("is unset on node-1");
  });

  test("is not judged where a pattern, an alias or the product itself decides", async () => {
    start?.(cluster.world, scenario);
    const silent: readonly Request[] = [
      ["PUT /alias/_settings", { refresh_interval: "7s" }],
      ["PUT /books/_settings", { "index.blocks.read_only_allow_delete": true }],
      ["PUT /books/_settings", { "index.number_of_replicas": null }],
      ["PUT /alias/_mapping", { properties: { a: { type: "text" } } }],
      ["PUT /books/_mapping", { properties: { "a.b": { type: "text" } } }],
      ["POST /_aliases", { actions: [{ add: { index: "b*", alias: "all" } }] }],
      ["DELETE /_index_template/l*"],
      ["POST /alias/_close"],
      ["POST /nothing/_close?ignore_unavailable=true"],
    ];
    for (const request of silent)
      expect([request, await says(open(...request))]).toEqual([request, undefined]);
  });

  test("claims nothing of an alias that several actions of a request are about", async () => {
    const add = { add: { index: "books", alias: "fresh" } };
    const remove = { remove: { index: "books", alias: "fresh" } };
    const pattern = { add: { index: "b*", alias: "new" } };
    const removeNew = { remove: { index: "books", alias: "new" } };

    // The alias stays: the removal knows only what was there before.
    expect(
      await judged(cluster.world, "POST /_aliases", { actions: [add, remove] }),
    ).toBeUndefined();
    expect(
      await judged(cluster.world, "POST /_aliases", { actions: [pattern, removeNew] }),
    ).toBeUndefined();
    for (const alias of ["fresh", "new"])
      await cluster.tell(() =>
        cluster.world.request(newClient("test"), "node-1", {
          method: "DELETE",
          uri: `/books/_alias/${alias}`,
          timeoutMs: 5000,
        }),
      );
  });
});
