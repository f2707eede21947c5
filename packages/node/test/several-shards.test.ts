/** Requests for several shards of a node: to one worker as they came, spread over several workers, admitted shard by shard. */
import {
  createCancellation,
  decodeFrame,
  encodeFrame,
  namesOfShards,
  workerFor,
} from "@orrery/ports";
import { actions, ShardResults, ShardSearchRequests } from "@orrery/protocol";
import { emptyBytes, utf8Decode, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createTestWorld, type ScriptedWorker } from "./world.ts";

/** Of a machine with one processor. */
const SIZE = 2;
const QUEUE = 1000;

type Results = ReturnType<typeof ShardResults.decode>["results"];

const nameOf = (shard: number): string => `books-uuid/${shard}`;

function handedOver(worker: ScriptedWorker | undefined) {
  return (worker?.posted ?? []).flatMap((message) => {
    if (message.kind !== "frame") return [];
    const header = decodeFrame(message.frame);
    return header.kind === "request" ? [{ connection: message.connection, header }] : [];
  });
}

/** The worker answers each of its requests, which are forgotten: with the number of the shard, for each part but the last `missing`. */
function answerAll(worker: ScriptedWorker | undefined, missing = 0): void {
  const taken = handedOver(worker);
  worker?.posted.splice(0);
  for (const { connection, header } of taken) {
    const { correlationId, action, endpoint, from, to } = header;
    const { parts } = ShardSearchRequests.decode(header.payload);
    const answered = parts.slice(0, parts.length - missing);
    const results = answered.map(({ shard }) => ({ answer: utf8Encode(`${shard}`) }));
    const frame = encodeFrame(
      {
        kind: "response",
        correlationId,
        action,
        endpoint,
        from: to,
        to: from,
        shard: "",
        timeoutMs: 0,
      },
      ShardResults.encode({ results }).finish(),
    );
    worker?.events.onMessage({ kind: "frame", connection, frame });
  }
}

async function world(workerCount: number) {
  const all = createTestWorld();
  const { router, id, workers } = await all.start("a", { workers: workerCount });
  const ask = async (shards: readonly number[], cancellation = createCancellation()) => {
    const payload = ShardSearchRequests.encode({
      shared: { nowMs: 5 },
      parts: shards.map((shard) => ({ indexUuid: "books-uuid", shard })),
    }).finish();
    const shard = namesOfShards(shards.map(nameOf));
    const how = { shard, cancellation };
    const answer = await router.endpoint.request(id, actions.queryShards, payload, how);
    return ShardResults.decode(answer).results;
  };
  return { all, router, workers, ask };
}

const shardsOf = (worker: ScriptedWorker | undefined) =>
  handedOver(worker).map(({ header }) =>
    ShardSearchRequests.decode(header.payload).parts.map(({ shard }) => shard),
  );

test("one worker is handed a request for several shards as it came, which takes a place for each", async () => {
  const { all, router, workers, ask } = await world(1);

  const asked = ask([0, 1, 2]);
  await all.run(1);

  expect(shardsOf(workers[0])).toEqual([[0, 1, 2]]);
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ active: 2, queue: 1 });
  answerAll(workers[0]);
  const results = await all.outcome(asked);
  expect(results).toHaveLength(3);
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ active: 0, completed: 3 });
});

test("each worker is handed the parts of its shards, and the results come in the order of the parts", async () => {
  const { all, workers, ask } = await world(2);
  const shards = [0, 1, 2, 3, 4, 5];
  const of = (worker: number) => shards.filter((shard) => workerFor(nameOf(shard), 2) === worker);

  const asked = ask(shards);
  await all.run(1);

  expect([of(1).length > 1, of(2).length > 1]).toEqual([true, true]);
  // Workers are started by their first frames.
  const groups = workers.map(shardsOf).toSorted((a, b) => (a[0]?.[0] ?? 0) - (b[0]?.[0] ?? 0));
  expect(groups).toEqual(
    [[of(1)], [of(2)]].toSorted((a, b) => (a[0]?.[0] ?? 0) - (b[0]?.[0] ?? 0)),
  );
  for (const worker of workers) answerAll(worker);
  const results = (await all.outcome(asked)) as Results;
  expect(results.map(({ answer }) => utf8Decode(answer))).toEqual(shards.map(String));
});

