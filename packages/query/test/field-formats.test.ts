/** Items of `docvalue_fields` and `fields` that name no field. Everything here was asked of OpenSearch 3.8.0. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { coreLanguage, checkSearchBody } from "../src/index.ts";

function refusal(body: string): string | undefined {
  try {
    checkSearchBody(coreLanguage, utf8Encode(body));
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { status, type, reason } = error.problem;
    return `${status} ${type}: ${reason}`;
  }
}

const expected = (place: string, token: string): string =>
  `400 x_content_parse_exception: [${place}] [docvalues_field] Expected START_OBJECT but was: ${token}`;

describe("of top_hits", () => {
  const topHits = (spec: string): string => `{"size":0,"aggs":{"a":{"top_hits":${spec}}}}`;

  test.each([
    ['{"docvalue_fields":[null]}', expected("1:59", "END_ARRAY")],
    ['{"docvalue_fields":[[]]}', expected("1:56", "END_ARRAY")],
    ['{"docvalue_fields":[["a"]]}', expected("1:56", "VALUE_STRING")],
    ['{"docvalue_fields":["a",null]}', expected("1:63", "END_ARRAY")],
    ['{"docvalue_fields":[{}]}', "400 illegal_argument_exception: Required [field]"],
    ['{"fields":[null]}', expected("1:50", "END_ARRAY")],
    ['{"fields":[["a"]]}', expected("1:47", "VALUE_STRING")],
    [
      '{"docvalue_fields":null}',
      "400 parsing_exception: Unknown key for a VALUE_NULL in [docvalue_fields].",
    ],
  ])("%s is refused before anything is searched", (spec, reason) => {
    expect(refusal(topHits(spec))).toBe(reason);
  });

  test.each(['{"docvalue_fields":[1,true,"a",{"field":"a"}]}', '{"fields":[]}'])(
    "%s is taken",
    (spec) => {
      expect(refusal(topHits(spec))).toBeUndefined();
    },
  );
});

test.each([
  ['{"docvalue_fields":[null]}', expected("1:25", "END_ARRAY")],
  ['{"docvalue_fields":[["a"]]}', expected("1:22", "VALUE_STRING")],
])("of a search, %s is refused", (body, reason) => {
  expect(refusal(body)).toBe(reason);
});
