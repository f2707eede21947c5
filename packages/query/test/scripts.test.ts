/** Scripts in the language `expression` give what OpenSearch 3.8.0 gave for them (testdata/scripts.json). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OperationError, problemJson, utf8Encode, type Json, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { checkSearchBody, coreLanguage, jsonText } from "../src/index.ts";
import { memoryShard, search, type SearchAnswer } from "./memory-shard.ts";

interface Row {
  readonly problem?: JsonObject;
}

interface ExpressionRow extends Row {
  readonly source: string;
  readonly params?: JsonObject;
  readonly values?: readonly Json[];
}

interface RequestRow extends Row {
  readonly body: JsonObject;
  readonly aggregations?: JsonObject;
  readonly hits?: readonly JsonObject[];
}

interface Recorded {
  readonly mapping: JsonObject;
  readonly documents: readonly string[];
  readonly expressions: readonly ExpressionRow[];
  readonly requests: readonly RequestRow[];
}

const file = join(import.meta.dirname, "testdata/scripts.json");
const recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;

const shard = memoryShard({
  index: "s",
  mapping: recorded.mapping,
  documents: recorded.documents.map((source, i) => ({ id: String(i + 1), source })),
});

/** The answer, or the problem that the product told. */
function answerOf(body: JsonObject): SearchAnswer | JsonObject {
  try {
    checkSearchBody(coreLanguage, utf8Encode(JSON.stringify(body)), () => body);
    return search(shard, body);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return plain(problemJson(error.problem));
  }
}

/** Without what is the cluster's own. */
function plain(problem: JsonObject): JsonObject {
  const text = JSON.stringify(problem, (key, value: Json) =>
    key === "index_uuid" || key === "root_cause" ? undefined : value,
  );
  return JSON.parse(text) as JsonObject;
}

test.each(recorded.expressions)("$source", ({ source, params, values, problem }) => {
  const script = { lang: "expression", source, ...(params === undefined ? {} : { params }) };
  const answer = answerOf({ sort: ["i"], _source: false, script_fields: { v: { script } } });

  if (problem === undefined) {
    const { hits } = answer as SearchAnswer;
    const found = hits.map(({ fields }) => (fields as JsonObject)["v"] ?? null);
    expect(unsigned(found)).toEqual(values?.map((value) => [value]));
  } else {
    expect(answer).toEqual(problem);
  }
});

describe("a request", () => {
  test.each(recorded.requests.map((row) => [jsonText(row.body), row] as const))("%s", (_, row) => {
    const { body, problem, aggregations, hits } = row;
    const answer = answerOf(body);

    if (problem !== undefined) {
      expect(answer).toEqual(problem);
      return;
    }
    const found = answer as SearchAnswer;
    if (aggregations !== undefined)
      expect(unsigned(found.aggregations ?? null)).toEqual(aggregations);
    if (hits !== undefined) expect(unsigned(found.hits.map(shown))).toEqual(hits);
  });
});

/** Zeros without their sign, as the recorder has kept them. */
function unsigned(json: Json): Json {
  return JSON.parse(JSON.stringify(json)) as Json;
}

function shown({ _id, _score, sort, matched_queries: matched }: JsonObject): JsonObject {
  return {
    _id: _id ?? null,
    _score: _score ?? null,
    ...(sort === undefined ? {} : { sort }),
    ...(matched === undefined ? {} : { matched_queries: matched }),
  };
}
