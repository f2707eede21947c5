/** Pages of a scroll over scripted shards: what becomes of the scroll when one of them fails. */
import {
  actions,
  FreeContextRequest,
  QueryPhaseResponse,
  ShardSearchRequest,
} from "@orrery/protocol";
import { defined, OperationError, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { queryPhase, run, scores, shardsWith, spread } from "./scripted-shards.ts";
import { problemOf, type Answer } from "./world.ts";

/** The answer with which a scroll begins, and how its later pages are answered. */
const startScroll = async (hold: (bytes: number) => void, fetch: () => void) => {
  const shards = shardsWith(scores);
  const answer: Answer = (asked) => {
    if (asked.action === actions.fetchScroll) {
      fetch();
      return shards({ ...asked, action: actions.fetchPhase });
    }
    if (asked.action !== actions.queryScroll) return shards(asked);
    const payload = ShardSearchRequest.encode({ shard: 0, keepContext: true }).finish();
    const queried = QueryPhaseResponse.decode(queryPhase(scores, { ...asked, payload }));
    return QueryPhaseResponse.encode({ ...queried, scrollBody: utf8Encode("{}") }).finish();
  };
  const scroll = { keepAliveMs: 60_000 };
  const { cluster, outcome, phases } = run(spread(3), answer, { scroll, hold });
  const first = await outcome;
  if (first instanceof Error) throw first;
  return { cluster, phases, scrollId: defined(first.scrollId, "the id of the scroll") };
};

test("fails the page of a scroll that no shard could print, and the scroll goes on", async () => {
  const refuse = (): void => {
    throw new OperationError({ type: "x", reason: "full", status: 429 });
  };
  const { cluster, phases, scrollId } = await startScroll(() => undefined, refuse);

  const page = await cluster.outcome(
    cluster.coordinator.scroll({ scrollId, keepAliveMs: undefined }),
  );

  expect(problemOf(page)).toMatchObject({
    reason: "all shards failed",
    status: 429,
    metadata: { phase: "fetch" },
  });
  expect(phases(actions.freeContext)).toEqual([]);
});

test("ends its scroll when a page is too many bytes, so that no retry passes it over", async () => {
  let isFull = false;
  const hold = (bytes: number): void => {
    if (isFull && bytes > 0) throw new OperationError({ type: "x", reason: "full", status: 429 });
  };
  const { cluster, phases, scrollId } = await startScroll(hold, () => undefined);

  isFull = true;
  const page = await cluster.outcome(
    cluster.coordinator.scroll({ scrollId, keepAliveMs: undefined, hold }),
  );

  expect(problemOf(page).status).toBe(429);
  const freed = phases(actions.freeContext).map(
    ({ payload }) => FreeContextRequest.decode(payload).shard,
  );
  expect(freed.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
});
