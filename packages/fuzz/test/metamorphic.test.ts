/** The same requests in several arrangements of nodes: what may differ, and what is found. */
import { existsSync } from "node:fs";
import { createRandom } from "@orrery/stdx";
import { forSeedsAsync } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { withSimulated } from "../src/metamorphic/arrangements.ts";
import { firstDifference } from "../src/metamorphic/compare.ts";
import { shrinkCase } from "../src/metamorphic/generate.ts";
import { judgeCase } from "../src/metamorphic/judge.ts";
import { play, type ClusterUnderTest } from "../src/metamorphic/play.ts";
import { drawSequence } from "../src/metamorphic/sources/drawn.ts";
import { kinds } from "../src/metamorphic/sources/kinds.ts";
import { tellsOfPlacement } from "../src/metamorphic/sources/placement.ts";
import { readRecorded } from "../src/metamorphic/sources/recorded.ts";
import { sharedFolder } from "../src/metamorphic/sources/shared-folder.ts";
import { readSuiteFile, suiteFiles } from "../src/metamorphic/sources/suite.ts";
import type { Answer, Asked } from "../src/metamorphic/request.ts";

const asked: Asked = { kind: "search", method: "POST", uri: "/books/_search" };
const told = (body: unknown, status = 200): Answer => ({
  ...{ status, contentType: "application/json", text: JSON.stringify(body) },
});

describe("two answers", () => {
  test("may differ in time, placement, and what the cluster draws", () => {
    const one = told({ took: 1, _shards: { total: 2, successful: 1 }, hits: [{ _id: "1" }] });
    const other = told({ took: 9, _shards: { total: 3, successful: 2 }, hits: [{ _id: "1" }] });

    expect(firstDifference(one, other)).toBeUndefined();
  });

  test("may not differ in status, values, numbers as they are written, or the order of members", () => {
    const differences = [
      firstDifference(told({}), told({}, 404)),
      firstDifference(told({ hits: [{ n: 1 }] }), told({ hits: [{ n: 2 }] })),
      firstDifference(told({ a: 1, b: 2 }), told({ b: 2, a: 1 })),
      firstDifference(told({ a: 1 }), { ...told({}), text: '{"a":1.0}' }),
      firstDifference(
        told({ _shards: { total: 3, skipped: 0 } }),
        told({ _shards: { total: 2, skipped: 0 } }),
      ),
    ];

    expect(differences.map((found) => found?.where)).toEqual([
      "status 200 and 404",
      "body.hits.*.n",
      "body.order",
      "body.a",
      "body._shards.total",
    ]);
  });
});

test("a drawn sequence is a function of its seed, and of every kind some are drawn", () => {
  const drawn = Array.from({ length: 30 }, (_, i) => drawSequence(createRandom(`${i}`)));

  const seen = new Set(drawn.flatMap((requests) => requests.map(({ kind }) => kind)));
  expect(drawSequence(createRandom("7"))).toEqual(drawn[7]);
  expect([...seen].toSorted()).toEqual(Object.keys(kinds).toSorted());
});

test("a smaller sequence lacks some of the requests", () => {
  const requests = [1, 2, 3, 4].map((n) => ({ ...asked, uri: `/${n}` }));

  const smaller = [...shrinkCase({ requests })].map((one) => one.requests.map(({ uri }) => uri));

  expect(smaller[0]).toEqual(["/3", "/4"]);
  expect(smaller.at(-1)).toEqual(["/1", "/2", "/3"]);
});

test("drawn sequences are answered alike by one, three and five nodes, and over a slow network", async () => {
  await forSeedsAsync(3, async (random, seed) => {
    expect(await judgeCase({ requests: drawSequence(random) }, seed)).toEqual({});
  });
}, 60_000);

test("an answer that tells how many nodes there are is found", async () => {
  const requests = [{ kind: "nodes", method: "GET", uri: "/_cat/nodes?h=name" }];

  const { finding } = await judgeCase({ requests }, 1);

  expect(finding?.cause).toBe("unlike: nodes: body");
  expect(finding?.detail).toContain("three nodes: request 1, GET /_cat/nodes?h=name");
});

test("a value of an answer is sent in later requests, and stands under its name in answers", async () => {
  const sent: Asked[] = [];
  const echo: ClusterUnderTest = {
    nodes: 1,
    ask: async (_, request) => {
      sent.push(request);
      return told({ deep: [{ id: "abcdefgh" }] });
    },
    settle: async () => undefined,
    isOver: () => sent.length === 2,
  };
  const first = { ...asked, keep: { it: "deep.0.id" } };
  const second = { ...asked, uri: "/${it}", body: '{"id":"${it}"}' };

  const answers = await play(echo, [first, second, second]);

  expect(sent[1]).toMatchObject({ uri: "/abcdefgh", body: '{"id":"abcdefgh"}' });
  expect(answers.map(({ text }) => text)).toEqual(Array(2).fill('{"deep":[{"id":"${it}"}]}'));
});

test.each([
  ["/_cluster/health", true],
  ["/books/_stats/docs", true],
  ["/_cat/shards?v", true],
  ["/books/_doc/1?wait_for_active_shards=2", true],
  ["/_cluster/settings", false],
  ["/_cat/count", false],
  ["/books/_search", false],
])("whether %s tells of nodes and copies: %s", (uri, tells) => {
  expect(tellsOfPlacement(uri)).toBe(tells);
});

const recorded = sharedFolder("recorded");
const suite = sharedFolder("conformance/yaml-rest");

test.skipIf(!existsSync(recorded))(
  "recorded requests of scrolls and points in time are answered alike by all arrangements",
  async () => {
    for (const file of ["scroll.ndjson", "pit.ndjson", "msearch.ndjson"]) {
      const requests = readRecorded(file) ?? [];
      expect(requests.length).toBeGreaterThan(20);
      expect(await judgeCase({ requests }, 1)).toEqual({});
    }
  },
  60_000,
);

test.skipIf(!existsSync(suite))(
  "tests of the public suite are read as requests, and answered alike by all arrangements",
  async () => {
    const tests = readSuiteFile("bulk/10_basic.yml");
    const all = suiteFiles().flatMap(readSuiteFile);

    expect(tests[0]?.[0]).toMatchObject({ method: "POST", uri: expect.stringContaining("_bulk") });
    for (const requests of tests) expect(await judgeCase({ requests }, 1)).toEqual({});
    expect(all.length).toBeGreaterThan(800);
  },
  60_000,
);

test("an arrangement answers as its clients would see it", async () => {
  const requests: readonly Asked[] = [
    { kind: "write", method: "PUT", uri: "/books/_doc/1?refresh=true", body: '{"n":1}' },
    { kind: "count", method: "POST", uri: "/books/_count" },
    { kind: "get", method: "HEAD", uri: "/nosuch" },
  ];

  const answers = await withSimulated({ name: "three nodes", nodes: 3 }, 1, (cluster) =>
    play(cluster, requests),
  );

  expect(answers.map(({ status }) => status)).toEqual([201, 200, 404]);
  expect(JSON.parse(answers[1]?.text ?? "")).toMatchObject({ count: 1 });
}, 30_000);
