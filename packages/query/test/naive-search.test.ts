/** Searches and aggregations, which pass over what cannot matter, against a walk over every document with one cursor. */
import { forSeeds } from "@orrery/seeds";
import { NO_MORE_DOCS } from "@orrery/segment";
import type { JsonObject, Random } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { weightOf } from "../src/execution/weights/table.ts";
import { executeQueryPhase } from "../src/index.ts";
import type { ShardView } from "../src/language/view.ts";
import { prepareSearch } from "../src/request/prepared.ts";
import { searchRequestOf } from "../src/request/search-request.ts";
import { memoryShard, search } from "./memory-shard.ts";

interface Line {
  readonly text: string;
  readonly verb: string;
  readonly size: number;
  readonly ratio: number;
  readonly time: number;
}

interface Corpus {
  readonly view: ShardView;
  /** Those that are not deleted. */
  readonly lines: readonly Line[];
}

const VERBS = ["get", "get", "get", "put", "post"];
const HOUR_MS = 3_600_000;

/** Frequencies fall steeply, and so do the lengths of texts. */
function anyWord(random: Random): string {
  let at = 0;
  while (at < 11 && random.int(0, 99) < 62) at += 1;
  return "abcdefghijkl"[at] ?? "a";
}

function anyLine(random: Random, i: number, isOrdered: boolean): Line {
  const length = random.pick([1, 3, 8, 8, 8, 40]);
  return {
    text: Array.from({ length }, () => anyWord(random)).join(" "),
    verb: random.pick(VERBS),
    size: random.int(0, 100_000),
    ratio: random.int(-500, 500) / 100,
    time: (isOrdered ? i : random.int(0, 5000)) * 60_000,
  };
}

function anyCorpus(random: Random): Corpus {
  const isOrdered = random.int(0, 1) === 0;
  const lines = Array.from({ length: random.pick([20, 900, 6000]) }, (_, i) =>
    anyLine(random, i, isOrdered),
  );
  const documents = lines.map((line, i) => ({ id: String(i), source: JSON.stringify(line) }));
  const oneOf = random.pick([Infinity, 3, 40, 2000]);
  const deleted = new Set(
    documents.flatMap(({ id }) => (oneOf !== Infinity && random.int(1, oneOf) === 1 ? [id] : [])),
  );
  const mapping = {
    properties: {
      text: { type: "text", norms: random.int(0, 3) > 0 },
      verb: { type: "keyword" },
      size: { type: "integer" },
      ratio: { type: "double" },
      time: { type: "date" },
    },
  };
  const perSegment = random.pick([700, 4000, 10_000]);
  const { view } = memoryShard({ mapping, documents, deleted, perSegment });
  return { view, lines: lines.filter((_, i) => !deleted.has(String(i))) };
}

function anyFilter(random: Random): JsonObject {
  const from = random.int(0, 100_000);
  return random.pick<JsonObject>([
    { range: { size: { gte: from } } },
    { range: { ratio: { lt: random.int(-400, 400) / 100 } } },
    { term: { verb: random.pick(["get", "put", "none"]) } },
    { term: { text: anyWord(random) } },
    { range: { size: { gte: from, lt: from + random.pick([0, 50, 40_000]) } } },
  ]);
}

function anyQuery(random: Random): JsonObject {
  const words = (count: number): string =>
    Array.from({ length: count }, () => anyWord(random)).join(" ");
  const filters = Array.from({ length: random.int(0, 3) }, () => anyFilter(random));
  const exclusions = Array.from({ length: random.int(0, 1) }, () => anyFilter(random));
  return random.pick<JsonObject>([
    { match: { text: words(random.int(1, 5)) } },
    { match: { text: words(2) } },
    { match: { text: { query: words(3), operator: "and" } } },
    { match: { text: { query: words(2), boost: random.pick([0, 0.5, 3]) } } },
    {
      bool: { must: [{ match: { text: words(1) } }], filter: filters, must_not: exclusions },
    },
    { bool: { should: [{ match: { text: words(1) } }], must_not: exclusions } },
    {
      bool: { must: [{ match: { text: words(2) } }], filter: filters, must_not: exclusions },
    },
    { bool: { filter: filters, must_not: exclusions } },
  ]);
}

interface Found {
  readonly segment: number;
  readonly doc: number;
  readonly score: number;
}

