/** The answer of a search, printed once from what the coordinating node found. */
import type { SearchResponse } from "@orrery/node";
import { jsonText, RawJson, type Hit, type Printable } from "@orrery/query";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { dispatch } from "../src/dispatch.ts";
import { fakeCluster } from "./fake-cluster.ts";
import { found, hit } from "./found.ts";

/** Each look at the clock takes `msALook`. */
async function answer(
  search: Partial<SearchResponse>,
  { uri = "GET /_search", msALook = 0 } = {},
): Promise<{ text: string; status: number; turns: number; asked: readonly string[] }> {
  let nowMs = 0;
  let turns = 0;
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += msALook),
    setTimer: (_: number, goOn: () => void) => {
      turns += 1;
      queueMicrotask(goOn);
      return () => undefined;
    },
  };
  const answers = { search: { ...found, ...search }, clearScroll: { succeeded: true, freed: 1 } };
  const { cluster, asked } = fakeCluster(answers, { clock });
  const [method = "", path = ""] = uri.split(" ");
  const request = { method, uri: path, headers: {}, body: new Uint8Array(0) };
  const { body, status } = await dispatch(request, cluster);
  const methods = asked.map((one) => one.method);
  return { text: Buffer.concat(body).toString(), status, turns, asked: methods };
}

const shards = '"_shards":{"total":1,"successful":1,"skipped":0,"failed":0}';

test("has its members in the product's order, and each source byte for byte", async () => {
  const aggregations = { render: (): { [name: string]: Printable } => ({ a: { value: 1 } }) };
  const all = {
    scrollId: "s",
    terminatedEarly: true,
    reducePhases: 2,
    hits: [hit, { ...hit, id: "é" }],
    aggregations,
    suggest: { s: [] },
  };

  expect((await answer(all)).text).toBe(
    `{"_scroll_id":"s","took":1,"timed_out":false,"terminated_early":true,"num_reduce_phases":2,${shards},"hits":{"total":{"value":7,"relation":"eq"},"max_score":1.0,"hits":[` +
      '{"_index":"books","_id":"1","_score":1.0,"_source":{ "a" : 1.0 }},{"_index":"books","_id":"é","_score":1.0,"_source":{ "a" : 1.0 }}]},' +
      '"aggregations":{"a":{"value":1}},"suggest":{"s":[]}}',
  );
});

test.each([
  ["without a count", { totalHits: undefined }, "GET /_search", '{"max_score":1.0,"hits":[]}'],
  [
    "without a count, as a number",
    { totalHits: undefined },
    "GET /_search?rest_total_hits_as_int=true",
    '{"total":-1,"max_score":1.0,"hits":[]}',
  ],
  [
    "without a score",
    { maxScore: Number.NaN },
    "GET /_search",
    '{"total":{"value":7,"relation":"eq"},"max_score":null,"hits":[]}',
  ],
])("says of all hits what is known: %s", async (_, search, uri, hits) => {
  expect((await answer(search, { uri })).text).toBe(
    `{"took":1,"timed_out":false,${shards},"hits":${hits}}`,
  );
});

test("filter_path reaches into a source, which is read for it alone", async () => {
  const uri = "GET /_search?filter_path=hits.hits._id,hits.hits._source.a";

  expect((await answer({ hits: [hit] }, { uri })).text).toBe(
    '{"hits":{"hits":[{"_id":"1","_source":{"a":1.0}}]}}',
  );
});

test("prints a long page in turns, and as it prints a short one", async () => {
  const hits = Array.from({ length: 501 }, (_, i): Hit => ({ ...hit, id: String(i) }));
  const long = await answer({ hits }, { msALook: 3 });
  const short = await answer({ hits: hits.slice(0, 500) }, { msALook: 3 });

  expect(short.turns).toBe(0);
  expect(long.turns).toBeGreaterThan(100);
  expect(long.text).toBe(
    short.text.replace(
      /\]\}\}$/,
      ',{"_index":"books","_id":"500","_score":1.0,"_source":{ "a" : 1.0 }}]}}',
    ),
  );
});

test("copies short sources into one piece, and leaves a long one where it is", async () => {
  const source = utf8Encode(`{"a":"${"x".repeat(20_000)}"}`);
  const { cluster } = fakeCluster({
    search: { ...found, hits: [hit, hit, { ...hit, source }, hit] },
  });
  const request = { method: "GET", uri: "/_search", headers: {}, body: new Uint8Array(0) };

  const { body } = await dispatch(request, cluster);

  expect(body).toHaveLength(3);
  expect(body[1]).toBe(source);
  expect(JSON.parse(Buffer.concat(body).toString())).toMatchObject({
    hits: { total: { value: 7 } },
  });
});

test("an answer that is too long is the product's failed search, and its scroll ends", async () => {
  const problem = { type: "circuit_breaking_exception", reason: "too long", status: 429 };
  const aggregations = {
    render: () => {
      throw new OperationError(problem);
    },
  };

  const { text, status, asked } = await answer({ aggregations, scrollId: "s" });

  expect(status).toBe(429);
  expect(JSON.parse(text)).toMatchObject({
    error: {
      type: "search_phase_execution_exception",
      phase: "fetch",
      caused_by: { reason: "too long" },
    },
  });
  expect(asked).toEqual(["search", "clearScroll"]);
});

test("a printed part in UTF-8 is a part of a text, too", () => {
  expect(jsonText({ a: new RawJson(utf8Encode('{"é":1}')) })).toBe('{"a":{"é":1}}');
});
