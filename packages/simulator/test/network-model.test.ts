/** The simulated network against the contract while it is calm, and what faults may do to it. */
import {
  decodeFrame,
  encodeFrame,
  type Connection,
  type FrameKind,
  type Links,
  type Network,
} from "@orrery/ports";
import { networkContract } from "@orrery/ports/contract";
import { forSeedsAsync } from "@orrery/seeds";
import { utf8Decode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createNetworkModel } from "../src/network-model.ts";
import { createVirtualWorld } from "./world.ts";

const queueBytes = 4 * 1024 * 1024;

networkContract("simulated", async () => {
  const world = createVirtualWorld();
  const model = createNetworkModel({ ...world, random: world.random("network"), queueBytes });
  return {
    near: model.network("near"),
    far: model.network("far"),
    deadAddress: "nobody",
    sameAddressAsFar: (address) => model.network(address),
    queueBytes,
    settle: world.settle,
  };
});

/** Two nodes with one open connection, and all that arrives at either end. */
async function twoNodes(seed: number | string) {
  const world = createVirtualWorld(seed);
  const model = createNetworkModel({ ...world, random: world.random("network") });
  const alive = { near: true, far: true };
  const near = model.network("near", () => alive.near);
  const far = model.network("far", () => alive.far);
  const atFar: number[] = [];
  const atNear: number[] = [];
  const atNearFrames: Uint8Array[] = [];
  const closed: string[] = [];
  let back: Connection | undefined;
  const listening = far.listen((connection) => {
    back = connection;
    return {
      onFrame: (bytes) => void atFar.push(bytes.at(-1) ?? -1),
      onClose: (reason) => void closed.push(`far: ${reason}`),
    };
  });
  await world.runOut();
  await listening;
  const there = near.connect("far", "reg", {
    onFrame: (bytes) => {
      atNear.push(bytes.at(-1) ?? -1);
      atNearFrames.push(bytes);
    },
    onClose: (reason) => void closed.push(`near: ${reason}`),
  });
  await world.settle(() => back !== undefined);
  return {
    ...world,
    model,
    near,
    far,
    alive,
    there,
    back: () => back,
    atFar,
    atNear,
    atNearFrames,
    closed,
  };
}

function frame(kind: FrameKind, number: number): Uint8Array {
  const header = { kind, correlationId: number, from: "near", to: "far", endpoint: 0 };
  return encodeFrame(
    { ...header, action: "test", shard: "", timeoutMs: 0 },
    new Uint8Array([number]),
  );
}

const links: Links = { from: ["near"], to: ["far"], both: true };
const numbers = Array.from({ length: 60 }, (_, i) => i);

