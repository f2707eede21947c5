/** Where frames go inside a node, and what the node does when a shard worker dies. */
import { applySliceChange, decodeState, type ClusterState } from "@orrery/cluster-state";
import {
  decodeFrame,
  encodeFrame,
  rareLinesMost,
  rareLinesMs,
  workerFor,
  type FrameKind,
  type WorkerMessage,
} from "@orrery/ports";
import { NodeRequest } from "@orrery/protocol";
import { OperationError, utf8Decode, utf8Encode, type NodeId, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { stateWith } from "./state.ts";
import { createTestWorld, type ScriptedWorker } from "./world.ts";

const shard = "books-uuid/0";
const text = utf8Encode;

function framesOf(worker: ScriptedWorker | undefined) {
  return (worker?.posted ?? []).flatMap((message) =>
    message.kind === "frame" ? [{ ...message, header: decodeFrame(message.frame) }] : [],
  );
}

/** The slice that these messages lead to. */
function followed(posted: readonly WorkerMessage[]): ClusterState {
  let slice: ClusterState | undefined;
  for (const message of posted) {
    if (message.kind === "state") slice = decodeState(message.slice);
    if (message.kind !== "state-change") continue;
    if (slice === undefined) throw new Error("a change of nothing");
    slice = applySliceChange(slice, message.change);
  }
  if (slice === undefined) throw new Error("no slice");
  return slice;
}

/** The worker answers a frame it was given. */
function answer(
  worker: ScriptedWorker | undefined,
  { connection, header }: ReturnType<typeof framesOf>[number],
  kind: FrameKind,
  payload: Uint8Array,
): void {
  const { correlationId, action, endpoint, from, to } = header;
  const frame = encodeFrame(
    { kind, correlationId, action, endpoint, from: to, to: from, shard: "", timeoutMs: 0 },
    payload,
  );
  worker?.events.onMessage({ kind: "frame", connection, frame });
}

function problemOf(outcome: unknown): Problem {
  if (!(outcome instanceof OperationError)) throw new Error(`no problem: ${String(outcome)}`);
  return outcome.problem;
}

describe("a request to the local node", () => {
  test("takes the same path: encoded, not during the call, answered by the handler", async () => {
    const world = createTestWorld();
    const { router, id } = await world.start("a");
    const sent = text("hi");
    const seen: { readonly payload: Uint8Array; readonly from: NodeId }[] = [];
    router.endpoint.handle("greet", async (payload, { from }) => {
      seen.push({ payload, from });
      return payload;
    });

    const asked = router.endpoint.request(id, "greet", sent);
    const during = seen.length;
    sent.fill(0);
    const result = await world.outcome(asked);

    expect(during).toBe(0);
    expect(seen.map(({ from }) => from)).toEqual([id]);
    expect(utf8Decode(result as Uint8Array)).toBe("hi");
  });

  test("fails with the problem the handler threw", async () => {
    const world = createTestWorld();
    const { router, id } = await world.start("a");
    const problem: Problem = { type: "some_exception", reason: "no", status: 418 };
    router.endpoint.handle("fail", async () => {
      throw new OperationError(problem);
    });

    const outcome = await world.outcome(router.endpoint.request(id, "fail", text("")));

    expect(problemOf(outcome)).toEqual(problem);
  });

  test("is not delivered once the node has closed", async () => {
    const world = createTestWorld();
    const { router, id } = await world.start("a");
    const seen: string[] = [];
    router.endpoint.handleOneWay("note", utf8Decode, () => void seen.push("note"));

    router.endpoint.send(id, "note", text(""));
    router.close();
    await world.run(10);

    expect(seen).toEqual([]);
  });
});

describe("what a member sends that cannot be answered", () => {
  test("is answered to it and not logged when its bytes are malformed", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));
    a.router.endpoint.handle("read", async (payload) => {
      NodeRequest.decode(payload);
      return payload;
    });

    const outcome = await world.outcome(b.router.endpoint.request(a.id, "read", text("{")));

    expect(problemOf(outcome).type).toBe("stream_corrupted_exception");
    expect(a.logs).toEqual([]);
  });

  test("costs a bounded number of lines, whatever it meets, and the rest is counted", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));
    a.router.endpoint.handle("break", async () => {
      throw new TypeError("unforeseen");
    });
    a.router.endpoint.handleOneWay(
      "note",
      (payload) => NodeRequest.decode(payload),
      () => {},
    );
    const sendMany = async (): Promise<void> => {
      const asked = Array.from({ length: 100 }, () => {
        b.router.endpoint.send(a.id, "note", text("{"));
        return world.outcome(b.router.endpoint.request(a.id, "break", text("")));
      });
      await world.run(1000);
      await Promise.all(asked);
    };

    await sendMany();
    const first = a.logs.length;
    await world.run(rareLinesMs);
    await sendMany();

    expect(first).toBe(2 * rareLinesMost);
    const told = a.logs.filter((line) => line.includes(`[${100 - rareLinesMost}] more such lines`));
    expect(told).toHaveLength(2);
    expect(a.logs).toHaveLength(2 * first + 2);
  });
});

