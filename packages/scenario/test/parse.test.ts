/** Scenario files: what is read, and that each mistake is one sentence with file, line, key and the nearest valid key. */
import { OperationError } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { parseScenario, writePlan } from "../src/index.ts";

const good = `name: theme/what-happens
claim: Nothing is lost.

clusters:
  main:
    nodes: 3
    zones: [a, b]
    settings: { cluster.routing.allocation.enable: all, node.data: true }

indices:
  books: { shards: 2, replicas: 1 }

workload: { kind: bulk, index: books, clients: 3, documents: 10, every: 50ms, timeout: 5s }

faults:
  - { kind: crash, node: elected-cluster-manager, from: 1s, to: 2s }
  - kind: partition
    isolate: node-2
    from: 2s
  - { kind: delay, from: 1s, to: 3s, high: 20ms, sender: "any@main" }

timeline:
  - { at: 1s, request: GET /_cluster/health, until: 10s, expect: { status: 200, body: { status: green } } }
  - { wait: 500ms }
  - { when: { health: yellow }, fault: { kind: crash, node: "primary:books/0" }, for: 1s, id: late }

phases: { faults: 4s, converge: 2m }

checkers:
  - converges-to-green
`;

function problemOf(text: string): string {
  try {
    parseScenario("file.yaml", text);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    expect(error.problem).toMatchObject({ type: "parse_exception", status: 400 });
    return error.problem.reason ?? "";
  }
  return "no problem";
}

describe("a scenario file", () => {
  test("is read as a plan", () => {
    const scenario = parseScenario("file.yaml", good);

    const settings = {};
    expect(scenario).toEqual({
      name: "theme/what-happens",
      claim: "Nothing is lost.",
      worlds: ["sim", "memory", "grpc", "websocket"],
      clusters: [
        {
          name: "main",
          nodes: [
            { name: "node-1", zone: "a", settings },
            { name: "node-2", zone: "b", settings },
            { name: "node-3", zone: "a", settings },
          ],
          settings: { "cluster.routing.allocation.enable": "all", "node.data": "true" },
        },
      ],
      indices: [
        {
          name: "books",
          cluster: "main",
          shards: 2,
          replicas: 1,
          settings: {},
          mappings: {},
          aliases: {},
        },
      ],
      workload: [
        {
          kind: "bulk",
          index: "books",
          clients: 3,
          documents: 10,
          ids: "named",
          refresh: "none",
          everyMs: 50,
          timeoutMs: 5000,
          fromMs: 0,
        },
      ],
      faults: [
        {
          trigger: { kind: "at", atMs: 1000 },
          forMs: 1000,
          fault: { kind: "crash", node: "elected-cluster-manager" },
        },
        { trigger: { kind: "at", atMs: 2000 }, fault: { kind: "partition", isolate: "node-2" } },
        {
          trigger: { kind: "at", atMs: 1000 },
          forMs: 2000,
          fault: { kind: "delay", lowMs: 0, highMs: 20, sender: "any@main" },
        },
      ],
      timeline: [
        {
          trigger: { kind: "at", atMs: 1000 },
          action: {
            kind: "request",
            step: {
              method: "GET",
              uri: "/_cluster/health",
              expect: { status: 200, body: { status: "green" } },
              untilMs: 10_000,
              timeoutMs: 30_000,
            },
          },
        },
        { trigger: { kind: "then" }, action: { kind: "wait", forMs: 500 } },
        {
          trigger: { kind: "when", condition: { health: "yellow", count: 1 }, fromMs: 0 },
          action: {
            kind: "fault",
            fault: { kind: "crash", node: "primary:books/0" },
            forMs: 1000,
            id: "late",
          },
        },
      ],
      phases: { faultsMs: 4000, convergeMs: 120_000 },
      checkers: ["converges-to-green"],
    });
  });

  test("may name nodes that it adds", () => {
    const text = good.replace(
      "- { kind: crash, node: elected-cluster-manager, from: 1s, to: 2s }",
      `- { kind: add-node, name: fresh, zone: c, from: 1s }
  - { kind: add-node, from: 1s }
  - { kind: crash, node: fresh, from: 2s, to: 3s }
  - { kind: crash, node: "zone:c", from: 2s, to: 3s }
  - { kind: crash, node: added-1, from: 3s }`,
    );

    expect(parseScenario("file.yaml", text).faults).toHaveLength(7);
  });

  test("is the same plan after it was written and read again", () => {
    const plan = parseScenario("file.yaml", good);

    expect(parseScenario("again.json", JSON.stringify(writePlan(plan)))).toEqual(plan);
  });

  test("may say something twice with an anchor", () => {
    const text = good
      .replace("from: 2s", "from: &start 2s")
      .replace("from: 1s, to: 3s", "from: *start, to: 3s");

    expect(parseScenario("file.yaml", text).faults[2]?.trigger).toEqual({ kind: "at", atMs: 2000 });
  });
});

