/** Phrases against a walk over the words of every document, over terms that are common, rare, repeated and far apart. */
import { forSeeds } from "@orrery/seeds";
import type { Random } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { memoryShard, search, type MemoryShard } from "./memory-shard.ts";

interface Corpus {
  readonly shard: MemoryShard;
  /** Words of the documents that are not deleted. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/** Frequencies fall steeply: `a` is nearly everywhere, `h` hardly anywhere. */
function anyWord(random: Random): string {
  let at = 0;
  while (at < 7 && random.int(0, 99) < 55) at += 1;
  return "abcdefgh"[at] ?? "a";
}

function anyCorpus(random: Random): Corpus {
  const count = random.pick([1, 40, 700, 3000]);
  const words = new Map<string, readonly string[]>();
  for (let i = 0; i < count; i += 1) {
    const length = random.pick([0, 1, 3, 8, 30]);
    words.set(
      String(i),
      Array.from({ length }, () => anyWord(random)),
    );
  }
  const documents = [...words].map(([id, text]) => ({
    id,
    source: JSON.stringify({ body: text.join(" ") }),
  }));
  const deleted = new Set([...words.keys()].filter(() => random.int(0, 9) === 0));
  const mapping = { properties: { body: { type: "text" } } };
  const perSegment = random.pick([50, 1000, 5000]);
  const shard = memoryShard({ mapping, documents, deleted, perSegment });
  for (const id of deleted) words.delete(id);
  return { shard, words };
}

/** One segment that is large enough for position signatures; positions stay below 32 with the first lengths only. */
function largeCorpus(random: Random, lengths: readonly number[]): Corpus {
  const words = new Map<string, readonly string[]>();
  for (let i = 0; i < 4500; i += 1) {
    const length = random.pick(lengths);
    words.set(
      String(i),
      Array.from({ length }, () => anyWord(random)),
    );
  }
  const documents = [...words].map(([id, text]) => ({
    id,
    source: JSON.stringify({ body: text.join(" ") }),
  }));
  const deleted = new Set([...words.keys()].filter(() => random.int(0, 9) === 0));
  const mapping = { properties: { body: { type: "text" } } };
  const shard = memoryShard({ mapping, documents, deleted });
  for (const id of deleted) words.delete(id);
  return { shard, words };
}

function matching({ words }: Corpus, phrase: readonly string[]): string[] {
  const text = ` ${phrase.join(" ")} `;
  return [...words].filter(([, all]) => ` ${all.join(" ")} `.includes(text)).map(([id]) => id);
}

describe("a phrase", () => {
  test("matches the documents that have its words in a row, scored or not", () => {
    forSeeds(20, (random) => {
      const corpus = anyCorpus(random);
      for (let i = 0; i < 12; i += 1) {
        const phrase = Array.from({ length: random.int(1, 4) }, () => anyWord(random));
        const query = { match_phrase: { body: phrase.join(" ") } };
        const expected = matching(corpus, phrase).toSorted();
        for (const body of [
          { query },
          { query: { bool: { filter: [query] } } },
          { query, sort: ["_doc"] },
        ]) {
          const answer = search(corpus.shard, { ...body, size: 5000, track_total_hits: true });
          expect(answer.total?.value).toBe(expected.length);
          expect(answer.hits.map((hit) => String(hit["_id"])).toSorted()).toEqual(expected);
        }
      }
    });
  });

  test("has the same best hits whether all are counted or those that score too little are passed over", () => {
    forSeeds(40, (random) => {
      const corpus = anyCorpus(random);
      for (let i = 0; i < 8; i += 1) {
        const phrase = Array.from({ length: random.int(2, 3) }, () => anyWord(random));
        const query = { match_phrase: { body: phrase.join(" ") } };
        const [all, few] = [true, false].map((track_total_hits) =>
          search(corpus.shard, { query, size: 5, track_total_hits }).hits.map((hit) => [
            hit["_id"],
            hit["_score"],
          ]),
        );
        expect(few).toEqual(all);
      }
    });
  });

  test.each([
    { what: "positions below 32", lengths: [2, 8, 29] },
    { what: "positions that share bits of signatures", lengths: [1, 40, 90] },
  ])("has the same hits and scores when it is asked for again, with $what", ({ lengths }) => {
    forSeeds(4, (random) => {
      const corpus = largeCorpus(random, lengths);
      for (let i = 0; i < 6; i += 1) {
        const phrase = Array.from({ length: random.int(2, 4) }, () => anyWord(random));
        const query = { match_phrase: { body: phrase.join(" ") } };
        const body = { query, size: 5000, track_total_hits: true };
        const ask = () =>
          search(corpus.shard, body).hits.map((hit) => [hit["_id"], hit["_score"]] as const);
        const first = ask();
        expect(first.map(([id]) => String(id)).toSorted()).toEqual(
          matching(corpus, phrase).toSorted(),
        );
        for (let again = 0; again < 3; again += 1) expect(ask()).toEqual(first);
        const best = search(corpus.shard, { query, size: 5, track_total_hits: false });
        expect(best.hits.map((hit) => hit["_id"])).toEqual(first.slice(0, 5).map(([id]) => id));
      }
    });
  });
});