describe("a frame that names a shard", () => {
  test("goes to the worker of that shard, from here and from another node, and the answer goes back", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));

    const local = a.router.endpoint.request(a.id, "shard-action", text("local"), { shard });
    const remote = b.router.endpoint.request(a.id, "shard-action", text("remote"), { shard });
    await world.run(10);
    const [worker] = a.workers;
    for (const frame of framesOf(worker)) answer(worker, frame, "response", frame.header.payload);

    expect(worker?.posted[0]).toMatchObject({ kind: "start", worker: 1 });
    expect(utf8Decode((await world.outcome(local)) as Uint8Array)).toBe("local");
    expect(utf8Decode((await world.outcome(remote)) as Uint8Array)).toBe("remote");
  });

  test("goes to one of several workers, always the same for a shard", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a", { workers: 3 });
    const shards = Array.from({ length: 20 }, (_, i) => `books-uuid/${i}`);

    for (const one of shards) void router.endpoint.request(id, "x", text(""), { shard: one });
    await world.run(10);

    const numberOf = (worker: ScriptedWorker): number => {
      const [first] = worker.posted;
      return first?.kind === "start" ? first.worker : 0;
    };
    for (const worker of workers)
      for (const { header } of framesOf(worker))
        expect(workerFor(header.shard, 3)).toBe(numberOf(worker));
    expect(workers.flatMap(framesOf)).toHaveLength(20);
    expect(workers).toHaveLength(3);
  });

  test("is refused once the node stops", async () => {
    const world = createTestWorld();
    const { router, id } = await world.start("a");
    await world.outcome(router.shards.stop());

    const outcome = await world.outcome(
      router.endpoint.request(id, "shard-action", text(""), { shard }),
    );

    expect(problemOf(outcome)).toMatchObject({
      type: "shard_not_found_exception",
      isRetryable: true,
    });
  });

  test("carries parts both ways between a node and another node's worker", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));
    const large = new Uint8Array(3 * 1024 * 1024).fill(7);

    void b.router.endpoint.request(a.id, "shard-action", large, { shard }).catch(() => undefined);
    await world.run(100);
    const [worker] = a.workers;
    const parts = framesOf(worker);
    answer(worker, parts[0] as (typeof parts)[number], "request-credit", text(""));
    await world.run(100);

    expect(parts.map(({ header }) => header.kind)).toEqual([
      "request-part",
      "request-part",
      "request",
    ]);
    expect(parts.reduce((sum, { header }) => sum + header.payload.length, 0)).toBe(large.length);
  });
});

test("a worker that replaces a dead one numbers its requests above that one's", async () => {
  const world = createTestWorld();
  const a = await world.start("a");
  a.router.shards.apply(stateWith([a.id]));

  a.workers[0]?.events.onExit("out of memory");
  await world.run(10);
  void a.router.endpoint.request(a.id, "shard-action", text(""), { shard }).catch(() => undefined);
  await world.run(10);

  const told = a.workers.map(({ posted: [first] }) =>
    first?.kind === "start"
      ? (JSON.parse(first.settings) as { readonly lastCorrelationId: number }).lastCorrelationId
      : undefined,
  );
  expect(told).toEqual([0, 2 ** 32]);
});