test("a part without a result in a worker's response fails, the others do not", async () => {
  const { all, workers, ask } = await world(2);
  const shards = [0, 1, 2, 3, 4, 5];
  const ofWorker = (n: number) => shards.findLast((shard) => workerFor(nameOf(shard), 2) === n);
  const last = new Set([1, 2].map(ofWorker));

  const asked = ask(shards);
  await all.run(1);
  for (const worker of workers) answerAll(worker, 1);

  const results = (await all.outcome(asked)) as Results;
  expect(results.map(({ problem }) => problem?.type)).toEqual(
    shards.map((shard) => (last.has(shard) ? "stream_corrupted_exception" : undefined)),
  );
});

test("spread parts name the request that they are parts of, and its late cancellation reaches each worker", async () => {
  const { all, workers, ask } = await world(2);
  const cancellation = createCancellation();

  const asked = ask([0, 1, 2, 3, 4, 5], cancellation).catch(() => undefined);
  await all.run(1);
  cancellation.cancel("the client is gone");
  await asked;
  await all.run(1);

  for (const worker of workers) {
    const { partOf } = ShardSearchRequests.decode(
      handedOver(worker)[0]?.header.payload ?? new Uint8Array(),
    );
    const cancelled = worker.posted.flatMap((message) => {
      const header = message.kind === "frame" ? decodeFrame(message.frame) : undefined;
      return header?.kind === "cancel" ? [header.correlationId] : [];
    });
    expect(cancelled).toContain(partOf?.correlationId);
    expect(cancelled).toContain(handedOver(worker)[0]?.header.correlationId);
  }
});

test("a cancellation from another node reaches each worker in bytes of its own, and they are transferred", async () => {
  const { all, router, workers, ask } = await world(2);
  const shards = [0, 1, 2, 3, 4, 5];
  void ask(shards).catch(() => undefined);
  await all.run(1);
  const [{ header } = expect.unreachable()] = handedOver(workers[0]);
  for (const worker of workers) worker.posted.splice(0);
  // Frames from a wire fill their buffers.
  const bytes = encodeFrame(
    { ...header, kind: "cancel", endpoint: 0, shard: namesOfShards(shards.map(nameOf)) },
    emptyBytes,
  ).slice();

  expect(router.shards.deliver(decodeFrame(bytes), 7, bytes)).toBe(true);

  for (const { posted } of workers) {
    const kinds = posted.map((message) =>
      message.kind === "frame" ? decodeFrame(message.frame).kind : message.kind,
    );
    expect(kinds).toEqual(["cancel"]);
  }
});

test("shards beyond the queue are refused, the others of the request are not", async () => {
  const { all, router, workers, ask } = await world(1);
  for (let i = 0; i < SIZE + QUEUE - 2; i += 1) void ask([0]).catch(() => undefined);
  await all.run(1);

  const asked = ask([1, 2, 3]);
  await all.run(1);
  // Answers make room for those that wait, which are answered in turn.
  for (let i = 0; i < 200; i += 1) {
    answerAll(workers[0]);
    await all.run(1);
  }

  const results = (await all.outcome(asked)) as Results;
  expect(results.map(({ problem }) => problem === null)).toEqual([true, true, false]);
  expect(results[2]?.problem).toMatchObject({ type: "rejected_execution_exception", status: 429 });
  expect(router.shards.threadPools.counts()["search"]).toMatchObject({ rejected: 1, queue: 0 });
});

test("when a shard worker ends, the request for several shards is answered", async () => {
  const { all, workers, ask } = await world(1);

  const asked = ask([0, 1]);
  await all.run(1);
  workers[0]?.events.onExit("out of memory");

  expect(await all.outcome(asked)).toMatchObject({ problem: { type: "already_closed_exception" } });
});
