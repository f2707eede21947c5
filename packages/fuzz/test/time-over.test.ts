/** Which late answers are no hang. */
import { expect, test } from "vitest";
import { tellsOfTime } from "../src/http/time-over.ts";

test.each([
  [503, "{}", true],
  [200, '{"acknowledged":true,"shards_acknowledged":false}', true],
  [200, '{"_shards":{"total":3,"successful":1,"failed":0}}', true],
  [200, '{ "_shards" : { "total" : 3, "successful" : 1, "failed" : 0 }, "took": 1 }', true],
  [200, '{"_shards":{"total":3,"successful":2,"failed":1,"failures":[{"shard":0}]}}', false],
  [200, '{"_shards":{"total":3,"successful":3,"skipped":0,"failed":0},"hits":{}}', false],
  [200, '{"count":3}', false],
])("%i %s: %j", (status, text, isTold) => {
  expect(tellsOfTime(status, text)).toBe(isTold);
});