describe("a frame that a worker sends", () => {
  const sendTo = (to: string, correlationId: number): WorkerMessage & { kind: "send" } => ({
    kind: "send",
    to,
    channel: "reg",
    frame: encodeFrame(
      {
        kind: "request",
        correlationId,
        from: "a-id",
        to,
        endpoint: 1,
        action: "greet",
        shard: "",
        timeoutMs: 0,
      },
      text("from the worker"),
    ),
  });

  test("is answered to that worker", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    b.router.endpoint.handle("greet", async (payload) => payload);
    await world.outcome(a.router.peers.connect("b"));
    a.router.shards.apply(stateWith([a.id]));
    const [worker] = a.workers;

    worker?.events.onMessage(sendTo(b.id, 5));
    await world.run(100);

    const [reply] = framesOf(worker);
    expect(reply?.header).toMatchObject({ kind: "response", correlationId: 5, endpoint: 1 });
    expect(utf8Decode(reply?.header.payload ?? text(""))).toBe("from the worker");
  });

  test("to a node without a link is refused to that worker", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    a.router.shards.apply(stateWith([a.id]));
    const [worker] = a.workers;

    worker?.events.onMessage(sendTo("b-id", 6));

    expect(worker?.posted.at(-1)).toEqual({
      kind: "refused",
      correlationId: 6,
      reason: "not-connected",
    });
  });
});

