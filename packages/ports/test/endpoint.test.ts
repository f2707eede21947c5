/** Requests over frames: answers, errors, deadlines, cancellation, lost peers, full queues and large payloads. */
import {
  AssertionError,
  bytesEqual,
  emptyBytes,
  illegalArgument,
  OperationError,
  utf8Decode,
  utf8Encode,
} from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  anonymous,
  createCancellation,
  maxFrameBytes,
  type Frame,
  type HandlerContext,
  type RequestName,
} from "../src/index.ts";
import { createWire, idA, idB, type Wire } from "./wire.ts";

const MiB = 1024 * 1024;

/** What a promise ends with, as data; `pending` while it has not ended. */
function outcomeOf(promise: Promise<Uint8Array>): { value: unknown } {
  const outcome: { value: unknown } = { value: "pending" };
  promise.then(
    (payload) => {
      outcome.value = payload;
    },
    (error: unknown) => {
      outcome.value = error instanceof OperationError ? error.problem.type : error;
    },
  );
  return outcome;
}

function patterned(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 12)) & 255);
}

const noContext = { task: 0, caller: anonymous };

test("a request is answered by the handler of its action", async () => {
  const wire = createWire();
  const contexts: HandlerContext[] = [];
  wire.b.handle("greet", async (payload, context) => {
    contexts.push(context);
    return utf8Encode(`hello ${utf8Decode(payload)}`);
  });

  const answer = wire.a.request(idB, "greet", utf8Encode("ada"), { shard: "index/3" });
  await wire.run();

  expect(utf8Decode(await answer)).toBe("hello ada");
  expect(contexts).toMatchObject([{ from: idA, shard: "index/3" }]);
  expect(wire.a.outstanding).toBe(0);
});

test("answers find their requests in whatever order they come", async () => {
  const wire = createWire();
  const waiting = new Map<string, (payload: Uint8Array) => void>();
  wire.b.handle(
    "slow",
    (payload) =>
      new Promise((resolve) => {
        waiting.set(utf8Decode(payload), resolve);
      }),
  );

  const names = ["one", "two", "three"];
  const answers = names.map((name) => wire.a.request(idB, "slow", utf8Encode(name)));
  await wire.run();
  for (const name of names.toReversed()) waiting.get(name)?.(utf8Encode(`${name}!`));
  await wire.run();

  const texts = (await Promise.all(answers)).map(utf8Decode);
  expect(texts).toEqual(["one!", "two!", "three!"]);
});

test("a request to the local node takes the same path", async () => {
  const wire = createWire();
  wire.a.handle("own", async (payload) => payload);
  const large = patterned(3 * MiB);

  const answer = wire.a.request(idA, "own", large);
  await wire.run();

  expect(bytesEqual(await answer, large)).toBe(true);
  expect(wire.log.map(({ kind }) => kind)).toEqual(["request", "response"]);
});

test("the problem a handler throws reaches the requester whole", async () => {
  const wire = createWire();
  const cause = illegalArgument("bad [x]").problem;
  wire.b.handle("fail", () => Promise.reject(illegalArgument("outer", cause)));

  const answer = wire.a.request(idB, "fail", emptyBytes);
  answer.catch(() => undefined);
  await wire.run();

  await expect(answer).rejects.toMatchObject({
    problem: {
      type: "illegal_argument_exception",
      reason: "outer",
      status: 400,
      causedBy: { reason: "bad [x]" },
    },
  });
});

test("what a handler throws that is no problem reaches the requester without its words, but for its log", async () => {
  const wire = createWire();
  wire.b.handle("fail", () => Promise.reject(new TypeError("x is not a function")));

  const answer = wire.a.request(idB, "fail", emptyBytes);
  answer.catch(() => undefined);
  await wire.run();

  await expect(answer).rejects.toMatchObject({
    problem: {
      type: "exception",
      reason: "unexpected failure, the log of the node tells more",
      status: 500,
      internal: "TypeError: x is not a function",
    },
  });
});

test("a failed assertion of a handler is answered like any other error, and told besides: it is no matter of the request", async () => {
  const wire = createWire();
  wire.b.handle("bug", () => Promise.reject(new TypeError("x is not a function")));
  wire.b.handle("broken", () => Promise.reject(new AssertionError("two primaries")));

  const answers = ["bug", "broken"].map((action) => wire.a.request(idB, action, emptyBytes));
  const outcomes = Promise.allSettled(answers);
  await wire.run();

  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(wire.broken.map(({ message }) => message)).toEqual(["two primaries"]);
});

test("an action nobody handles is an error of its own", async () => {
  const wire = createWire();

  const outcome = outcomeOf(wire.a.request(idB, "nobody", emptyBytes));
  await wire.run();

  expect(outcome.value).toBe("action_not_found_transport_exception");
});

