/** Frequent terms whose documents a segment keeps by document: each search answers as where the postings alone are read. */
import { createRandom, type JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { executeQueryPhase } from "../src/index.ts";
import { memoryShard, type MemoryShard } from "./memory-shard.ts";

/** Share of the documents that have the word; only those of more than a thirty-second are kept. */
const WORDS = { most: 0.9, half: 0.5, tenth: 0.1, few: 0.02, rare: 0.002 };

function corpus(): { readonly id: string; readonly source: string }[] {
  const random = createRandom("corpus");
  return Array.from({ length: 9000 }, (_, i) => {
    const words = Object.entries(WORDS).flatMap(([word, share]) =>
      random.int(0, 9999) < share * 10_000
        ? Array.from({ length: random.pick([1, 1, 2, 7]) }, () => word)
        : [],
    );
    const isLong = i === 4321;
    const text = isLong ? `alone ${"often ".repeat(300)}most half` : `${words.join(" ")} often`;
    return { id: String(i), source: JSON.stringify({ text, verb: words[0] ?? "none" }) };
  });
}

const documents = corpus();
const mapping = { properties: { text: { type: "text" }, verb: { type: "keyword" } } };
const deleted = new Set(documents.flatMap(({ id }, i) => (i % 3 === 0 ? [id] : [])));

const match = (query: string, operator = "or"): JsonObject => ({
  match: { text: { query, operator } },
});

const QUERIES: Record<string, JsonObject> = {
  "all of frequent words": match("most half tenth", "and"),
  "all of a rare and two frequent words": match("rare half most", "and"),
  "all of words between": match("few tenth most", "and"),
  "all of two rare words and a frequent one": match("few rare most", "and"),
  "all, with a word that is there 300 times": match("alone often half", "and"),
  "all of frequent words, and one more": {
    bool: { must: [match("most"), match("half")], should: [match("few")], minimum_should_match: 1 },
  },
  "any of frequent words": match("half tenth"),
  "any of a rare and a frequent word": match("rare most"),
  "any of two rare words and a frequent one": match("rare few tenth"),
  "a frequent word as filter": { bool: { must: [match("few")], filter: [match("half")] } },
  "a frequent word as exclusion": {
    bool: { must: [match("tenth")], must_not: [{ term: { verb: "most" } }] },
  },
};

const LIMITS = [true, 0, 50, 3000];

const SMALL = 3000;

/** Documents are counted over all segments. */
function answers({ view }: MemoryShard, query: JsonObject, perSegment: number): unknown[] {
  return LIMITS.map((track_total_hits) => {
    const body = { query, track_total_hits, size: 20 };
    const { topDocs, totalHits } = executeQueryPhase(view, body, { nowMs: 0 });
    const docs = topDocs.map(({ segment, doc, score }) => [segment * perSegment + doc, score]);
    return { totalHits, docs };
  });
}

test.each([
  ["none", new Set<string>()],
  ["a third", deleted],
])("with %s of the documents deleted, as small segments, which keep nothing", (_what, without) => {
  const one = memoryShard({ mapping, documents, deleted: without });
  const small = memoryShard({ mapping, documents, deleted: without, perSegment: SMALL });
  for (const [what, query] of Object.entries(QUERIES)) {
    const expected = answers(small, query, SMALL);
    for (let time = 1; time <= 3; time += 1)
      expect([what, answers(one, query, documents.length)]).toEqual([what, expected]);
  }
});
