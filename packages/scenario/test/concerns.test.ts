/** Concerns about plans that are valid: indices that nothing makes, and copies that no node can hold. */
import { describe, expect, test } from "vitest";
import { concernsOf, parseScenario } from "@orrery/scenario";

const start = `name: a/b
claim: Used by tests.
`;

/** Sentences about the plan, `error` before those that are serious. */
function told(text: string): readonly string[] {
  const source = `${start}${text}`;
  return concernsOf("s.yaml", source, parseScenario("s.yaml", source)).map(
    ({ place, says, isSerious }) =>
      `${"line" in place ? `${place.line}:${place.column} ` : ""}${isSerious ? "error: " : ""}${says}`,
  );
}

const books = "indices: { books: { shards: 1, replicas: 1, aliases: { all: {} } } }\n";

describe("an index that nothing makes", () => {
  test("is a warning if a write creates it, with the nearest name", () => {
    expect(told(`${books}workload: { kind: bulk, index: boks }\n`)).toEqual([
      "4:25 nothing makes the index [boks]; the first write creates it with defaults -> did you mean [books]?",
    ]);
  });

  test("is an error if it is only read, or if the cluster creates none", () => {
    const reads = "workload: [{ kind: bulk, index: books }, { kind: search, index: boks }]\n";
    const closed = "clusters: { main: { settings: { action.auto_create_index: false } } }\n";

    expect(told(`${books}${reads}`)).toEqual([
      "4:58 error: nothing makes the index [boks] -> did you mean [books]?",
    ]);
    expect(told(`${closed}workload: { kind: bulk, index: maps }\n`)).toEqual([
      "4:25 error: nothing makes the index [maps]",
    ]);
  });

  test("is found in requests of the timeline and of clients, unless a failure is expected", () => {
    const timeline = `timeline:
  - { request: GET /letters/_count }
  - { request: GET /maps/_count, expect: { status: 404 } }
  - { request: POST /maps/_count, attempt: true }
workload: { kind: requests, mix: [{ request: GET /films/_search }] }
`;

    expect(told(`${books}${timeline}`)).toEqual([
      "8:37 error: nothing makes the index [films]",
      "5:7 error: nothing makes the index [letters]",
    ]);
  });

  test.each([
    ["it is one of the plan", "workload: { kind: search, index: books }\n"],
    ["it is an alias", "workload: { kind: search, index: all }\n"],
    ["it is a pattern", "workload: { kind: search, index: boo* }\n"],
    [
      "a request creates it",
      "workload: { kind: search, index: maps }\ntimeline: [{ request: PUT /maps }]\n",
    ],
    [
      "it is the target of a clone",
      "workload: { kind: search, index: maps }\ntimeline: [{ request: PUT /books/_clone/maps }]\n",
    ],
    [
      "a request names it as an alias",
      "workload: { kind: search, index: maps }\ntimeline: [{ request: POST /_aliases, body: { actions: [{ add: { index: books, alias: maps } }] } }]\n",
    ],
    [
      "a snapshot is restored",
      "workload: { kind: search, index: maps }\ntimeline: [{ request: POST /_snapshot/r/s/_restore }]\n",
    ],
  ])("is none if %s", (_, text) => {
    expect(told(`${books}${text}`)).toEqual([]);
  });
});

describe("copies that no node can hold", () => {
  const three = "indices: { books: { replicas: 2 } }\n";
  const green = "checkers: [converges-to-green]\n";

  test("are an error if the run is to become green, and a warning otherwise", () => {
    const two = "clusters: { main: { nodes: 2 } }\n";
    const sentence = "3 copies of a shard of [books] cannot be placed: there are 2 data nodes";

    expect(told(`${two}${three}${green}`)).toEqual([`4:21 error: ${sentence}`]);
    expect(told(`${two}${three}checkers: [one-cluster-manager-per-term]\n`)).toEqual([
      `4:21 ${sentence}`,
    ]);
  });

  test("count nodes with the role data alone, of their own cluster", () => {
    const roles =
      "clusters: { a: { nodes: [{ count: 2 }, { roles: [cluster_manager] }] }, b: { nodes: 5 } }\n";

    expect(told(`${roles}${three}${green}`)).toHaveLength(1);
    expect(told(`${roles}indices: { books: { replicas: 2, cluster: b } }\n${green}`)).toEqual([]);
  });

  test("are those that a zone may not have", () => {
    const zones = (attributes: string): string =>
      `clusters: { main: { nodes: [{ count: 3, zone: a }, { zone: b }], settings: { ${attributes} } } }\n`;
    const four = `indices: { books: { replicas: 3 } }\n${green}`;
    const aware = "cluster.routing.allocation.awareness.attributes: zone";

    expect(told(`${zones("cluster.name: x")}${four}`)).toEqual([]);
    expect(told(`${zones(aware)}${four}`)).toEqual([
      "4:21 error: 4 copies of a shard of [books] cannot be placed: a zone holds at most 2 of them, which leaves room for 3 in 2 zones",
    ]);
  });

  test.each([
    ["a node joins", "faults: [{ kind: add-node, from: 1s }]\n"],
    ["settings change", "timeline: [{ request: PUT /books/_settings, body: {} }]\n"],
  ])("are none if %s", (_, text) => {
    expect(told(`clusters: { main: { nodes: 2 } }\n${three}${green}${text}`)).toEqual([]);
  });
});
