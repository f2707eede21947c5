/** Phrases over documents that repeat their words: work that grows with the positions, and a refusal where placing words has no end. */
import { expect, test } from "vitest";
import { queryPhaseSteps } from "../src/index.ts";
import { ids, memoryShard, search, type MemoryShard } from "./memory-shard.ts";

function shardOf(texts: readonly string[]): MemoryShard {
  return memoryShard({
    mapping: { properties: { t: { type: "text" } } },
    documents: texts.map((t, i) => ({ id: String(i), source: JSON.stringify({ t }) })),
  });
}

const phrase = (query: string, slop = 0) => ({ match_phrase: { t: { query, slop } } });

const long = shardOf(["a ".repeat(200_000), "b a ".repeat(100_000), "a b"]);

test.each<readonly [string, string, number, readonly string[]]>([
  ["two equal words", "a a", 0, ["0"]],
  ["three words", "b a b", 0, ["1"]],
  ["five equal words", "a a a a a", 0, ["0"]],
  ["a thousand equal words", "a ".repeat(1000), 0, ["0"]],
  ["two words with a slop", "a b", 2, ["1", "2"]],
  ["repeated words with a slop", "b b a", 2, ["1"]],
])("long documents are searched for %s", (_, query, slop, expected) => {
  expect(ids(search(long, { query: phrase(query, slop) })).toSorted()).toEqual(expected);
});

test("a phrase of a thousand equal words with a slop is refused over a document of many of them", () => {
  expect(() => search(long, { query: phrase("a ".repeat(1000), 5) })).toThrow(
    "circuit_breaking_exception: [request] Too much work",
  );
});

test("words of a phrase that are repeated more often match in a row alone", () => {
  const shard = shardOf(["a a a a b", "a a a b a", "b a a a a b"]);

  expect(ids(search(shard, { query: phrase("a a a a b") })).toSorted()).toEqual(["0", "2"]);
});

test("documents that take much work come few at a time, with rests between them", () => {
  const { view } = shardOf(Array.from({ length: 12 }, () => "a b ".repeat(10_000)));
  const query = phrase("a b ".repeat(40), 5);
  let rests = 0;
  const steps = queryPhaseSteps(view, { query }, { nowMs: 0, isTurnOver: () => true });
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) rests += 1;

  expect(step.value.totalHits?.value).toBe(12);
  expect(rests).toBeGreaterThan(10);
});