describe("what a file may leave out or say shorter", () => {
  const bare = "name: a/b\nclaim: c\n";

  test("checkers that are not said are all that apply, and an empty list is none", () => {
    const applying = parseScenario("file.yaml", bare).checkers;

    expect(applying).toContain("converges-to-green");
    expect(applying).not.toContain("decommissioned-zone-is-empty");
    expect(applying).not.toContain("no-acknowledged-write-lost");
    const written = `${bare}indices: { books: { data: { documents: 5 } } }\n`;
    expect(parseScenario("file.yaml", written).checkers).toContain("no-acknowledged-write-lost");
    expect(
      parseScenario("file.yaml", `${written}timeline: [{ request: DELETE /books }]\n`).checkers,
    ).not.toContain("no-acknowledged-write-lost");
    expect(parseScenario("file.yaml", `${bare}checkers: []\n`).checkers).toEqual([]);
    expect(
      parseScenario("again.json", JSON.stringify(writePlan(parseScenario("a", bare)))),
    ).toEqual(parseScenario("a", bare));
  });

  test("<< takes over the entries of another map, and what is said beside it wins", () => {
    const { indices } = parseScenario(
      "file.yaml",
      `${bare}indices:\n  a: &a { shards: 3, replicas: 2 }\n  b: { replicas: 0, <<: *a }\n  c: { <<: [{ shards: 5 }, *a] }\n`,
    );

    expect(indices.map(({ name, shards, replicas }) => [name, shards, replicas])).toEqual([
      ["a", 3, 2],
      ["b", 3, 0],
      ["c", 5, 2],
    ]);
    expect(problemOf(`${bare}phases: { <<: 5 }\n`)).toBe(
      "file.yaml:3:11: [<<] takes over the entries of a map, such as [<<: *name], or of several",
    );
  });

  test("several nodes are a list", () => {
    const text = `${bare}faults: { kind: partition, isolate: [node-1, "primary:books/0"] }\nindices: { books: {} }\n`;
    const plan = parseScenario("file.yaml", text);

    expect(writePlan(plan)["faults"]).toEqual([
      { kind: "partition", isolate: ["node-1", "primary:books/0"], from: "0ms" },
    ]);
    expect(problemOf(text.replace('"primary:books/0"', "node-1"))).toBe(
      "file.yaml:3:28: a node is named twice",
    );
  });

  test("a shard of an index that a request makes may be named", () => {
    const text = `${bare}timeline:\n  - { request: PUT /later }\n  - { stop: "primary:later/3" }\n`;

    expect(parseScenario("file.yaml", text).timeline).toHaveLength(2);
    expect(problemOf(text.replace("  - { request: PUT /later }\n", ""))).toMatch(
      /unknown index \[later\]/,
    );
  });
});

