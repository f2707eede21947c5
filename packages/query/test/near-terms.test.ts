/** The terms near to a word against the distance of each, in a table of its own. */
import { forSeeds, type Random } from "@orrery/seeds";
import { compareText, type JsonObject } from "@orrery/stdx";
import { expect, test } from "vitest";
import { nearTerms, type NearOptions } from "../src/queries/near-terms.ts";
import { ids as idsOf, memoryShard, search } from "./memory-shard.ts";

function distanceOf(a: readonly string[], b: readonly string[], isSwapOne: boolean): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const isSwap = isSwapOne && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const value = Math.min(
        cell(i - 1, j) + 1,
        cell(i, j - 1) + 1,
        cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? cell(i - 2, j - 2) + 1 : Infinity,
      );
      rows[i]?.push(value);
    }
  }
  return cell(a.length, b.length);
}

const ALPHABETS = ["ab", "abcdefgh", "aé€𐐷", "a\u007f\u0080\uffff\u{10ffff}"];

function wordOf(random: Random, alphabet: readonly string[], most: number): string {
  return Array.from({ length: random.int(1, most) }, () => random.pick([...alphabet])).join("");
}

test("near terms are those of all terms that are near", () => {
  forSeeds(200, (random) => {
    const alphabet = [...random.pick(ALPHABETS)];
    const most = random.pick([3, 6, 12]);
    const words = new Set(
      Array.from({ length: random.int(1, 300) }, () => wordOf(random, alphabet, most)),
    );
    const { view } = memoryShard({
      mapping: { properties: { k: { type: "keyword" } } },
      documents: [{ id: "1", source: JSON.stringify({ k: [...words] }) }],
    });
    const terms = view.segments[0]?.reader.terms("k");
    if (terms === undefined) throw new Error("no terms");
    const word = random.int(0, 1) === 1 ? random.pick([...words]) : wordOf(random, alphabet, most);
    const options: NearOptions = {
      edits: random.int(1, 2),
      prefixLength: random.int(0, 2),
      transpositions: random.int(0, 1) === 1,
    };

    const found = nearTerms(terms, word, options);

    const points = [...word];
    const prefix = points.slice(0, options.prefixLength).join("");
    const expected = [...words]
      .filter((term) => term.startsWith(prefix))
      .map((term) => ({ term, distance: distanceOf([...term], points, options.transpositions) }))
      .filter(({ distance }) => distance <= options.edits)
      .map(({ term, distance }) => ({
        text: term,
        similarity: Math.fround(
          1 - Math.fround(distance / Math.min(points.length, [...term].length)),
        ),
      }))
      .filter(({ similarity }) => similarity > 0);
    const byText = (a: { readonly text: string }, b: { readonly text: string }): number =>
      compareText(a.text, b.text);
    expect(found.toSorted(byText)).toEqual(expected.toSorted(byText));
  });
});

test("a prefix that is too far from the word is left with all its terms", () => {
  const source = JSON.stringify({
    k: Array.from({ length: 60_000 }, (_, i) => `other-${i}`).concat("nearby", "zero"),
  });
  const { view } = memoryShard({
    mapping: { properties: { k: { type: "keyword" } } },
    documents: [{ id: "1", source }],
  });
  const terms = view.segments[0]?.reader.terms("k");
  if (terms === undefined) throw new Error("no terms");
  let stepped = 0;
  const counted = {
    ...terms,
    cursor: (from: number) => {
      const cursor = terms.cursor(from);
      return new Proxy(cursor, {
        get: (target, key) => {
          if (key === "next") {
            stepped += 1;
            return target.next.bind(target);
          }
          return Reflect.get(target, key, target) as unknown;
        },
      });
    },
  };

  const found = nearTerms(counted, "nearly", { edits: 2, prefixLength: 0, transpositions: true });

  expect(found.map(({ text }) => text)).toEqual(["nearby"]);
  expect(stepped).toBeLessThan(100);
});

test("fuzzy clauses are looked up wherever a query may hold them", () => {
  const shard = memoryShard({
    mapping: {
      properties: {
        t: { type: "text" },
        n: { type: "nested", properties: { k: { type: "keyword" }, v: { type: "long" } } },
      },
    },
    documents: [
      { id: "1", source: `{"t":"apple","n":[{"k":"pear","v":3},{"k":"plum","v":1}]}` },
      { id: "2", source: `{"t":"grape","n":[{"k":"plum","v":2}]}` },
    ],
  });
  const fuzzy = { fuzzy: { t: "appel" } };
  const ids = (body: JsonObject): unknown => idsOf(search(shard, body));

  expect(ids({ query: fuzzy })).toEqual(["1"]);
  expect(ids({ query: { bool: { must_not: fuzzy } } })).toEqual(["2"]);
  expect(ids({ post_filter: fuzzy })).toEqual(["1"]);
  expect(ids({ query: { function_score: { query: fuzzy, weight: 2 } } })).toEqual(["1"]);
  expect(ids({ query: { fuzzy: { t: "nowhere" } } })).toEqual([]);
  expect(
    ids({
      sort: [
        {
          "n.v": {
            order: "desc",
            nested: { path: "n", filter: { fuzzy: { "n.k": "plumm" } } },
          },
        },
      ],
    }),
  ).toEqual(["2", "1"]);
});
