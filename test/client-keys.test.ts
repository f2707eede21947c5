/** Names of object prototypes are data in every place where a client may give a name, in a cluster of two nodes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster, type Told } from "./simulated-cluster.ts";

const NAMES = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];

let cluster: SimulatedCluster;

beforeAll(async () => {
  cluster = simulatedCluster(1, ["node-1", "node-2"]);
  for (const name of ["node-1", "node-2"]) cluster.start(name);
  await cluster.until(() => cluster.isFormed(["node-1", "node-2"]));
});

afterAll(() => cluster.simulation.end());

const ask = (request: string, body?: unknown): Promise<Told> =>
  cluster.ask("node-2", request, body);

describe.each(NAMES)("the name %s", (name) => {
  const lower = name.toLowerCase();

  test("as a field is stored, mapped, found and told", async () => {
    const source = `{"${name}":{"x":1,"${name}":"a b"},"plain":1}`;

    expect((await ask(`PUT /fields-${lower}/_doc/1?refresh=true`, source)).status).toBe(201);

    expect((await ask(`GET /fields-${lower}/_source/1`)).text).toBe(source);
    const { text } = await ask(`GET /fields-${lower}/_mapping`);
    expect(text).toContain(`"${name}":{"properties":{`);
    const found = await ask(`GET /fields-${lower}/_search?q=${name}.x:1&_source=${name}.x`);
    expect(found.text).toContain(`"_source":{"${name}":{"x":1}}`);
    const fields = `{"fields":["${name}.x"],"sort":["${name}.x"],"docvalue_fields":["${name}.x"]}`;
    expect((await ask(`POST /fields-${lower}/_search`, fields)).text).toContain(
      `"fields":{"${name}.x":[1]}`,
    );
  });

  test("as a field that nobody mapped has no values", async () => {
    await ask("PUT /plain/_doc/1?refresh=true", { a: 1 });
    const sorted = await ask("POST /plain/_search", `{"sort":[{"${name}":{}}]}`);
    expect(sorted.text).toContain(`No mapping found for [${name}] in order to sort on`);
    const term = await ask("POST /plain/_search", `{"query":{"term":{"${name}":1}}}`);
    expect(term.text).toContain('"total":{"value":0');
  });

  test("as an aggregation, a suggestion and a query's name is the name of its result", async () => {
    await ask("PUT /plain/_doc/1?refresh=true", { a: 1, t: "word" });
    const body = `{"aggs":{"${name}":{"value_count":{"field":"a"}}},"suggest":{"${name}":{"text":"wrd","term":{"field":"t"}}},"query":{"match":{"t":{"query":"word","_name":"${name}"}}}}`;

    const { status, text } = await ask("POST /plain/_search", body);

    expect(status).toBe(200);
    expect(text).toContain(`"aggregations":{"${name}":{"value":1}}`);
    expect(text).toContain(`"suggest":{"${name}":[`);
    expect(text).toContain(`"matched_queries":["${name}"]`);
  });

  test("as a parameter is one that the operation does not know", async () => {
    const { status, text } = await ask(`GET /_cluster/health?${name}=1`);
    expect(status).toBe(400);
    expect(text).toContain(`contains unrecognized parameter: [${name}]`);
  });

  test.each([
    [`{"${name}":1}`, `Unknown key for a VALUE_NUMBER in [${name}].`],
    [`{"query":{"${name}":{}}}`, `unknown query [${name}]`],
    [`{"query":{"bool":{"${name}":[]}}}`, `[bool] unknown field [${name}]`],
    [`{"aggs":{"a":{"${name}":{}}}}`, `Unknown aggregation type [${name}]`],
    [`{"query":{"function_score":{"functions":[{"${name}":{}}]}}}`, `[${name}]`],
  ])("in %s is an unknown word", async (body, words) => {
    const { status, text } = await ask("POST /_search", body);
    expect(status).toBe(400);
    expect(text).toContain(words);
  });

  test("as a setting's name is kept where the product keeps any name, and refused elsewhere", async () => {
    const key = `cluster.metadata.${name}.p`;
    expect((await ask("PUT /_cluster/settings", { persistent: { [key]: "yes" } })).status).toBe(
      200,
    );

    for (const node of ["node-1", "node-2"]) {
      const flat = await cluster.ask(node, "GET /_cluster/settings?flat_settings=true");
      expect(flat.text).toContain(`"${key}":"yes"`);
      const nested = await cluster.ask(node, "GET /_cluster/settings");
      expect(nested.text).toContain(`"${name}":{"p":"yes"}`);
      expect((await cluster.ask(node, "GET /_cluster/health?timeout=1s")).status).toBe(200);
    }
    expect((await ask("PUT /wrong", `{"settings":{"${name}":1}}`)).text).toContain(
      `unknown setting [index.${name}]`,
    );
  });

  test("as a mapped field, a multi-field, a member of _meta and an alias is kept", async () => {
    const mappings = `{"_meta":{"${name}":{"a":1}},"properties":{"${name}":{"type":"text","fields":{"${name}":{"type":"keyword"}}}}}`;

    const made = await ask(
      `PUT /mapped-${lower}`,
      `{"mappings":${mappings},"aliases":{"a-${lower}":{}}}`,
    );

    expect(made.status).toBe(200);
    const { text } = await ask(`GET /mapped-${lower}`);
    expect(text).toContain(`"mappings":${mappings}`);
    expect(text).toContain(`"aliases":{"a-${lower}":{}}`);
  });

  test("as a type, a parameter or an analyzer of a field is unknown", async () => {
    const field = (definition: string): Promise<Told> =>
      ask("PUT /wrong", `{"mappings":{"properties":{"a":${definition}}}}`);
    expect((await field(`{"type":"${name}"}`)).text).toContain(
      `No handler for type [${name}] declared on field [a]`,
    );
    expect((await field(`{"type":"long","${name}":1}`)).text).toContain(
      `unknown parameter [${name}] on mapper [a] of type [long]`,
    );
    expect((await field(`{"type":"text","analyzer":"${name}"}`)).status).toBe(400);
  });

  test("in a template is kept, and comes into the indices it makes", async () => {
    const body = `{"index_patterns":["from-${lower}*"],"template":{"mappings":{"properties":{"${name}":{"type":"long"}}}},"_meta":{"${name}":1}}`;
    expect((await ask(`PUT /_index_template/t-${lower}`, body)).status).toBe(200);
    expect((await ask(`GET /_index_template/t-${lower}`)).text).toContain(`"_meta":{"${name}":1}`);
    await ask(`PUT /from-${lower}-1`);
    expect((await ask(`GET /from-${lower}-1/_mapping`)).text).toContain(
      `"properties":{"${name}":{"type":"long"}}`,
    );
    await ask(`DELETE /_index_template/t-${lower}`);
  });
});

test("an analyzer whose name begins with an underscore is refused, and nothing else gets fields from it", async () => {
  const body =
    '{"settings":{"analysis":{"analyzer":{"__proto__":{"type":"custom","tokenizer":"standard"}}}}}';

  const { status, text } = await ask("PUT /polluted", body);

  expect(status).toBe(400);
  expect(text).toContain(`analyzer name must not start with '_'. got \\"__proto__\\"`);
  await ask("PUT /after/_doc/1", { a: 1 });
  expect((await ask("GET /after/_mapping")).text).toBe(
    '{"after":{"mappings":{"properties":{"a":{"type":"long"}}}}}',
  );
});

test("an index whose analyzers cannot be made is refused although it has no mapping", async () => {
  const analysis = { analyzer: { a: { type: "nonsense" } } };
  const refused = await ask("PUT /unmade", { settings: { analysis } });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Unknown analyzer type [nonsense] for [a]");

  await ask("PUT /closed");
  await ask("POST /closed/_close");
  expect((await ask("PUT /closed/_settings", { analysis })).text).toContain(
    "Unknown analyzer type [nonsense] for [a]",
  );
});

test("members that the wire and the printer give a meaning stay members where a client wrote them", async () => {
  const meta = '{"$bigint":"x","$$bigint":"y","rawJson":"}}"}';
  await ask("PUT /marked", `{"mappings":{"_meta":${meta}}}`);
  expect((await cluster.ask("node-1", "GET /marked/_mapping")).text).toContain(`"_meta":${meta}`);

  const { text } = await ask(
    "POST /marked/_search",
    `{"aggs":{"a":{"value_count":{"field":"n"},"meta":${meta}}}}`,
  );
  expect(text).toContain(`"meta":${meta}`);
});

test.each(["null", "[]", '"x"', "7"])("a random score takes the seed %s", async (seed) => {
  await ask("PUT /plain/_doc/1?refresh=true", { a: 1 });
  const random = `{"random_score":{"seed":${seed},"field":"a"}}`;
  const body = `{"query":{"function_score":{"functions":[${random}]}}}`;
  expect((await ask("POST /plain/_search", body)).status).toBe(200);
});

test.each(["true", "1.5", "{}"])("a random score refuses the seed %s", async (seed) => {
  const random = `{"random_score":{"seed":${seed},"field":"a"}}`;
  const body = `{"query":{"function_score":{"functions":[${random}]}}}`;
  expect((await ask("POST /plain/_search", body)).status).toBe(400);
});

test("no score is above an infinite one", async () => {
  expect((await ask("GET /plain/_count?min_score=1e999")).json["count"]).toBe(0);
});
