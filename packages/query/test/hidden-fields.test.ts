/** Which fields patterns hide: metadata fields have rules of their own, whatever the patterns say. */
import { describe, expect, test } from "vitest";
import { restrictedView } from "../src/index.ts";
import { hiddenBy } from "../src/restrict/restriction.ts";
import { memoryShard, search } from "./memory-shard.ts";

test.each([
  [["salary"], ["salary", "salary.text", "salary.a.b"], ["salar", "salary2", "my.salary"]],
  [["*"], ["a", "a.b", "_own", "_own.b"], ["_id", "_index", "_source", "_seq_no", "_routing"]],
  [["_own"], ["_own", "_own.text"], ["_owner", "own"]],
  [["_*"], ["_own", "_x.y"], ["_id", "_version", "_nested_path", "own"]],
  [["a.*"], ["a.b", "a.b.c"], ["a", "ab"]],
  [["_id"], [], ["_id"]],
])("%j hides %j, and not %j", (patterns, hidden, shown) => {
  const isHidden = hiddenBy(patterns);

  expect(hidden.filter((path) => !isHidden(path))).toEqual([]);
  expect(shown.filter(isHidden)).toEqual([]);
});

describe("`_ignored`", () => {
  const shard = memoryShard({
    mapping: {
      properties: {
        open: { type: "long" },
        secret: { type: "long", ignore_malformed: true },
        _own: { type: "keyword" },
      },
    },
    documents: [{ id: "1", source: '{"open":1,"secret":"no number","_own":"mine"}' }],
  });
  const hiding = (...hiddenFields: readonly string[]) => ({
    ...shard,
    view: restrictedView(shard.view, { hiddenFields }, { nowMs: 0 }),
  });
  const finds = (of: typeof shard, query: object) => search(of, { query: { ...query } }).hits;

  test("names hidden fields, and is hidden with any", () => {
    expect(finds(shard, { term: { _ignored: "secret" } })).toHaveLength(1);
    expect(finds(hiding("secret"), { term: { _ignored: "secret" } })).toHaveLength(0);
    expect(finds(hiding("open"), { exists: { field: "_ignored" } })).toHaveLength(0);
    expect(JSON.stringify(finds(hiding("secret"), { match_all: {} }))).not.toContain("secret");
  });

  test("hides no field that begins with an underscore and is none of the metadata", () => {
    expect(finds(hiding("open"), { term: { _own: "mine" } })).toHaveLength(1);
    expect(finds(hiding("_own"), { term: { _own: "mine" } })).toHaveLength(0);
    expect(JSON.stringify(finds(hiding("_own"), { ids: { values: ["1"] } }))).not.toContain("mine");
  });
});
