/** What the coordinating node makes of a search, for tests of its answer. */
import type { SearchResponse } from "@orrery/node";
import type { Hit } from "@orrery/query";
import { utf8Encode } from "@orrery/stdx";

export const found: SearchResponse = {
  tookMs: 1,
  timedOut: false,
  terminatedEarly: undefined,
  reducePhases: 1,
  shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  totalHits: { value: 7, relation: "eq" },
  maxScore: 1,
  hits: [],
  aggregations: undefined,
  suggest: undefined,
};

export const hit: Hit = {
  index: "books",
  id: "1",
  score: 1,
  source: utf8Encode('{ "a" : 1.0 }'),
  sort: undefined,
  details: undefined,
};
