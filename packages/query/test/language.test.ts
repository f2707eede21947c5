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
if (keyword === undefined || matchAll === undefined || sum === undefined)
  throw new Error("rows of the core are missing");

const added: LanguageModule = {
  fieldTypes: { label: keyword },
  queries: { everything: matchAll },
  aggregations: { total: sum },
};
const language = composeLanguage([coreModule, added]);

describe("a composed language", () => {
  test.each<[string, LanguageModule, string]>([
    ["a field type", { fieldTypes: { keyword } }, "two field types have the name [keyword]"],
    ["a query", { queries: { everything: matchAll } }, "two queries have the name [everything]"],
    ["an aggregation", { aggregations: { sum } }, "two aggregations have the name [sum]"],
    ["a structure", { fieldTypes: { nested: keyword } }, "a field type cannot be named [nested]"],
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
  });
});