describe("shard workers", () => {
  test("start when the first shard arrives, and not before", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a", { workers: 2 });

    router.shards.apply(stateWith(["other-id" as NodeId]));
    const before = workers.length;
    router.shards.apply(stateWith([id]));

    expect([before, workers.length]).toEqual([0, 2]);
    for (const { posted } of workers)
      expect(posted.map(({ kind }) => kind)).toEqual(["start", "state"]);
  });

  test("hear of a state only when it changes their part of it", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a");
    const state = stateWith([id]);
    router.shards.apply(state);

    router.shards.apply({ ...state, version: 2 });
    const unchanged = workers[0]?.posted.length;
    router.shards.apply({ ...state, version: 3, term: 2 });

    expect([unchanged, workers[0]?.posted.length]).toEqual([2, 3]);
  });

  test("that die are reported with the copies they had, and no others", async () => {
    const world = createTestWorld();
    const { router, id, workers, deaths, logs } = await world.start("a", { workers: 2 });
    router.shards.apply(stateWith([id, id, id, id, "other-id" as NodeId]));
    const mine = [0, 1, 2, 3].filter((number) => workerFor(`books-uuid/${number}`, 2) === 1);

    workers[0]?.events.onExit("out of memory");

    expect(deaths).toEqual([
      {
        reason: "out of memory",
        lost: mine.map((number) => ({
          index: "books",
          indexUuid: "books-uuid",
          shard: number,
          allocationId: `allocation-${number}`,
        })),
      },
    ]);
    expect(mine.length).toBeGreaterThan(0);
    expect(logs).toEqual(["error: shard worker [1] ended: out of memory"]);
  });

  test("that die leave no request without an answer", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));
    const ask = (node: typeof a, action: string) =>
      node.router.endpoint.request(a.id, action, text(""), { shard });
    const answered = ask(a, "answered");
    await world.run(10);
    const [worker] = a.workers;
    for (const frame of framesOf(worker)) answer(worker, frame, "response", text("done"));
    const local = ask(a, "local");
    const remote = ask(b, "remote");
    await world.run(10);

    const unanswered = Promise.allSettled([local, remote]);
    worker?.events.onExit("out of memory");

    expect(utf8Decode((await world.outcome(answered)) as Uint8Array)).toBe("done");
    const ended = (await world.outcome(unanswered)) as readonly PromiseSettledResult<Uint8Array>[];
    for (const outcome of ended)
      expect(outcome.status === "rejected" && problemOf(outcome.reason)).toMatchObject({
        type: "already_closed_exception",
        reason: "shard worker ended: out of memory",
        isRetryable: true,
      });
    expect(ended).toHaveLength(2);
  });

  test("that die answer a node to which this one has lost its own link, too", async () => {
    const world = createTestWorld();
    const a = await world.start("a");
    const b = await world.start("b");
    await world.outcome(b.router.peers.connect("a"));
    const asked = b.router.endpoint.request(a.id, "remote", text(""), { shard });
    await world.run(100);

    // What `b` asked for came on the link that it has opened.
    a.router.peers.disconnect(b.id);
    a.workers[0]?.events.onExit("out of memory");

    expect(a.disconnections).toHaveLength(1);
    expect(problemOf(await world.outcome(asked)).reason).toBe("shard worker ended: out of memory");
  });

  describe("that take no turn any more", () => {
    const stuckWorld = async () => {
      const world = createTestWorld();
      const node = await world.start("a", { stallTimeoutMs: 30_000 });
      node.router.shards.apply(stateWith([node.id]));
      const [worker] = node.workers;
      const ask = (action: string) =>
        node.router.endpoint
          .request(node.id, action, text(""), { shard })
          .catch((error: unknown) => problemOf(error));
      const beatFor = async (seconds: number): Promise<void> => {
        for (let i = 0; i < seconds; i += 1) {
          if (worker !== undefined) worker.beats += 4;
          await world.run(1000);
        }
      };
      return { world, node, worker, ask, beatFor };
    };

    test("are ended after the timeout, and their copies failed when they have ended", async () => {
      const { world, node, worker, beatFor } = await stuckWorld();
      await beatFor(300);
      await world.run(25_000);
      const before = worker?.isTerminated;

      await world.run(10_000);
      const deathsBefore = node.deaths.length;
      worker?.events.onExit("");

      expect([before, worker?.isTerminated, deathsBefore]).toEqual([false, true, 0]);
      expect(node.deaths).toMatchObject([
        { reason: "took no turn for [30s]", lost: [{ allocationId: "allocation-0" }] },
      ]);
      expect(node.logs[0]).toBe("error: shard worker [1] took no turn for [30s]: it is replaced");
      node.router.shards.apply({ ...stateWith([node.id]), version: 2 });
      expect(node.workers).toHaveLength(2);
    });

    test("fail what they may be stuck in for good, and what came later for another try", async () => {
      const { world, worker, ask, beatFor } = await stuckWorld();
      await beatFor(10);
      const guilty = ask("guilty");
      await world.run(15_000);
      const innocent = ask("innocent");
      await world.run(30_000);
      worker?.events.onExit("");

      expect(await world.outcome(guilty)).toEqual({
        type: "task_cancelled_exception",
        reason:
          "cancelled: the shards of node [a] were busy for [30s] without a pause, and were started again",
        status: 500,
      });
      expect(await world.outcome(innocent)).toMatchObject({
        type: "already_closed_exception",
        isRetryable: true,
      });
    });
  });

  test("that died are started again with the next state", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a");
    const state = stateWith([id]);
    router.shards.apply(state);
    workers[0]?.events.onExit("out of memory");

    router.shards.apply({ ...state, version: 2 });

    expect(workers).toHaveLength(2);
    expect(workers[1]?.posted.map(({ kind }) => kind)).toEqual(["start", "state"]);
  });

  test("get what changed since the slice before, and one that takes another's place the whole slice first", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a", { workers: 2 });
    const state = stateWith([id, id]);
    const next = { ...state, version: 2, term: 2 };
    router.shards.apply(state);
    router.shards.apply(next);
    workers[0]?.events.onExit("out of memory");

    router.shards.apply({ ...next, version: 3 });
    router.shards.apply({ ...next, version: 4, term: 4 });

    const kinds = workers.map(({ posted }) => posted.map(({ kind }) => kind));
    const change = "state-change";
    expect(kinds).toEqual([
      ["start", "state", change],
      ["start", "state", change, change, change],
      ["start", "state", change],
    ]);
    expect(workers.slice(1).map(({ posted }) => followed(posted).version)).toEqual([4, 4]);
    expect(workers.slice(1).map(({ posted }) => followed(posted).routingTable)).toEqual([
      followed(workers[0]?.posted ?? []).routingTable,
      followed(workers[0]?.posted ?? []).routingTable,
    ]);
  });

  test("are stopped in an orderly way before the node ends", async () => {
    const world = createTestWorld();
    const { router, id, workers, deaths } = await world.start("a", { workers: 2 });
    router.shards.apply(stateWith([id]));

    const stopping = router.shards.stop();
    const kinds = workers.map(({ posted }) => posted.at(-1)?.kind);
    for (const { events } of workers) events.onMessage({ kind: "stopped" });
    await world.outcome(stopping);

    expect(kinds).toEqual(["stop", "stop"]);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
    expect(deaths).toEqual([]);
  });

  test("that die while they are stopped do not hold up the end", async () => {
    const world = createTestWorld();
    const { router, id, workers } = await world.start("a");
    router.shards.apply(stateWith([id]));

    const stopping = router.shards.stop();
    workers[0]?.events.onExit("out of memory");

    expect(await world.outcome(stopping)).toBeUndefined();
  });
});
