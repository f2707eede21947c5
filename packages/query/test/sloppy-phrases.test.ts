/** Phrases with a slop whose words repeat: hits and scores of OpenSearch 3.8.0 over the same eight documents. */
import { expect, test } from "vitest";
import { memoryShard, search } from "./memory-shard.ts";

const texts = [
  "b c c b c a a c a b",
  "x a c a c c b",
  "c b x a c x b c",
  "x c x c a c c b",
  "a b c c c b x",
  "a a a a",
  "ab a abb a ac b",
  "a x a x a",
];
const shard = memoryShard({
  mapping: { properties: { s: { type: "text" } } },
  documents: texts.map((s, i) => ({ id: String(i), source: JSON.stringify({ s }) })),
});

function scoresOf(kind: "match_phrase" | "match_phrase_prefix", query: string, slop: number) {
  const { hits } = search(shard, { size: 50, query: { [kind]: { s: { query, slop } } } });
  return Object.fromEntries(hits.map((hit) => [String(hit["_id"]), Number(hit["_score"])]));
}

test.each<readonly [string, number, Readonly<Record<string, number>>]>([
  ["b c", 3, { 0: 0.49761546, 1: 0.17592669, 2: 0.45228672, 3: 0.16222298, 4: 0.42771038 }],
  ["b c c c", 1, { 0: 0.42740023, 4: 0.81342787 }],
  ["c a c", 5, { 0: 0.40752292, 1: 0.47018975, 2: 0.31487435, 3: 0.57627314, 4: 0.17766935 }],
  ["a b a", 5, { 0: 0.1439805, 1: 0.062094122, 6: 0.08232015 }],
  ["b c c", 2, { 0: 0.66670346, 4: 0.59122765 }],
  ["a a", 6, { 0: 0.055152852, 1: 0.03330204, 5: 0.089692235, 6: 0.03605175, 7: 0.058487676 }],
  ["c c c a", 5, { 0: 0.48787475, 1: 0.2616315, 2: 0.16893983, 3: 0.46367633, 4: 0.18493068 }],
  ["a a a", 3, { 0: 0.04065147, 5: 0.12145703, 7: 0.044381827 }],
])("the words [%s] within %i moves score %j", (query, slop, expected) => {
  const scores = scoresOf("match_phrase", query, slop);

  expect(Object.keys(scores)).toEqual(Object.keys(expected));
  for (const [id, score] of Object.entries(expected)) expect(scores[id]).toBeCloseTo(score, 6);
});

test.each<readonly [string, number, Readonly<Record<string, number>>]>([
  ["a a", 2, { 0: 2.6484888, 1: 1.5991936, 5: 4.3071003, 6: 3.8276844, 7: 2.80863 }],
  ["a a b", 4, { 0: 0.17196223, 1: 0.07497105, 6: 0.10331336 }],
  ["a a a", 5, { 0: 1.3149633, 5: 3.9288018, 6: 2.4089663, 7: 1.4356303 }],
])(
  "words with a prefix that is one of them [%s] within %i moves score %j",
  (query, slop, wanted) => {
    const scores = scoresOf("match_phrase_prefix", query, slop);

    expect(Object.keys(scores)).toEqual(Object.keys(wanted));
    for (const [id, score] of Object.entries(wanted)) expect(scores[id]).toBeCloseTo(score, 6);
  },
);
