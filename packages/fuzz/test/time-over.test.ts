/** Which late answers are no hang. */
import { expect, test } from "vitest";
import { holdsAllocation, tellsOfTime } from "../src/http/time-over.ts";

const short = '{"_shards":{"total":3,"successful":1,"failed":0}}';

test.each([
  ["/a/_search", 503, "{}", true],
  ["/a", 200, '{"acknowledged":true,"shards_acknowledged":false}', true],
  ["/_refresh", 200, short, true],
  [
    "/a/_flush?force=true",
    200,
    '{ "_shards" : { "total" : 3, "successful" : 1, "failed" : 0 } }',
    true,
  ],
  [
    "/_refresh",
    200,
    '{"_shards":{"total":3,"successful":2,"failed":1,"failures":[{"shard":0}]}}',
    false,
  ],
  ["/_refresh", 200, '{"_shards":{"total":3,"successful":3,"failed":0}}', false],
  ["/a/_search", 200, short, false],
  ["/_forcemerge", 200, short, false],
  ["/a/_count", 200, '{"count":3}', false],
])("%s: %i %s: %j", (uri, status, text, isTold) => {
  expect(tellsOfTime(uri, status, text)).toBe(isTold);
});

test.each([
  ["PUT", '/_cluster/settings\n{"persistent":{"cluster.routing.allocation.enable":"none"}}', true],
  ["PUT", "/_cluster/decommission/awareness/zone/zone-1", true],
  ["POST", "/_cluster/allocation/explain", true],
  ["GET", "/_cat/allocation", false],
  ["PUT", '/books\n{"settings":{}}', false],
])("whether %s %s may keep shards from being allocated: %s", (method, text, mayHold) => {
  expect(holdsAllocation(method, text)).toBe(mayHold);
});