test("a deadline that passes rejects, tells the other side, and a late answer is ignored", async () => {
  const wire = createWire();
  const reasons: string[] = [];
  let finish: (payload: Uint8Array) => void = () => undefined;
  wire.b.handle("slow", (_payload, { cancellation }) => {
    cancellation.onCancel((reason) => reasons.push(reason));
    return new Promise((resolve) => {
      finish = resolve;
    });
  });

  const outcome = outcomeOf(wire.a.request(idB, "slow", emptyBytes, { timeoutMs: 500 }));
  await wire.run();
  wire.advance(499);
  await wire.run();
  const before = outcome.value;
  wire.advance(1);
  await wire.run();
  finish(emptyBytes);
  await wire.run();

  expect([before, outcome.value]).toEqual(["pending", "receive_timeout_transport_exception"]);
  expect(reasons).toEqual([expect.stringContaining("timed out after [500ms]")]);
  expect(wire.log.map(({ kind }) => kind)).toEqual(["request", "cancel"]);
});

test("an answer in time stops the deadline", async () => {
  const wire = createWire();
  wire.b.handle("quick", async () => emptyBytes);

  const outcome = outcomeOf(wire.a.request(idB, "quick", emptyBytes, { timeoutMs: 500 }));
  await wire.run();
  wire.advance(1000);
  await wire.run();

  expect(outcome.value).toEqual(emptyBytes);
  expect(wire.log.map(({ kind }) => kind)).toEqual(["request", "response"]);
});

test("cancelling rejects the request and cancels its handler", async () => {
  const wire = createWire();
  const reasons: string[] = [];
  wire.b.handle("slow", (_payload, { cancellation }) => {
    cancellation.onCancel((reason) => reasons.push(reason));
    return new Promise(() => undefined);
  });
  const cancellation = createCancellation();

  const outcome = outcomeOf(wire.a.request(idB, "slow", emptyBytes, { cancellation }));
  await wire.run();
  cancellation.cancel("by user request");
  await wire.run();

  expect(outcome.value).toBe("task_cancelled_exception");
  expect(reasons).toEqual(["cancelled task with reason: by user request"]);
});

test("a cancellation that crosses the answer tells the other side which answer is not read", async () => {
  const wire = createWire();
  const asked: RequestName[] = [];
  wire.b.handle("quick", async (_payload, { request }) => {
    asked.push(request);
    return emptyBytes;
  });
  const cancellation = createCancellation();

  const outcome = outcomeOf(wire.a.request(idB, "quick", emptyBytes, { cancellation }));
  await wire.run(() => wire.log.at(-1)?.kind === "response");
  cancellation.cancel("too late");
  await wire.run();

  expect(outcome.value).toBe("task_cancelled_exception");
  expect(asked).toHaveLength(1);
  expect(wire.unread).toMatchObject(asked);
});

test("a request that was cancelled before it was made is not sent", async () => {
  const wire = createWire();
  const cancellation = createCancellation();
  cancellation.cancel("too late");

  const outcome = outcomeOf(wire.a.request(idB, "any", emptyBytes, { cancellation }));
  await wire.run();

  expect([outcome.value, wire.log]).toEqual(["task_cancelled_exception", []]);
});

test("a lost peer fails the requests to it and cancels what it asked for", async () => {
  const wire = createWire();
  const reasons: string[] = [];
  wire.b.handle("slow", (_payload, { cancellation }) => {
    cancellation.onCancel((reason) => reasons.push(reason));
    return new Promise(() => undefined);
  });
  const outcome = outcomeOf(wire.a.request(idB, "slow", emptyBytes));
  await wire.run();

  wire.a.disconnected(idB, "connection reset");
  wire.b.closed(1, "connection reset");
  await wire.run();

  expect(outcome.value).toBe("node_disconnected_exception");
  expect(reasons).toEqual(["connection reset"]);
  expect(wire.a.outstanding).toBe(0);
});

test("what a peer asked for goes on while only the way to it is lost", async () => {
  const wire = createWire();
  let answer = (): void => undefined;
  wire.b.handle(
    "slow",
    () =>
      new Promise((resolve) => {
        answer = () => resolve(emptyBytes);
      }),
  );
  const outcome = outcomeOf(wire.a.request(idB, "slow", emptyBytes));
  await wire.run();

  wire.b.disconnected(idA, "connection reset");
  answer();
  await wire.run();

  expect(outcome.value).toEqual(emptyBytes);
});

test.each([
  ["full", "rejected_execution_exception"],
  ["not-connected", "node_not_connected_exception"],
] as const)("a post that is %s fails the request at once with %s", async (result, type) => {
  const wire = createWire();
  wire.postResult = result;

  const outcome = outcomeOf(wire.a.request(idB, "any", emptyBytes, { timeoutMs: 100 }));
  await wire.run();

  expect([outcome.value, wire.a.outstanding]).toEqual([type, 0]);
});

