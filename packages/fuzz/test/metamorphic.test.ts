/** The same requests in several arrangements of nodes: what may differ, and what is found. */
import { createRandom } from "@orrery/stdx";
import { forSeedsAsync } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { play } from "../src/metamorphic/arrangements.ts";
import { firstDifference } from "../src/metamorphic/compare.ts";
import { drawCase, shrinkCase } from "../src/metamorphic/generate.ts";
import { judgeCase } from "../src/metamorphic/judge.ts";
import { kinds } from "../src/metamorphic/kinds.ts";
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
  const drawn = Array.from({ length: 30 }, (_, i) => drawCase(createRandom(`${i}`)));

  const seen = new Set(drawn.flatMap(({ requests }) => requests.map(({ kind }) => kind)));
  expect(drawCase(createRandom("7"))).toEqual(drawn[7]);
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
    expect(await judgeCase(drawCase(random), seed)).toEqual({});
  });
}, 60_000);

test("an arrangement answers as its clients would see it", async () => {
  const requests: readonly Asked[] = [
    { kind: "write", method: "PUT", uri: "/books/_doc/1?refresh=true", body: '{"n":1}' },
    { kind: "count", method: "POST", uri: "/books/_count" },
    { kind: "get", method: "HEAD", uri: "/nosuch" },
  ];

  const answers = await play({ name: "three nodes", nodes: 3 }, requests, 1);

  expect(answers.map(({ status }) => status)).toEqual([201, 200, 404]);
  expect(JSON.parse(answers[1]?.text ?? "")).toMatchObject({ count: 1 });
}, 30_000);