function walk(view: ShardView, body: JsonObject): Found[] {
  const { query } = searchRequestOf(view.mapping.language, body);
  const { plan, searcher } = prepareSearch(view, { query }, { nowMs: 0 });
  const weight = weightOf(plan, searcher, { needsScores: true });
  const found: Found[] = [];
  for (const segment of searcher.segments) {
    const scorer = weight.scorer(segment);
    if (scorer === undefined) continue;
    for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
      const { live } = segment;
      const isLive = live === undefined || (((live[doc >> 5] ?? 0) >>> (doc & 31)) & 1) === 1;
      if (isLive && scorer.matches())
        found.push({ segment: segment.ord, doc, score: scorer.score() });
    }
  }
  // Ties stay in the order of documents.
  return found.toSorted((a, b) => b.score - a.score);
}

describe("a search by score", () => {
  test("finds the documents, scores and total of a walk over all of them", () => {
    forSeeds(8, (random) => {
      const { view } = anyCorpus(random);
      for (let i = 0; i < 60; i += 1) {
        const limit = random.pick([0, 1, 50, 1000, 10_000, 100_000]);
        const size = random.pick([1, 3, 10, 100]);
        const body = { query: anyQuery(random), size, track_total_hits: limit };
        const found = walk(view, body);
        const answer = executeQueryPhase(view, body, { nowMs: 0 });
        const total = found.length > limit ? limit : found.length;
        const relation = found.length > limit ? "gte" : "eq";
        expect({ body, total: answer.totalHits, docs: answer.topDocs }).toEqual({
          body,
          total: limit === 0 ? answer.totalHits : { value: total, relation },
          docs: found.slice(0, size),
        });
      }
    });
  });
});

interface Group {
  readonly key: string | number;
  readonly doc_count: number;
  readonly sum: number;
  readonly least: number;
  readonly most: number | undefined;
}

function groups(lines: readonly Line[], keyOf: (line: Line) => string | number): Group[] {
  const byKey = new Map<string | number, Line[]>();
  for (const line of lines) {
    const key = keyOf(line);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [line]);
    else group.push(line);
  }
  const all = [...byKey].map(([key, group]) => ({
    key,
    doc_count: group.length,
    sum: group.reduce((sum, { size }) => sum + size, 0),
    least: Math.min(...group.map(({ size }) => size)),
    most: Math.max(...group.map(({ ratio }) => ratio)),
  }));
  return all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

interface Bucket {
  readonly key: string | number;
  readonly doc_count: number;
  readonly sum: { readonly value: number };
  readonly least: { readonly value: number };
  readonly most?: { readonly value: number };
}

function groupsOf(aggregation: unknown): Group[] {
  const { buckets } = aggregation as { readonly buckets: readonly Bucket[] };
  return buckets.map(({ key, doc_count, sum, least, most }) => ({
    key,
    doc_count,
    sum: sum.value,
    least: least.value,
    most: most?.value,
  }));
}

describe("aggregations", () => {
  test("count and add up what a walk over all lines does, of all documents and of some", () => {
    forSeeds(16, (random) => {
      const { view, lines } = anyCorpus(random);
      for (let i = 0; i < 12; i += 1) {
        const least = random.pick([-1, -1, 0, 50_000]);
        const some = lines.filter(({ size }) => size >= least);
        const hasMost = random.int(0, 1) === 0;
        const aggs = {
          sum: { sum: { field: "size" } },
          least: { min: { field: "size" } },
          ...(hasMost ? { most: { max: { field: "ratio" } } } : {}),
        };
        const hours = { date_histogram: { field: "time", fixed_interval: "1h", min_doc_count: 1 } };
        const verbs = { terms: { field: "verb", order: { _key: "asc" } } };
        const body = {
          ...(least < 0 ? {} : { query: { range: { size: { gte: least } } } }),
          size: 0,
          aggs: random.pick<JsonObject>([
            { hours: { ...hours, aggs } },
            { verbs: { ...verbs, aggs } },
            { hours: { ...hours, aggs }, verbs: { ...verbs, aggs } },
          ]),
        };
        const { aggregations = {} } = search({ view, mapping: {} }, body);
        const hourOf = ({ time }: Line): number => Math.floor(time / HOUR_MS) * HOUR_MS;
        for (const [name, found] of Object.entries(aggregations)) {
          const wanted = groups(some, (line) => (name === "hours" ? hourOf(line) : line.verb));
          expect(groupsOf(found)).toEqual(
            hasMost ? wanted : wanted.map((group) => ({ ...group, most: undefined })),
          );
        }
      }
    });
  });
});