test("a frame that is refused later fails its request", async () => {
  const wire = createWire();
  const outcome = outcomeOf(wire.a.request(idB, "any", emptyBytes));

  wire.a.refused(wire.log[0]?.correlationId ?? -1, "full");
  await Promise.resolve();
  await Promise.resolve();

  expect(outcome.value).toBe("rejected_execution_exception");
});

test("a one-way message that cannot be read is dropped, and the next one is heard", async () => {
  const wire = createWire();
  const received: unknown[] = [];
  wire.b.handleOneWay(
    "note",
    (payload) => JSON.parse(utf8Decode(payload)) as unknown,
    (note) => void received.push(note),
  );

  wire.a.send(idB, "note", utf8Encode("{not json"));
  wire.a.send(idB, "note", utf8Encode("[1]"));
  await wire.run();

  expect(received).toEqual([[1]]);
});

test("a one-way message reaches its handler and gets no answer", async () => {
  const wire = createWire();
  const received: string[] = [];
  wire.b.handleOneWay("note", utf8Decode, (note, { from }) => {
    received.push(`${from}: ${note}`);
  });

  wire.a.send(idB, "note", utf8Encode("hi"));
  wire.a.send(idB, "unknown", utf8Encode("hi"));
  await wire.run();

  expect(received).toEqual(["node-a: hi"]);
  expect(wire.log.map(({ kind }) => kind)).toEqual(["one-way", "one-way"]);
});

test.each([0, 1, MiB, MiB + 1, 5 * MiB, 9 * MiB + 7])(
  "a payload of %i bytes arrives whole in both directions, a window of parts at a time",
  async (length) => {
    const wire = createWire();
    const payload = patterned(length);
    wire.b.handle("echo", async (received) => received);

    const answer = wire.a.request(idB, "echo", payload, { shard: "index/1" });
    await wire.run();

    expect(bytesEqual(await answer, payload)).toBe(true);
    expect(wire.mostInFlightBytes).toBeLessThan(5 * MiB);
    const sizes = wire.log.map((frame) => frame.payload.length);
    expect(Math.max(...sizes)).toBeLessThan(maxFrameBytes);
    // Whoever routes frames finds the shard worker by these.
    const towardsShard = wire.log.filter(({ from }) => from === idA);
    expect(new Set(towardsShard.map(({ shard }) => shard))).toEqual(new Set(["index/1"]));
  },
);

test("large requests of one peer do not mix", async () => {
  const wire = createWire();
  wire.b.handle("length", async (received) => utf8Encode(`${received.length} ${received[0]}`));

  const answers = [1, 2, 3].map((n) =>
    wire.a.request(idB, "length", new Uint8Array(2 * MiB + n).fill(n)),
  );
  await wire.run();

  const texts = (await Promise.all(answers)).map(utf8Decode);
  expect(texts).toEqual([1, 2, 3].map((n) => `${2 * MiB + n} ${n}`));
});

test("a large request that times out on its way stops, and leaves nothing behind", async () => {
  const wire = createWire();
  const handled: number[] = [];
  wire.b.handle("large", async (payload) => {
    handled.push(payload.length);
    return emptyBytes;
  });

  const large = patterned(8 * MiB);
  const outcome = outcomeOf(wire.a.request(idB, "large", large, { timeoutMs: 10 }));
  wire.advance(10);
  await wire.run();
  const frames = wire.log.length;
  await wire.run();

  expect(outcome.value).toBe("receive_timeout_transport_exception");
  expect([handled, wire.log.length]).toEqual([[], frames]);
  expect(wire.log.filter(({ kind }) => kind === "request")).toEqual([]);
});

test("a requester that gives up stops a large answer", async () => {
  const wire = createWire();
  wire.b.handle("large", async () => patterned(12 * MiB));
  const cancellation = createCancellation();
  const outcome = outcomeOf(wire.a.request(idB, "large", emptyBytes, { cancellation }));
  const parts = () => wire.log.filter(({ kind }) => kind === "response-part").length;
  await wire.run(() => parts() >= 4);

  cancellation.cancel("enough");
  await wire.run();

  expect(outcome.value).toBe("task_cancelled_exception");
  expect(parts()).toBe(4);
});

