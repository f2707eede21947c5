/** Answers of shards are put together in turns of the node's main thread. */
import type { Clock } from "@orrery/ports";
import { coreLanguage, createReducer, encodeQueryResult, type QueryResult } from "@orrery/query";
import { expect, test } from "vitest";
import { reduceInTurns } from "../src/search/reduce.ts";

/** Each look at it takes `msALook`. */
function clock(msALook: number): Clock & { readonly turns: () => number } {
  let nowMs = 0;
  let turns = 0;
  return {
    turns: () => turns,
    nowMs: () => nowMs,
    monotonicMs: () => (nowMs += msALook),
    setTimer(_, goOn) {
      turns += 1;
      queueMicrotask(goOn);
      return () => undefined;
    },
  };
}

const answered = (value: number): Uint8Array => {
  const result: QueryResult = {
    totalHits: { value, relation: "eq" },
    maxScore: Number.NaN,
    topDocs: [],
    timedOut: false,
    terminatedEarly: undefined,
    aggregations: undefined,
    suggest: undefined,
    profile: undefined,
  };
  return encodeQueryResult(result);
};

test.each([
  ["at once when it is little", 0, 0],
  ["in turns when it is much", 1, 20],
])("%s", async (_, msALook, leastTurns) => {
  const time = clock(msALook);
  const answers = Array.from({ length: 300 }, (__, position) => ({
    position,
    result: answered(position),
  }));

  const reducing = reduceInTurns(
    time,
    createReducer(coreLanguage, { size: 0, track_total_hits: true }),
    answers,
  );

  expect(reducing instanceof Promise).toBe(leastTurns > 0);
  expect((await reducing).totalHits?.value).toBe((299 * 300) / 2);
  expect(time.turns()).toBeGreaterThanOrEqual(leastTurns);
});
