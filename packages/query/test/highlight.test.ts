/** Highlighting of long texts: work that grows with the text alone, memory taken before it is used, and rests. */
import type { JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { fetchPhaseSteps, type FetchResult, type SearchOptions } from "../src/index.ts";
import { allSteps } from "../src/work/steps.ts";
import { memoryShard } from "./memory-shard.ts";

const doc = { segment: 0, doc: 0, score: 1, sort: undefined };

function fetch(
  text: string | readonly string[],
  highlight: JsonObject,
  options: Partial<SearchOptions> = {},
): Generator<undefined, FetchResult> {
  const { view } = memoryShard({
    mapping: { properties: { t: { type: "text" } } },
    documents: [{ id: "1", source: JSON.stringify({ t: text }) }],
  });
  const body = { query: { match_all: {} }, _source: false, highlight };
  return fetchPhaseSteps(view, [doc], body, { nowMs: 0, ...options });
}

function fragments(text: string | readonly string[], highlight: JsonObject): readonly string[] {
  const [hit] = allSteps(fetch(text, highlight)).hits;
  return hit?.details?.highlight?.["t"] ?? [];
}

const phrase = (query: string, slop = 0): JsonObject => ({
  highlight_query: { match_phrase: { t: { query, slop } } },
  fields: { t: { number_of_fragments: 0 } },
});

const matching = (query: string, options: JsonObject = {}): JsonObject => ({
  highlight_query: { match: { t: query } },
  fields: { t: options },
});

test.each<readonly [string, JsonObject]>([
  ["words", { boundary_scanner: "word" }],
  ["sentences", { fragment_size: 1 }],
])("a text of 200,000 matches is cut into %s, each scored once", (_, options) => {
  const found = fragments("a. ".repeat(200_000), matching("a", { ...options, type: "plain" }));

  expect(found.map((one) => /<em>a<\/em>/u.exec(one)?.[0])).toEqual(
    Array.from({ length: 5 }, () => "<em>a</em>"),
  );
});

test("the words of a phrase are found among 200,000 tokens without comparing each with each", () => {
  const [found] = fragments(`${"a c ".repeat(50_000)}a b ${"c b ".repeat(50_000)}`, phrase("a b"));

  expect(found?.match(/<em>.<\/em>/gu)).toEqual(["<em>a</em>", "<em>b</em>"]);
});

test.each<readonly [string, string, JsonObject, string]>([
  ["equal words need places of their own", "a b a", phrase("a a", 1), "<em>a</em> b <em>a</em>"],
  ["one word does not serve twice", "a b c", phrase("a a", 5), ""],
  ["the nearer of two words", "b a c b b", phrase("a b", 1), "b <em>a</em> c <em>b</em> b"],
  [
    "the earlier of two as near",
    "a b c b",
    phrase("a c b", 2),
    "<em>a</em> <em>b</em> <em>c</em> b",
  ],
  ["words before their place", "b a", phrase("a b", 2), "<em>b</em> <em>a</em>"],
  ["words too far away", "a c c c b", phrase("a b", 2), ""],
])("phrases: %s", (_, text, highlight, expected) => {
  expect(fragments(text, highlight)[0] ?? "").toBe(expected);
});

test("the best passages of many values come in the order of the values", () => {
  const values = Array.from({ length: 3000 }, (_, i) =>
    i % 1000 === 999 ? `a ${i}` : `a ${"b ".repeat(100)}${i}`,
  );

  const options = { number_of_fragments: 3, fragment_size: 1000 };
  const found = fragments(values, matching("a", options));

  expect(found.map((one) => one.slice(-4))).toEqual([" 999", "1999", "2999"]);
});

test("tags that would take more than the memory of a request are refused", () => {
  const tag = "x".repeat(20_000);
  const tags = { pre_tags: [tag], post_tags: [tag], number_of_fragments: 0 };

  expect(() => fragments("a ".repeat(30_000), matching("a", tags))).toThrow(
    "circuit_breaking_exception: [request] Data too large",
  );
});

test("a phrase of equal words that may be anywhere is refused rather than tried without an end", () => {
  const all = phrase("a ".repeat(1000), 100_000);

  expect(() => fragments("a b ".repeat(30_000), all)).toThrow(
    "circuit_breaking_exception: [request] Too much work",
  );
});

test("work rests between values, and within one where it compares much", () => {
  const rests = (text: string | readonly string[], highlight: JsonObject): number => {
    const steps = fetch(text, highlight, { isTurnOver: () => true });
    let count = 0;
    while (steps.next().done !== true) count += 1;
    return count;
  };
  const words = Array.from({ length: 3000 }, (_, i) => `w${i}`).join(" ");
  const patterns = Array.from({ length: 500 }, (_, i) => ({ wildcard: { t: `*${i}x` } }));

  expect(rests(["a", "b", "c", "d", "e"], matching("a"))).toBeGreaterThan(5);
  expect(
    rests(words, { highlight_query: { bool: { should: patterns } }, fields: { t: {} } }),
  ).toBeGreaterThan(5);
});