describe("what a peer holds of requests that do not end", () => {
  const payload = new Uint8Array(MiB);

  const part = (correlationId: number, number: number, from = idA): Frame => {
    const header = { kind: "request-part", correlationId, from, to: idB, action: "echo" } as const;
    return { ...header, endpoint: 0, shard: "", timeoutMs: 0, part: number, ...noContext, payload };
  };

  const kindsOf = (wire: Wire): Record<string, number> =>
    wire.log.reduce<Record<string, number>>(
      (sum, { kind }) => ({ ...sum, [kind]: (sum[kind] ?? 0) + 1 }),
      {},
    );

  test("is bounded: what comes above is refused with 429, and others are served", async () => {
    const wire = createWire();
    wire.b.handle("echo", async () => emptyBytes);
    for (let i = 0; i < 480; i += 1) wire.b.receive(part(i + 1, 0), 1);

    const { error = 0, "request-credit": taken = 0 } = kindsOf(wire);
    expect([taken, taken + error]).toEqual([256, 480]);
    const refused = wire.log.find(({ kind }) => kind === "error")?.payload ?? emptyBytes;
    expect(JSON.parse(utf8Decode(refused))).toMatchObject({
      type: "circuit_breaking_exception",
      status: 429,
    });

    const other = "node-c" as typeof idA;
    wire.b.receive(part(1, 0, other), 1);
    expect(kindsOf(wire)["request-credit"]).toBe(257);
    // What its connection held is free again when it is gone.
    wire.b.closed(1, "gone");
    wire.b.receive(part(500, 0), 1);
    expect(kindsOf(wire)["request-credit"]).toBe(258);
  });

  test("is counted once when a number is used again, and requests are counted, too", () => {
    const wire = createWire();
    for (let i = 0; i < 600; i += 1) wire.b.receive(part(7, 0), 1);
    expect(kindsOf(wire)).toEqual({ "request-credit": 600 });

    for (let i = 0; i < 3000; i += 1)
      wire.b.receive({ ...part(i + 100, 0), payload: emptyBytes }, 1);
    expect(kindsOf(wire)).toEqual({ "request-credit": 600 + 1023, error: 3000 - 1023 });
  });
});

describe("INV-PORTS-1: a payload is handed on whole or not at all", () => {
  test("a request of which a part was lost is refused", async () => {
    const wire = createWire();
    const handled: number[] = [];
    wire.b.handle("large", async (payload) => {
      handled.push(payload.length);
      return emptyBytes;
    });
    const outcome = outcomeOf(wire.a.request(idB, "large", patterned(3 * MiB)));

    wire.lose(({ kind, part }) => kind === "request-part" && part === 1);
    await wire.run();

    expect([outcome.value, handled]).toEqual(["stream_corrupted_exception", []]);
    expect(wire.a.outstanding).toBe(0);
  });

  test("an answer of which a part was lost fails the request", async () => {
    const wire = createWire();
    wire.b.handle("large", async () => patterned(3 * MiB));
    const outcome = outcomeOf(wire.a.request(idB, "large", emptyBytes));
    await wire.run(() => wire.log.some(({ kind }) => kind === "response-part"));

    wire.lose(({ kind, part }) => kind === "response-part" && part === 0);
    await wire.run();

    expect(outcome.value).toBe("stream_corrupted_exception");
  });

  test("what a lost peer had sent of a request is forgotten", async () => {
    const wire = createWire();
    const handled: number[] = [];
    wire.b.handle("large", async (payload) => {
      handled.push(payload.length);
      return emptyBytes;
    });
    const outcome = outcomeOf(wire.a.request(idB, "large", patterned(3 * MiB)));
    await wire.run(() => wire.log.some(({ kind }) => kind === "request-credit"));

    wire.b.closed(1, "gone");
    await wire.run();

    expect([outcome.value, handled]).toEqual(["stream_corrupted_exception", []]);
  });
});

test.each(["", "{broken", "7", "null", '{"type":7}', '{"type":"x","reason":"y","status":9}'])(
  "a failure that is told as [%s] fails its request, and nothing else",
  async (told) => {
    const wire = createWire();
    wire.b.handle("greet", () => new Promise(() => undefined));
    const outcome = outcomeOf(wire.a.request(idB, "greet", emptyBytes));
    const kind = "error";
    const header = {
      kind,
      correlationId: 1,
      from: idB,
      to: idA,
      endpoint: 0,
      action: "greet",
    } as const;

    const rest = { shard: "", timeoutMs: 0, part: 0, ...noContext };
    wire.a.receive({ ...header, ...rest, payload: utf8Encode(told) }, 1);
    await wire.run();

    expect(outcome.value).toBe("stream_corrupted_exception");
  },
);

test("an endpoint of any number is one of its own, and costs no more than another", () => {
  const wire = createWire();
  const header = { kind: "request-part", correlationId: 1, to: idB, action: "x" } as const;
  const rest = { shard: "", timeoutMs: 0, part: 0, ...noContext, payload: emptyBytes };
  for (const endpoint of [0, 7, 255, 65_534, 65_535])
    wire.b.receive({ ...header, ...rest, from: idA, endpoint }, 1);

  wire.b.closed(1, "gone");

  expect(wire.log.map(({ kind }) => kind)).toEqual(
    Array.from({ length: 5 }, () => "request-credit"),
  );
});
