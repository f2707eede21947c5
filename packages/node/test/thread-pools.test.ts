/** Which requests to shards a node admits, hands over, keeps waiting and forgets. */
import { actions } from "@orrery/protocol";
import { createCancellation, decodeFrame, encodeFrame } from "@orrery/ports";
import { utf8Encode, type OperationError, type Problem } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createTestWorld, type ScriptedWorker } from "./world.ts";

const shard = "books-uuid/0";
/** Of a machine with one processor. */
const SIZE = 2;
const QUEUE = 1000;
/** At the workers, under way or not. */
const AHEAD = 16;

function handedOver(worker: ScriptedWorker | undefined) {
  return (worker?.posted ?? []).flatMap((message) => {
    if (message.kind !== "frame") return [];
    const header = decodeFrame(message.frame);
    return header.kind === "request" ? [{ connection: message.connection, header }] : [];
  });
}

async function world() {
  const all = createTestWorld();
  const { router, id, workers } = await all.start("a");
  const ask = (action: string, cancellation = createCancellation()) => {
    const answer = router.endpoint.request(id, action, utf8Encode("?"), { shard, cancellation });
    return answer.then(
      () => undefined,
      (error: unknown) => (error as OperationError).problem,
    );
  };
  const answerFirst = (): void => {
    const [first] = handedOver(workers[0]);
    if (first === undefined) throw new Error("nothing was handed over");
    const { correlationId, action, endpoint, from, to } = first.header;
    const header = { kind: "response", correlationId, action, endpoint } as const;
    const frame = encodeFrame(
      { ...header, from: to, to: from, shard: "", timeoutMs: 0 },
      utf8Encode("!"),
    );
    workers[0]?.events.onMessage({ kind: "frame", connection: first.connection, frame });
  };
  return { all, router, workers, ask, answerFirst };
}

test("so many searches are handed over at a time; the next when one is answered", async () => {
  const { all, router, workers, ask, answerFirst } = await world();

  for (let i = 0; i < AHEAD + 3; i += 1) void ask(actions.queryPhase);
  await all.run(1);
  const before = handedOver(workers[0]).length;
  answerFirst();
  await all.run(1);

  expect(before).toBe(AHEAD);
  expect(handedOver(workers[0])).toHaveLength(AHEAD + 1);
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ active: 2, queue: 16 });
});

test("a search that was given up while it waited is never handed over", async () => {
  const { all, router, workers, ask, answerFirst } = await world();
  const cancellation = createCancellation();

  for (let i = 0; i < AHEAD; i += 1) void ask(actions.queryPhase);
  void ask(actions.queryPhase, cancellation);
  await all.run(1);
  cancellation.cancel("the client is gone");
  await all.run(1);
  answerFirst();
  await all.run(1);

  expect(handedOver(workers[0])).toHaveLength(AHEAD);
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ active: 2, queue: 13 });
});

test("a search beyond the queue is refused without having been handed over", async () => {
  const { all, workers, ask } = await world();

  for (let i = 0; i < SIZE + QUEUE; i += 1) void ask(actions.queryPhase);
  const outcome = await all.outcome(ask(actions.queryPhase));

  expect(outcome).toMatchObject({ type: "rejected_execution_exception", status: 429 });
  expect(handedOver(workers[0])).toHaveLength(AHEAD);
});

test("reads by id beyond the pool and its queue are refused in the product's words", async () => {
  const { all, ask } = await world();

  for (let i = 0; i < 1 + QUEUE; i += 1) void ask(actions.getShard);
  const outcome = await all.outcome(ask(actions.getShard));

  expect((outcome as Problem).reason).toMatch(
    /^rejected execution of org\.opensearch\.action\.ActionRunnable\$2@\w+ on OpenSearchThreadPoolExecutor\[name = a\/get, queue capacity = 1000, org\.opensearch\.common\.util\.concurrent\.OpenSearchThreadPoolExecutor@\w+\[Running, pool size = 1, active threads = 1, queued tasks = 1000, completed tasks = 0\]\]$/,
  );
});

test("writes wait for copies and disks, not for each other: all that are admitted are handed over", async () => {
  const { all, workers, ask } = await world();

  for (let i = 0; i < 50; i += 1) void ask(actions.bulkShard);
  await all.run(1);

  expect(handedOver(workers[0])).toHaveLength(50);
});

test("what a copy, a recovery or an administrator asks is handed over however many searches wait", async () => {
  const { all, workers, ask } = await world();
  const others = [actions.replicaOperations, actions.shardStats, actions.startRecovery];

  for (let i = 0; i < SIZE + QUEUE; i += 1) void ask(actions.queryPhase);
  for (const action of others) void ask(action);
  await all.run(1);

  const seen = handedOver(workers[0]).map(({ header }) => header.action);
  expect(seen.slice(AHEAD)).toEqual(others);
});

test("when a shard worker ends nothing is left under way or waiting", async () => {
  const { all, router, workers, ask } = await world();

  const answers = Array.from({ length: 5 }, () => ask(actions.queryPhase));
  await all.run(1);
  workers[0]?.events.onExit("out of memory");
  const outcomes = await all.outcome(Promise.all(answers));

  expect((outcomes as Problem[]).map(({ status }) => status)).toEqual([500, 500, 500, 500, 500]);
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ active: 0, queue: 0 });
});