test("requests arrive in order, whatever the network does to their times", async () => {
  await forSeedsAsync(30, async (random, seed) => {
    const { there, atFar, model, runOut, queue } = await twoNodes(seed);
    model.applyRule({ kind: "delay", links, lowMs: 0, highMs: 50 });
    model.applyRule({ kind: "duplicate", links, perMille: 500 });
    model.applyRule({ kind: "reorder", links, perMille: 500 });

    for (const number of numbers)
      queue.schedule(random.int(0, 3) + number, () => void there.send(frame("request", number)));
    await runOut();

    expect(atFar.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(atFar.length).toBe(numbers.length);
  });
});

test("frames of one connection are never overtaken when they have an answer", async () => {
  await forSeedsAsync(30, async (_random, seed) => {
    const { there, atFar, model, runOut } = await twoNodes(seed);
    model.applyRule({ kind: "delay", links, lowMs: 0, highMs: 50 });
    model.applyRule({ kind: "reorder", links, perMille: 900 });

    for (const number of numbers) there.send(frame("request", number));
    await runOut();

    expect(atFar).toEqual(numbers);
  });
});

test("one-way frames are doubled, overtaken and lost, and the connection stays", async () => {
  const { there, atFar, closed, model, runOut, trace } = await twoNodes(3);
  model.applyRule({ kind: "lose", links, perMille: 200 });
  model.applyRule({ kind: "duplicate", links, perMille: 200 });
  model.applyRule({ kind: "reorder", links, perMille: 200 });

  for (const number of numbers) there.send(frame("one-way", number));
  await runOut();

  const counts = numbers.map((number) => atFar.filter((other) => other === number).length);
  expect(new Set(counts)).toEqual(new Set([0, 1, 2]));
  expect(atFar).not.toEqual(atFar.toSorted((a, b) => a - b));
  expect(closed).toEqual([]);
  const dropped = trace.filter(({ kind }) => kind === "message-dropped");
  expect(dropped).toHaveLength(counts.filter((count) => count === 0).length);
});

test("a lost request breaks its connection, and what came before it is a prefix", async () => {
  await forSeedsAsync(20, async (_random, seed) => {
    const { there, atFar, closed, model, runOut } = await twoNodes(seed);
    model.applyRule({ kind: "lose", links, perMille: 100 });

    for (const number of numbers) there.send(frame("request", number));
    await runOut();

    expect(atFar).toEqual(numbers.slice(0, atFar.length));
    expect(atFar.length === numbers.length ? [] : closed.toSorted()).toEqual(
      atFar.length === numbers.length ? [] : ["far: connection reset", "near: connection reset"],
    );
  });
});

test("a cut holds frames back until it is mended, in both directions", async () => {
  const { there, back, atFar, atNear, model, queue } = await twoNodes(1);
  const { end: mend } = model.applyRule({ kind: "cut", links });
  there.send(frame("request", 1));
  there.send(frame("request", 2));
  back()?.send(frame("response", 3));

  await queue.run(queue.nowMs + 10_000);
  const during = [...atFar, ...atNear];
  mend();
  await queue.run(queue.nowMs + 10);

  expect([during, atFar, atNear]).toEqual([[], [1, 2], [3]]);
});

test("the news of a close does not cross a cut", async () => {
  const { there, closed, model, queue } = await twoNodes(1);
  const { end: mend } = model.applyRule({ kind: "cut", links });
  there.close();

  await queue.run(queue.nowMs + 10_000);
  const during = [...closed];
  mend();
  await queue.run(queue.nowMs + 10);

  expect(during).toEqual(["near: closed by this node"]);
  expect(closed.slice(1)).toEqual(["far: closed by [near]"]);
});

test("overlapping conditions end one by one, and the network is calm again after the last", async () => {
  const { there, atFar, model, queue } = await twoNodes(1);
  const arriveWithin = async (ms: number): Promise<boolean> => {
    const before = atFar.length;
    there.send(frame("one-way", 1));
    await queue.run(queue.nowMs + ms);
    return atFar.length > before;
  };

  const slow = model.applyRule({ kind: "delay", links, lowMs: 1000, highMs: 1000 });
  const lossy = model.applyRule({ kind: "lose", links, perMille: 1000 });
  const both = await arriveWithin(5000);
  slow.end();
  const one = await arriveWithin(5000);
  lossy.end();
  const none = await arriveWithin(5);

  expect([both, one, none]).toEqual([false, false, true]);
});

test("a throttled connection carries so many bytes a second, in order", async () => {
  const { there, atFar, model, queue } = await twoNodes(1);
  const { length } = frame("request", 1);
  const applied = model.applyRule({ kind: "throttle", links, bytesPerSecond: length });

  for (const number of [1, 2, 3]) there.send(frame("request", number));
  await queue.run(queue.nowMs + 2500);

  expect(atFar).toEqual([1, 2]);
  expect(applied.hits()).toBe(3);
});

test("a reset breaks the connection, for one-way frames as well", async () => {
  const { there, atFar, closed, model, runOut } = await twoNodes(1);
  const applied = model.applyRule({ kind: "reset", links, perMille: 1000 });

  there.send(frame("one-way", 1));
  await runOut();

  expect([atFar, applied.hits()]).toEqual([[], 1]);
  expect(closed.toSorted()).toEqual(["far: connection reset", "near: connection reset"]);
});

test("dropped messages vanish by their action, and the connection stays", async () => {
  const { there, atFar, closed, model, runOut } = await twoNodes(1);
  const other = model.applyRule({ kind: "drop", links, actions: ["tes"], perMille: 1000 });
  there.send(frame("request", 1));
  const applied = model.applyRule({ kind: "drop", links, actions: ["te*"], perMille: 1000 });
  there.send(frame("request", 2));
  applied.end();
  there.send(frame("request", 3));
  await runOut();

  expect([atFar, closed]).toEqual([[1, 3], []]);
  expect([other.hits(), applied.hits()]).toEqual([0, 1]);
});

test("a rejected request is answered with 429 and never arrives", async () => {
  const { there, atFar, atNearFrames, model, runOut } = await twoNodes(1);
  model.applyRule({ kind: "reject", links, actions: ["test"], perMille: 1000 });

  there.send(frame("request", 7));
  there.send(frame("one-way", 8));
  await runOut();

  expect(atFar).toEqual([8]);
  const [answer] = atNearFrames.map((bytes) => decodeFrame(bytes));
  expect(answer).toMatchObject({ kind: "error", action: "test", correlationId: 7 });
  expect(JSON.parse(utf8Decode(answer?.payload ?? new Uint8Array()))).toMatchObject({
    type: "rejected_execution_exception",
    status: 429,
  });
});

test("a crashed node hears nothing more, and the others hear that it is gone", async () => {
  const { there, back, atFar, closed, alive, model, runOut } = await twoNodes(1);
  there.send(frame("request", 1));
  back()?.send(frame("one-way", 2));

  alive.far = false;
  model.crash("far");
  await runOut();
  there.send(frame("request", 3));
  await runOut();

  expect(atFar).toEqual([]);
  expect(closed).toEqual(["near: connection reset by [far]"]);
});

test("a new incarnation listens at the address of the crashed one, whose end does not disturb it", async () => {
  const { near, far, alive, model, runOut, queue } = await twoNodes(1);
  alive.far = false;
  model.crash("far");
  const again: Network = model.network("far");
  const accepted: string[] = [];
  const listening = again.listen((connection) => {
    accepted.push(connection.remote);
    return { onFrame() {}, onClose() {} };
  });
  await runOut();

  const oldEnd = far.close();
  near.connect("far", "reg", { onFrame() {}, onClose() {} });
  await queue.run(queue.nowMs + 100);

  expect(await listening).toBe("far");
  await oldEnd;
  expect(accepted).toEqual(["near"]);
});

test("the same seed gives the same trace, another seed another one", async () => {
  const traceOf = async (seed: number): Promise<string> => {
    const { there, model, runOut, trace, queue } = await twoNodes(seed);
    model.applyRule({ kind: "lose", links, perMille: 50 });
    model.applyRule({ kind: "reorder", links, perMille: 100 });
    for (const number of numbers)
      queue.schedule(number % 7, () => void there.send(frame("one-way", number)));
    await runOut();
    return JSON.stringify(trace);
  };

  expect(await traceOf(5)).toBe(await traceOf(5));
  expect(await traceOf(5)).not.toBe(await traceOf(6));
});

test("of a connection that dies unheard neither end hears until the rule ends and it sends", async () => {
  const { there, back, atFar, atNear, closed, model, runOut } = await twoNodes(1);
  const applied = model.applyRule({ kind: "half-open", links, perMille: 1000 });
  there.send(frame("request", 1));
  there.send(frame("one-way", 2));
  back()?.send(frame("response", 3));
  await runOut();
  const during = [...closed];

  applied.end();
  await runOut();

  expect([atFar, atNear, during, applied.hits()]).toEqual([[], [], [], 1]);
  expect(closed.toSorted()).toEqual(["far: connection reset", "near: connection reset"]);
});

test("an end that sends nothing never hears that its connection is dead, or that the other one is gone", async () => {
  const { there, back, closed, model, runOut } = await twoNodes(1);
  const applied = model.applyRule({ kind: "half-open", links, perMille: 1000 });
  there.send(frame("request", 1));
  model.crash("near");
  applied.end();
  await runOut();
  const unheard = [...closed];

  back()?.send(frame("response", 2));
  await runOut();

  expect([unheard, closed]).toEqual([[], ["far: connection reset"]]);
});

test("a sender that is told alone connects anew, and what it had sent before still arrives", async () => {
  const { there, back, atFar, closed, model, runOut } = await twoNodes(1);
  model.applyRule({ kind: "delay", links, lowMs: 50, highMs: 50 });
  there.send(frame("request", 1));
  const applied = model.applyRule({ kind: "half-reset", links, perMille: 1000 });
  there.send(frame("request", 2));
  applied.end();
  await runOut();
  const unheard = [...closed];

  back()?.send(frame("response", 1));
  await runOut();

  expect(atFar).toEqual([1]);
  expect(unheard).toEqual(["near: connection reset"]);
  expect(closed).toEqual(["near: connection reset", "far: connection reset"]);
});