describe("a mistake is named with file, line and column", () => {
  test.each([
    ["an unknown key", "claim:", "clam:", "2:1: unknown key [clam] -> did you mean [claim]?"],
    [
      "a node setting that nobody knows",
      "node.data: true",
      "node.dta: true",
      "8:57: unknown setting [node.dta] did you mean [node.data]?",
    ],
    [
      "node settings that cannot be together",
      "node.data: true",
      "search.default_keep_alive: 2d",
      /^6:5: Default keep alive setting for request .* \(2d > 1d\)$/,
    ],
    [
      "a node setting with a value that nobody can read",
      "node.data: true",
      "node.data: maybe",
      "8:57: Failed to parse value [maybe] as only [true] or [false] are allowed.",
    ],
    [
      "an index whose name no cluster takes",
      "  books: {",
      "  _books: {",
      "11:3: Invalid index name [_books], must not start with '_', '-', or '+'",
    ],
    [
      "an index setting that nobody knows",
      "replicas: 1 }",
      "replicas: 1, settings: { index.number_of_replica: 2 } }",
      /^11:36: unknown setting \[index.number_of_replica\]/,
    ],
    [
      "a type of field that nobody knows",
      "replicas: 1 }",
      "replicas: 1, mappings: { properties: { title: { type: txt } } } }",
      /^11:36: .*No handler for type \[txt\] declared on field \[title\]/,
    ],
    [
      "an alias with the name of its index",
      "replicas: 1 }",
      "replicas: 1, aliases: { books: {} } }",
      /^11:36: index, alias, and data stream names need to be unique/,
    ],
    [
      "an index with the name of another's alias",
      "replicas: 1 }",
      "replicas: 1, aliases: { other: {} } }\n  other: {}",
      /^12:3: Invalid index name \[other\], already exists as alias/,
    ],
    [
      "an alias with two indices to write to",
      "replicas: 1 }",
      "replicas: 1, aliases: { a: { is_write_index: true } } }\n  other: { aliases: { a: { is_write_index: true } } }",
      /^12:12: alias \[a\] has more than one write index \[other,books\]/,
    ],
    [
      "a key that is like no other",
      "indices:",
      "zzz:",
      /^10:1: unknown key \[zzz\]: expected one of \[name, claim, .*, phases\]$/,
    ],
    [
      "an unknown key of a fault",
      "    isolate: node-2",
      "    isolat: node-2",
      "18:5: unknown key [isolat] -> did you mean [isolate]?",
    ],
    [
      "a key of another kind of fault",
      "node: elected-cluster-manager",
      "isolate: elected-cluster-manager",
      /^16:20: unknown key \[isolate\]/,
    ],
    [
      "an unknown fault",
      "kind: partition",
      "kind: partitoin",
      "17:5: unknown fault [partitoin] -> did you mean [partition]?",
    ],
    [
      "an unknown workload",
      "kind: bulk",
      "kind: bulky",
      "13:13: unknown workload [bulky] -> did you mean [bulk]?",
    ],
    [
      "an unknown checker",
      "- converges-to-green",
      "- converge-to-green",
      "30:5: unknown checker [converge-to-green] -> did you mean [converges-to-green]?",
    ],
    [
      "a node that is not in the cluster",
      "isolate: node-2",
      "isolate: node-4",
      "18:5: unknown node [node-4] -> did you mean [node-1]?",
    ],
    [
      "a list of nodes with one that is not there",
      "isolate: node-2",
      "isolate: [node-1, node-4]",
      "18:23: unknown node [node-4] -> did you mean [node-1]?",
    ],
    [
      "an object where a node is meant",
      "isolate: node-2",
      "isolate: { node-2: true }",
      "18:5: expected one node, not an object: one of [elected-cluster-manager, any, any-but-elected-cluster-manager, all, minority, majority, node-1, node-2, node-3]",
    ],
    [
      "a role that no node has",
      "isolate: node-2",
      'isolate: "role:warm"',
      "18:5: no node of the plan has the role [warm]",
    ],
    [
      "a shard that its index does not have",
      "primary:books/0",
      "primary:books/2",
      "25:55: the index [books] has no shard [2]: it has 2, counted from 0",
    ],
    [
      "a status that is none",
      "status: 200",
      'status: ">= 2000"',
      "23:68: [>= 2000] is no status: expected a number such as [200], a list of them, or a comparison such as [>= 400]",
    ],
    [
      "a misspelt selector",
      "node: elected-cluster-manager",
      "node: elected-cluster-manger",
      "16:20: unknown node [elected-cluster-manger] -> did you mean [elected-cluster-manager]?",
    ],
    [
      "a selector of a cluster that is not there",
      "any@main",
      "any@man",
      "20:50: unknown cluster [man] -> did you mean [main]?",
    ],
    [
      "an index of a cluster that is not there",
      "{ shards: 2,",
      "{ cluster: maim, shards: 2,",
      "11:12: unknown cluster [maim] -> did you mean [main]?",
    ],
    ["a missing key", "claim: Nothing is lost.\n", "", "1:1: [claim] is missing"],
    ["a missing kind", "- kind: partition\n    isolate", "- isolate", "17:5: [kind] is missing"],
    ["a missing selector", "node: elected-cluster-manager, ", "", "16:5: [node] is missing"],
    [
      "a number that is text",
      "nodes: 3",
      "nodes: three",
      "6:5: [nodes] must be a whole number from 1 to 100",
    ],
    [
      "a number out of bounds",
      "shards: 2",
      "shards: 0",
      "11:12: [shards] must be a whole number from 1 to 1024",
    ],
    [
      "a time without unit",
      "every: 50ms",
      "every: 50",
      "13:66: [every] must be a time value such as [5s]",
    ],
    ["a zone that is no text", "zones: [a, b]", "zones: [a, {}]", "7:16: [zones] must be text"],
    [
      "a setting that is no text",
      "node.data: true",
      "node.data: [1]",
      "8:57: [node.data] must be text",
    ],
    [
      "a fault that is none",
      "- kind: partition\n    isolate: node-2\n    from: 2s",
      "- crash",
      "17:5: [fault] must be an object",
    ],
    [
      "a fault that ends before it starts",
      "from: 1s, to: 2s",
      "from: 2s, to: 1s",
      "16:5: [to] is before [from]",
    ],
    [
      "a fault that outlasts its phase",
      "from: 1s, to: 2s",
      "from: 1s, to: 5s",
      "16:5: the fault ends after the end of its phase",
    ],
    [
      "a fault that starts after its phase",
      "from: 2s\n",
      "from: 5s\n",
      "17:5: the fault starts after the end of its phase",
    ],
    [
      "a fault that makes no sense",
      "high: 20ms",
      "low: 1s, high: 20ms",
      "20:5: [low] is longer than [high]",
    ],
    [
      "two triggers",
      "when: { health: yellow }",
      "at: 1s, when: { health: yellow }",
      "25:5: [when] and [at] cannot be said together",
    ],
    [
      "an entry that does nothing",
      "{ wait: 500ms }",
      "{ at: 500ms }",
      "24:5: an entry does one of [fault, end, request, wait, start, stop]",
    ],
    [
      "an entry that does two things",
      "{ wait: 500ms }",
      "{ wait: 500ms, end: late }",
      "24:5: an entry does one thing, not [end] and [wait]",
    ],
    [
      "the end of a fault that is not there",
      "{ wait: 500ms }",
      "{ end: early }",
      "24:5: no fault of the timeline has the id [early]",
    ],
    [
      "a request without a path",
      "request: GET /_cluster/health",
      "request: health",
      "23:15: [request] must be METHOD /path, such as [GET /_cluster/health]",
    ],
    [
      "a plan with too many shards",
      "shards: 2, replicas: 1",
      "shards: 1000, replicas: 10",
      "1:1: a plan has at most 10000 shard copies, not 11000",
    ],
    [
      "a plan with too many documents",
      "{ shards: 2, replicas: 1 }",
      "{ data: { documents: 1000000 } }\n  more: { data: { documents: 1 } }",
      "1:1: the indices of a plan hold at most 1000000 documents at first, not 1000001",
    ],
    [
      "a plan whose clients do too much",
      "clients: 3, documents: 10, every: 50ms",
      "clients: 1000, documents: 10000, every: 0ms",
      "1:1: the clients of a plan do at most 10000000 operations, not 40000000000",
    ],
    [
      "a key given twice",
      "phases: {",
      "phases: {}\nphases: {",
      "28:1: the key [phases] is said twice: keys must be unique",
    ],
    [
      "a second document",
      "faults:\n",
      "---\nfaults:\n",
      "15:1: a scenario is one document, and another one begins here",
    ],
    ["an alias of nothing", "from: 2s", "from: *start", "19:11: no anchor before it has this name"],
    [
      "a cluster that cannot form",
      "nodes: 3",
      "nodes: [{ count: 3, roles: [data] }]",
      "5:3: no node of the cluster [main] has the role [cluster_manager]: it cannot form",
    ],
    [
      "a zone that no node is in",
      "isolate: node-2",
      "isolate: zone:d",
      "18:5: unknown zone [d]: expected one of [a, b]",
    ],
    [
      "a role that there is not",
      "isolate: node-2",
      "isolate: role:dta",
      "18:5: unknown role [dta] -> did you mean [data]?",
    ],
    [
      "a shard that is no number",
      "primary:books/0",
      "primary:books/first",
      /^25:\d+: \[primary:books\/first\] names no shard/,
    ],
    [
      "a node that is added, and there already",
      "- { kind: crash, node: elected-cluster-manager, from: 1s, to: 2s }",
      "- { kind: add-node, name: node-2, from: 1s }",
      "16:5: there is a node [node-2] already",
    ],
    [
      "a workload of a cluster that is not there",
      "clients: 3,",
      "cluster: man,",
      "13:39: unknown cluster [man] -> did you mean [main]?",
    ],
    [
      "a workload that starts after its phase",
      "clients: 3,",
      "from: 5s,",
      "13:1: the workload starts after the end of the faults' phase",
    ],
    [
      "requests of nothing",
      "{ kind: bulk, index: books, clients: 3, documents: 10,",
      "{ kind: requests, mix: [],",
      "13:29: [mix] is empty",
    ],
    [
      "a request of a method that there is not",
      "{ kind: bulk, index: books, clients: 3, documents: 10,",
      "{ kind: requests, mix: { request: FETCH /books },",
      "13:36: [request] must be METHOD /path, such as [GET /_cluster/health]",
    ],
    [
      "a checker named twice",
      "  - converges-to-green",
      "  - converges-to-green\n  - converges-to-green",
      "31:5: the checker [converges-to-green] is named twice",
    ],
    [
      "a time that says nothing beside another one",
      "{ at: 1s, request",
      "{ at: 1s, from: 2s, request",
      "23:15: [from] says nothing beside [at]",
    ],
    [
      "a time that would never be looked at",
      "{ wait: 500ms }",
      "{ from: 1s, wait: 500ms }",
      "24:7: [from] goes with [every] or [when]: a time alone is [at]",
    ],
    [
      "an end of what happens once",
      "{ wait: 500ms }",
      "{ at: 1s, to: 2s, wait: 500ms }",
      "24:15: [to] goes with [every] or [when]: [for] says how long a fault lasts",
    ],
    [
      "a window that is over before it begins",
      "{ wait: 500ms }",
      "{ every: 1s, from: 3s, to: 2s, wait: 500ms }",
      "24:5: [to] is before [from]",
    ],
    [
      "a moment that must come after the end of the phase",
      "{ wait: 500ms }",
      "{ when: { nodes: 2 }, to: 5s, wait: 500ms }",
      "24:5: [to] is after the end of the faults' phase",
    ],
    [
      "a window that outlasts its phase",
      "{ wait: 500ms }",
      "{ within: [1s, 5s], wait: 500ms }",
      "24:5: [within] ends after the end of the faults' phase",
    ],
    [
      "what happens too often",
      "{ wait: 500ms }",
      "{ every: 0.1ms, wait: 1ms }",
      "24:5: [every] comes to 40000 times: a plan has at most 10000",
    ],
    [
      "a condition that says nothing",
      "when: { health: yellow }",
      "when: {}",
      "25:7: [when] says nothing to wait for: one of [health, nodes, shard, event, request]",
    ],
    [
      "a condition of an index, and nothing of it",
      "when: { health: yellow }",
      "when: { nodes: 3, index: books }",
      "25:25: [index] goes with [health] or [shard]",
    ],
    [
      "a condition on a cluster that is not there",
      "when: { health: yellow }",
      "when: { cluster: man, health: yellow }",
      "25:15: unknown cluster [man] -> did you mean [main]?",
    ],
    [
      "an event that there is not",
      "when: { health: yellow }",
      "when: { event: { kind: mesage-sent } }",
      "25:24: unknown kind of event [mesage-sent] -> did you mean [message-sent]?",
    ],
    [
      "a field that an event has not",
      "when: { health: yellow }",
      "when: { event: { kind: message-sent, acton: x } }",
      "25:44: unknown key [acton] -> did you mean [action]?",
    ],
    [
      "a text where an event has a number",
      "when: { health: yellow }",
      "when: { event: { kind: client-response, status: ok } }",
      "25:47: [status] of [client-response] must be a number",
    ],
    [
      "how long a fault lasts, said in the fault",
      'node: "primary:books/0" }, for: 1s,',
      'node: "primary:books/0", for: 1s },',
      "25:80: [for] is of the entry, not of the fault: it stands beside [fault]",
    ],
    [
      "how long a fault lasts that is over at once",
      'fault: { kind: crash, node: "primary:books/0" }',
      'fault: { kind: restart, node: "primary:books/0" }',
      "25:33: [restart] is over at once: it takes no [to] and no [for]",
    ],
    [
      "a scripted fault that outlasts its phase",
      "when: { health: yellow }",
      "at: 3500ms",
      "25:5: the fault ends after the end of its phase",
    ],
    [
      "a fault of the script that lasts longer than its phase",
      "{ wait: 500ms }",
      "{ fault: { kind: partition, isolate: node-1 }, for: 5s }",
      "24:5: the fault ends after the end of its phase",
    ],
    [
      "a script that waits for longer than the plan lasts",
      "{ wait: 500ms }",
      "{ wait: 2h }",
      "24:5: the script waits longer than the phases of the plan last together",
    ],
    [
      "an answer that is waited for longer than that",
      "until: 10s",
      "until: 3m",
      "23:5: [until] is longer than the phases of the plan last together",
    ],
    [
      "a client that waits longer than its phase lasts",
      "every: 50ms",
      "every: 1h",
      "13:1: [every] is longer than the faults' phase: say [requests: 1] for one",
    ],
    [
      "two faults of one name",
      "{ wait: 500ms }",
      "{ fault: { kind: partition, isolate: node-1 }, id: late }",
      "25:5: two faults have the id [late]",
    ],
    [
      "a value that nobody saved",
      "request: GET /_cluster/health",
      'request: "GET /_dangling/{uuid}"',
      "23:5: no entry saves [uuid], which its path names",
    ],
    [
      "an address of a node that is not there",
      "until: 10s,",
      'body: { seeds: ["{address:node-4}"] },',
      "23:15: unknown node [node-4] -> did you mean [node-1]?",
    ],
    [
      "a regular expression that is none",
      "body: { status: green }",
      "body: { status: /(/ }",
      /^23:\d+: Invalid regular expression/,
    ],
    [
      "a comparison with no number",
      "body: { status: green }",
      'body: { status: ">= some" }',
      /^23:\d+: \[>= some\] compares with no number/,
    ],
    ["broken YAML", "zones: [a, b]", "zones: [a, b", /^\d+:\d+: /],
  ])("%s", (_name, before, after, expected) => {
    const text = good.replace(before, after);
    expect(text).not.toBe(good);

    const problem = problemOf(text).replace("file.yaml:", "");

    if (typeof expected === "string") expect(problem).toBe(expected);
    else expect(problem).toMatch(expected);
  });

  test("a checker that has nothing to judge", () => {
    const text = `name: a/b
claim: Nothing.
checkers: [copies-of-a-shard-agree]
`;

    expect(problemOf(text)).toBe(
      "file.yaml:3:1: the checker [copies-of-a-shard-agree] does not apply: there is no index to compare",
    );
  });

  test("a checker of what is written where clients only read", () => {
    const text = `name: a/b
claim: Nothing.
indices: { books: {} }
workload: { kind: search, index: books }
checkers: [no-acknowledged-write-lost]
`;

    expect(problemOf(text)).toBe(
      "file.yaml:5:1: the checker [no-acknowledged-write-lost] does not apply: no client writes, and no index has data",
    );
  });

  test("a plan that is too large", () => {
    expect(problemOf(`# ${"x".repeat(2 ** 20)}`)).toBe(
      "file.yaml:1:1: a scenario must not be larger than 1048576 characters",
    );
  });

  test("a few lines that stand for billions", () => {
    const lines = Array.from({ length: 12 }, (_, i) => {
      const ten = Array.from({ length: 10 }, () => (i === 0 ? "x" : `*a${i - 1}`));
      return `k${i}: &a${i} [${ten.join(", ")}]`;
    });

    expect(problemOf(lines.join("\n"))).toMatch(
      /^file.yaml:\d+:\d+: a scenario must not come to more than 500000 values$/,
    );
  });

  test.each(["name: &a [*a]", "[".repeat(50_000), `${"- ".repeat(300)}x`])(
    "what is nested without end",
    (text) => {
      expect(problemOf(text)).toMatch(/: a scenario must not be nested more than 100 deep$/);
    },
  );

  test("a file that is empty", () => {
    expect(problemOf(" \n")).toBe("file.yaml:1:1: the file is empty");
  });

  test.each(["# a comment\n", "just text", "- a\n- list\n"])(
    "a file that is no object: %j",
    (text) => {
      expect(problemOf(text)).toBe("file.yaml:1:1: a scenario must be an object");
    },
  );
});

test("a request names the address of a node of the other cluster", async () => {
  const text = (node: string): string => `name: test/placeholders
claim: Used by tests.
clusters: { lead: { nodes: 1 }, follow: { nodes: 1 } }
workload: { kind: bulk, index: books }
timeline:
  - request: "PUT /_cluster/settings"
    body: { persistent: { cluster.remote.lead.seeds: ["\${transport:${node}}"] } }
checkers: [converges-to-green]
`;
  const [entry] = parseScenario("test.yaml", text("lead-1")).timeline;

  expect(entry?.action.kind).toBe("request");
  expect(() => parseScenario("test.yaml", text("laed-1"))).toThrow(/laed-1.*lead-1/);
});
