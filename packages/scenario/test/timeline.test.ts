/** Entries of the timeline happen when they say, and a request that is not answered as expected fails the run. */
import { describe, expect, test } from "vitest";
import { parseScenario, runScenario, waitsForDetails, type Verdict } from "../src/index.ts";
import type { RecordedEvent } from "../src/world.ts";

interface Told extends Verdict {
  /** Events of faults and steps, with milliseconds from the first of them. */
  readonly told: readonly string[];
}

async function run(timeline: string, seed = 1, more = ""): Promise<Told> {
  const text = `name: test/timeline
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
phases: { faults: 6s, converge: 60s }
checkers: [converges-to-green]
${more}
timeline:
${timeline.replaceAll(/^ {4}/gm, "")}
`;
  const events: RecordedEvent[] = [];
  const plan = parseScenario("test.yaml", text);
  const verdict = await runScenario(plan, seed, { onEvent: (event) => void events.push(event) });
  const of = events.flatMap(({ at_ms: at, ...event }) => {
    if (event.kind === "step-started" || event.kind === "step-ended")
      return [{ at, what: `${event.kind.slice(5)} ${event.step}` }];
    if (event.kind === "fault-started" || event.kind === "fault-ended")
      return [{ at, what: `${event.kind.slice(6)} ${event.fault}` }];
    return [];
  });
  const first = of[0]?.at ?? 0;
  return { ...verdict, told: of.map(({ at, what }) => `${Math.round(at - first)} ${what}`) };
}

test("what an entry saved is compared and sent as it is, text or not", async () => {
  const { failure, verdict } = await run(`
      - { request: PUT /books/_doc/1, body: { pages: 7 } }
      - { request: GET /books/_doc/1, save: { version: _version, pages: _source.pages } }
      - { request: PUT /books/_doc/2, body: { pages: "{pages}", says: "{pages} pages" } }
      - request: GET /books/_doc/2
        expect: { body: { _version: "{version}", _source.pages: ">= {pages}", _source.says: 7 pages } }
      - { request: GET /books/_doc/2, expect: { body: { _source.pages: "{pages}" } } }`);

  expect([failure, verdict]).toEqual([undefined, "pass"]);
});

describe("an entry happens", () => {
  test("at its time, and what follows without a time when it has ended", async () => {
    const { told, verdict } = await run(`
      - { at: 1s, fault: { kind: crash, node: node-3 }, for: 500ms }
      - { wait: 250ms }
      - { fault: { kind: crash, node: node-2 }, id: second }
      - { wait: 1s }
      - { end: second }`);

    expect(told).toEqual([
      "0 started crash",
      "500 ended crash",
      "750 started crash",
      "1750 ended crash",
    ]);
    expect(verdict).toBe("pass");
  });

  test("every so often until its end", async () => {
    const { told } = await run(`
      - { every: 2s, from: 1s, to: 5s, stop: node-3 }
      - { every: 2s, from: 2s, to: 6s, start: node-3 }`);

    expect(told.filter((line) => line.includes("started"))).toEqual([
      "0 started stop node-3",
      "1000 started start node-3",
      "2000 started stop node-3",
      "3000 started start node-3",
    ]);
  });

  test("at a time within its window that the seed draws", async () => {
    const timeline = `
      - { at: 0s, start: node-1 }
      - { within: [1s, 5s], stop: node-3 }`;
    const at = async (seed: number): Promise<number> => {
      const { told } = await run(timeline, seed);
      return Number.parseInt(told.find((line) => line.endsWith("stop node-3")) ?? "", 10);
    };

    const times = [await at(1), await at(2), await at(1)];

    expect(times[0]).toBe(times[2]);
    expect(times[0]).not.toBe(times[1]);
    for (const time of times) expect([time >= 1000, time <= 5000]).toEqual([true, true]);
  });

  test("once the cluster is in a state", async () => {
    const { told, verdict } = await run(`
      - { at: 1s, fault: { kind: crash, node: "replica:books/0" }, id: away }
      - { when: { health: yellow, nodes: 2 }, end: away }`);

    expect(told.map((line) => line.replace(/^\d+ /, ""))).toEqual(["started crash", "ended crash"]);
    expect(Number.parseInt(told[1] ?? "", 10)).toBeLessThan(5000);
    expect(verdict).toBe("pass");
  });

  test("once so many messages were sent", async () => {
    const { told, verdict } = await run(
      `
      - when: { event: { kind: message-sent, action: "indices:data/write/bulk*" }, count: 20 }
        fault: { kind: crash, node: node-3 }
        for: 1s`,
      1,
      "workload: { kind: bulk, index: books }",
    );

    expect(told).toEqual(["0 started crash", "1000 ended crash"]);
    expect(verdict).toBe("pass");
  });
});

test("an entry whose condition never holds leaves the run inconclusive", async () => {
  const { verdict, doubts } = await run(`
      - { when: { nodes: 9 }, stop: node-3 }`);

  expect(verdict).toBe("inconclusive");
  expect(doubts).toEqual([
    'entry 1 of the timeline never happened: {"when":{"nodes":9},"from":"0ms"} did not hold in its phase',
  ]);
});

test("an entry whose condition holds too late never happened", async () => {
  const late = await run(`
      - { at: 2s, fault: { kind: crash, node: node-3 }, for: 1s }
      - { when: { nodes: 2 }, to: 1s, stop: node-2 }`);

  expect(late.told.filter((line) => line.includes("stop"))).toEqual([]);
  expect(late.doubts).toEqual([expect.stringContaining('"to":"1s"} did not hold in its phase')]);
});

