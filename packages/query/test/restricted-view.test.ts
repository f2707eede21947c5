/** Views with less in them: hidden documents are not live with their nested ones, hidden fields are nowhere. */
import { utf8Decode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { bothRestrictions, restrictedView, shownSource, type Restriction } from "../src/index.ts";
import { memoryShard, search, type MemoryShard } from "./memory-shard.ts";

const people = memoryShard({
  mapping: {
    properties: {
      name: { type: "keyword" },
      pay: { type: "object", properties: { euros: { type: "long" }, grade: { type: "keyword" } } },
      wage: { type: "alias", path: "pay.euros" },
      jobs: { type: "nested", properties: { title: { type: "keyword" } } },
    },
  },
  documents: ["ada", "bob", "cy", "dee", "eve"].map((name, i) => ({
    id: name,
    source: `{"name":"${name}","pay":{"euros":${i}},"jobs":[{"title":"${name}-1"},{"title":"${name}-2"}]}`,
  })),
  perSegment: 2,
  deleted: new Set(["cy"]),
});

function restricted(restriction: Restriction): MemoryShard {
  return { ...people, view: restrictedView(people.view, restriction, { nowMs: 0 }) };
}

const ids = ({ hits }: ReturnType<typeof search>) => hits.map((hit) => hit["_id"]);

describe("a view of fewer documents", () => {
  const shard = restricted({ documents: { range: { "pay.euros": { gte: 1 } } } });

  test("has those that match and are live", () => {
    expect(ids(search(shard, {}))).toEqual(["bob", "dee", "eve"]);
    expect(search(shard, { size: 0 }).total?.value).toBe(3);
  });

  test("has the nested documents of these alone", () => {
    const aggs = {
      jobs: { nested: { path: "jobs" }, aggs: { titles: { terms: { field: "jobs.title" } } } },
    };

    const { aggregations } = search(shard, { size: 0, aggs });

    expect(aggregations).toMatchObject({ jobs: { doc_count: 6 } });
    expect(JSON.stringify(aggregations)).not.toMatch(/ada|cy/);
  });

  test("is as it was where nothing is restricted", () => {
    expect(ids(search(people, {}))).toEqual(["ada", "bob", "dee", "eve"]);
    expect(restricted({}).view.segments).toBe(people.view.segments);
  });
});

describe("a view of fewer fields", () => {
  const shard = restricted({ hiddenFields: ["pay"] });

  test("hides an object with all that is in it, and aliases of it", () => {
    const { mapping } = shard.view;

    expect(["pay.euros", "pay.grade", "wage"].map((name) => mapping.field(name))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(mapping.object("pay")).toBeUndefined();
    expect(mapping.matchFields("*")).not.toContain("pay.euros");
    expect(mapping.field("name")).toBeDefined();
  });

  test("has it in no column and no index", () => {
    for (const { reader } of shard.view.segments) {
      const found = [reader.field, reader.terms, reader.numbers, reader.ordinals, reader.points];

      expect(found.map((read) => read("pay.euros"))).toEqual(found.map(() => undefined));
      expect(reader.documentsWith("pay.euros")).toBeUndefined();
      expect(reader.fields.map(({ name }) => name)).not.toContain("pay.euros");
      expect(reader.numbers("_seq_no")).toBeDefined();
    }
  });

  test("has it in no source", () => {
    expect(search(shard, {}).hits[0]?.["_source"]).toEqual({
      name: "ada",
      jobs: [{ title: "ada-1" }, { title: "ada-2" }],
    });
  });
});

test("a hidden field is hidden in a source in every way of writing its path", () => {
  const shown = shownSource(["a.b"]);
  const of = (source: string): string => utf8Decode(shown(Buffer.from(source)));

  expect(of('{"a":{"b":1,"c":2}}')).toBe('{"a":{"c":2}}');
  expect(of('{"a.b":1,"a.b.d":2,"a.bc":3}')).toBe('{"a.bc":3}');
  expect(of('{"a":{"b.d":1},"\\u0061.b":2}')).toBe('{"a":{}}');
  expect(of('{"a":[{"b":1},{"c":2}]}')).toBe('{"a":[{"c":2}]}');
});

test("two restrictions together leave what both leave", () => {
  const all = bothRestrictions(
    { documents: { term: { name: "bob" } }, hiddenFields: ["pay"] },
    { documents: { range: { "pay.euros": { lte: 1 } } }, hiddenFields: ["jobs"] },
  );

  const { hits } = search(restricted(all), {});

  expect(hits.map((hit) => hit["_source"])).toEqual([{ name: "bob" }]);
  expect(bothRestrictions({ hiddenFields: ["a"] }, {})).toEqual({ hiddenFields: ["a"] });
});
