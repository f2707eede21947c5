/** Composition of a search language, and who reads what in it. */
import { AssertionError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  checkSearchBody,
  composeLanguage,
  coreLanguage,
  coreModule,
  createMapping,
  mergeMapping,
  searchRequestOf,
  type LanguageModule,
} from "../src/index.ts";

const keyword = coreLanguage.fieldTypes.get("keyword");
const matchAll = coreLanguage.queries.get("match_all");
const sum = coreLanguage.aggregations.get("sum");
const doc = coreLanguage.sorts.get("_doc");
const term = coreLanguage.suggesters.get("term");
const rescorer = coreLanguage.rescorers.get("query");
if (keyword === undefined || matchAll === undefined || sum === undefined)
  throw new Error("rows of the core are missing");
if (doc === undefined || term === undefined || rescorer === undefined)
  throw new Error("rows of the core are missing");

const added: LanguageModule = {
  fieldTypes: { label: keyword },
  queries: { everything: matchAll },
  aggregations: { total: sum },
  sorts: { _age: doc },
  suggesters: { word: term },
  rescorers: { again: rescorer },
};
const language = composeLanguage([coreModule, added]);

describe("a composed language", () => {
  test.each<[string, LanguageModule, string]>([
    ["a field type", { fieldTypes: { keyword } }, "two field types have the name [keyword]"],
    ["a query", { queries: { everything: matchAll } }, "two queries have the name [everything]"],
    ["an aggregation", { aggregations: { sum } }, "two aggregations have the name [sum]"],
    ["a sort", { sorts: { _age: doc } }, "two sorts have the name [_age]"],
    ["a sort of the core", { sorts: { _score: doc } }, "two sorts have the name [_score]"],
    ["a suggester", { suggesters: { term } }, "two suggesters have the name [term]"],
    ["a rescorer", { rescorers: { query: rescorer } }, "two rescorers have the name [query]"],
    [
      "a structure",
      { fieldTypes: { nested: keyword } },
      "no field types can have the name [nested]",
    ],
    ["a field", { sorts: { age: doc } }, "no sorts can have the name [age]"],
    [
      "a member of suggestions",
      { suggesters: { text: term } },
      "no suggesters can have the name [text]",
    ],
    [
      "a member of rescorers",
      { rescorers: { window_size: rescorer } },
      "no rescorers can have the name [window_size]",
    ],
  ])("refuses %s whose name is taken", (_, module, message) => {
    const compose = () => composeLanguage([coreModule, added, module]);
    expect(compose).toThrow(AssertionError);
    expect(compose).toThrow(message);
  });

  test("has the rows of every module", () => {
    const properties = { l: { type: "label", ignore_above: 5 } };
    const json = mergeMapping({}, { properties }, { language, settings: {}, reason: "create" });
    expect(createMapping(language, json, {}).json).toEqual({ properties });
    const body = utf8Encode('{"query":{"everything":{}},"aggs":{"t":{"total":{"field":"n"}}}}');
    expect(() => checkSearchBody(language, body)).not.toThrow();
  });

  test("leaves another language of the process as it is", () => {
    const mapping = { properties: { l: { type: "label" } } };
    expect(() => createMapping(coreLanguage, mapping, {})).toThrow(
      "No handler for type [label] declared on field [l]",
    );
    const body = { query: { everything: {} } };
    expect(searchRequestOf(language, body).query).toBeDefined();
    expect(() => searchRequestOf(coreLanguage, body)).toThrow("unknown query [everything]");
    const suggest = { s: { text: "word", word: { field: "t" } } };
    expect(searchRequestOf(language, { suggest }).suggest?.suggestions).toHaveLength(1);
    expect(() => searchRequestOf(coreLanguage, { suggest })).toThrow("unknown field [word]");
    const rescore = { again: { rescore_query: { match_all: {} } } };
    expect(searchRequestOf(language, { rescore }).rescore).toHaveLength(1);
    expect(() => searchRequestOf(coreLanguage, { rescore })).toThrow(
      "rescore doesn't support [again]",
    );
    const sort = ["_age", { _age: "desc" }, { _age: { order: "desc" } }];
    expect(searchRequestOf(language, { sort }).sort?.map(({ name }) => name)).toEqual(
      Array(3).fill("_doc"),
    );
    expect(searchRequestOf(coreLanguage, { sort }).sort?.map(({ name }) => name)).toEqual(
      Array(3).fill("_age"),
    );
  });
});