test("what an attempt is answered is no finding", async () => {
  const asked = (attempt: boolean): string =>
    `
      - { at: 0s, request: DELETE /nothing${attempt ? ", attempt: true" : ""} }`;

  expect((await run(asked(true))).verdict).toBe("pass");
  expect((await run(asked(false))).verdict).toBe("fail");
});

test("what happens again and again took effect when it did so once", async () => {
  const writtenAt = (time: string): string => `
      - { every: 2s, to: 5s, fault: { kind: disk-slow, node: all, by: 10ms }, for: 500ms }
      - { at: ${time}, request: PUT /books/_doc/1, body: {} }`;

  const { verdict, receipts } = await run(writtenAt("2100ms"));
  const { verdict: never } = await run(writtenAt("600ms"));

  expect(verdict).toBe("pass");
  expect(receipts.map(({ place, hits }) => [place, hits > 0])).toEqual([
    ["entry 1 of the timeline", false],
    ["entry 1 of the timeline", true],
    ["entry 1 of the timeline", false],
  ]);
  expect(never).toBe("inconclusive");
});

test("the end of a fault that has not begun leaves the run inconclusive", async () => {
  const { verdict, doubts } = await run(`
      - { at: 1s, end: later }
      - { at: 2s, fault: { kind: crash, node: node-3 }, for: 1s, id: later }`);

  expect(verdict).toBe("inconclusive");
  expect(doubts).toEqual(["entry 1 of the timeline ended nothing: [later] had not begun"]);
});

test("a list of nodes is a side of a partition", async () => {
  const { verdict, receipts } = await run(
    "",
    1,
    "faults: { kind: partition, isolate: [node-1, node-3], from: 1s, to: 3s }",
  );

  expect(verdict).toBe("pass");
  expect(receipts[0]?.description).toBe("node-1, node-3");
});

test.each(["faults", "timeline"])("what waits for a message in %s needs details", (list) => {
  const what =
    list === "faults" ? "kind: crash, node: node-1" : "fault: { kind: crash, node: node-1 }";
  const plan = parseScenario(
    "test.yaml",
    `{ name: a, claim: b, ${list}: [{ ${what}, when: { event: { kind: message-sent } } }] }`,
  );

  expect(waitsForDetails(plan)).toBe(true);
  expect(waitsForDetails({ ...plan, faults: [], timeline: [] })).toBe(false);
});

test("a step that no node is there for fails the run", async () => {
  const { verdict, findings } = await run(`
      - { at: 1s, request: DELETE /books }
      - { stop: "primary:books/0" }`);

  expect(verdict).toBe("fail");
  expect(findings[0]?.says).toBe(
    "entry 2 of the timeline, stop primary:books/0: no node is that at the moment",
  );
});

test("a node that is added can be meant before it is there", async () => {
  const { verdict, receipts } = await run(`
      - { at: 0s, fault: { kind: crash, node: fresh }, for: 1s }
      - { at: 2s, fault: { kind: add-node, name: fresh } }`);

  expect(verdict).toBe("pass");
  expect(receipts.find(({ fault }) => fault === "crash")).toMatchObject({ hits: 1 });
});

describe("a request", () => {
  test("is asked again until it is answered as expected", async () => {
    const { verdict, told } = await run(`
      - { at: 1s, stop: "replica:books/0" }
      - request: GET /_cluster/health
        expect: { body: { number_of_nodes: 2, status: "/yellow|green/", active_shards: "> 0" } }
        until: 60s
      - { start: all }
      - { request: "GET /_cluster/health", expect: { body: { number_of_nodes: 3 } }, until: 60s }`);

    expect(verdict).toBe("pass");
    expect(told.filter((line) => line.includes("GET"))).toHaveLength(4);
  });

  test("that is not answered as expected fails the run", async () => {
    const { verdict, findings } = await run(`
      - { at: 1s, request: GET /nothing, until: 1s }`);

    expect(verdict).toBe("fail");
    expect(findings).toMatchObject([{ invariant: "INV-LAB-1", checker: "step" }]);
    expect(findings[0]?.says).toBe(
      "entry 1 of the timeline, GET /nothing: the status is 404, not below 300: no such index [nothing]",
    );
  });

  test("that has no answer tells who was asked", async () => {
    const { findings } = await run(`
      - { at: 1s, fault: { kind: pause, node: node-2 } }
      - { request: GET /, node: node-2, timeout: 1s }`);

    expect(findings[0]?.says).toBe(
      "entry 2 of the timeline, GET /: there was no answer: [node-2] was asked",
    );
  });

  test("sends a list line by line, and asks the node it names", async () => {
    const { verdict } = await run(`
      - request: POST /books/_bulk?refresh=true
        node: node-2
        body: [{ index: { _id: a } }, { value: 1 }]
        expect: { status: 200, body: { errors: false, "items.0.index._id": a, items.length: 1 } }
      - request: GET /books/_doc/a
        expect: { body: { _source: { value: 1 }, "no.such.thing": null } }`);

    expect(verdict).toBe("pass");
  });

  test("may expect one of several statuses, a range of them, and a list as the body", async () => {
    const { verdict } = await run(`
      - { request: GET /nothing, expect: { status: [200, 404] } }
      - { request: GET /nothing, expect: { status: ">= 400", body: { $body.status: 404 } } }
      - { request: "GET /_cat/nodes?format=json", expect: { status: "<300", body: { $body.length: 3 } } }`);
    const { findings } = await run(`
      - { request: GET /nothing, expect: { status: [200, 201] } }`);

    expect(verdict).toBe("pass");
    expect(findings[0]?.says).toContain("the status is 404, not 200 or 201: no such index");
  });
});
