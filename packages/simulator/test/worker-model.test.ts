/** The simulated shard worker: what of the contract holds in a simulation, where a worker that throws ends the run. */
import type { WorkerMessage } from "@orrery/ports";
import { echoWorker } from "@orrery/ports/contract";
import { expect, test } from "vitest";
import { createClockModel } from "../src/clock-model.ts";
import { createBlobModel } from "../src/blob-model.ts";
import { createDiskModel } from "../src/disk-model.ts";
import { createGate } from "../src/gate.ts";
import { createWorkerModel } from "../src/worker-model.ts";
import { createVirtualWorld } from "./world.ts";

function startWorker() {
  const world = createVirtualWorld();
  const { queue, random } = world;
  const later = (action: () => void): void => void queue.schedule(1, action);
  const disk = createDiskModel({ random: random("disk"), later, record: () => undefined });
  const blobs = createBlobModel({
    types: ["fs", "url"],
    random: random("blobs"),
    later: (delayMs, action) => void queue.schedule(delayMs, action),
  });
  const alive = { is: true };
  const received: WorkerMessage[] = [];
  const exits: string[] = [];
  const clock = createClockModel(queue, random("clock"), { alive: () => alive.is });
  const [main, gate] = [createGate(queue), createGate(queue)];
  const workers = createWorkerModel({
    count: 1,
    world: (_worker, lives) => ({
      clock,
      random,
      disk: disk.disk(() => alive.is && lives()),
      blobs: blobs.stores(
        () => alive.is,
        () => undefined,
      ),
    }),
    run: (host) => {
      echoWorker(host);
      return { work: () => [] };
    },
    soon: (action) => void queue.schedule(0, () => alive.is && action(), 0),
    main,
    gate: () => gate,
  });
  const channel = workers.start(1, {
    onMessage: (message) => void received.push(message),
    onExit: (reason) => void exits.push(reason),
  });
  const frames = (): readonly Uint8Array[] =>
    received.flatMap((message) => (message.kind === "frame" ? [message.frame] : []));
  const send = (...bytes: number[]): void =>
    channel.post({ kind: "frame", connection: 1, frame: new Uint8Array(bytes) });
  return { ...world, workers, main, gate, channel, alive, exits, frames, send };
}

test("messages arrive in order and never during the call of post", async () => {
  const { send, frames, runOut } = startWorker();

  for (let i = 0; i < 100; i += 1) send(i);
  const during = frames().length;
  await runOut();

  expect(during).toBe(0);
  expect(frames().map(([first]) => first)).toEqual(Array.from({ length: 100 }, (_, i) => i));
});

test("bytes of a message are the receiver's", async () => {
  const { channel, frames, runOut } = startWorker();
  const large = new Uint8Array(100).fill(3);

  channel.post({ kind: "frame", connection: 1, frame: large.subarray(10, 20) });
  large.fill(0);
  await runOut();

  expect(frames()).toEqual([new Uint8Array(10).fill(3)]);
  expect(frames()[0]?.buffer).not.toBe(large.buffer);
});

test("a worker that was stopped or terminated exits without a reason, once, and its timers are gone", async () => {
  const { channel, send, frames, exits, settle, runOut } = startWorker();
  send(253, 1);
  await settle(() => true);
  channel.post({ kind: "stop" });
  await runOut();
  channel.terminate();
  await runOut();

  expect(exits).toEqual([""]);
  expect(frames()).toEqual([]);
});

test("a worker of a node that crashed does nothing more", async () => {
  const { alive, send, frames, exits, runOut } = startWorker();
  send(1);

  alive.is = false;
  await runOut();

  expect([frames(), exits]).toEqual([[], []]);
});

test("a worker that throws fails the run", async () => {
  const { send, runOut } = startWorker();

  send(255);

  await expect(runOut()).rejects.toThrow("told to fail");
});

test("a worker that is paused answers after the pause, and the node hears it when its own thread goes on", async () => {
  const { main, gate, send, frames, queue } = startWorker();
  const pause = gate.pause();
  send(1);
  await queue.run(queue.nowMs + 1000);
  const whilePaused = frames().length;
  const mainPause = main.pause();
  pause.end();
  await queue.run(queue.nowMs + 1000);
  const whileMainIsPaused = frames().length;

  mainPause.end();
  await queue.run(queue.nowMs + 1000);

  expect([whilePaused, whileMainIsPaused, frames().length]).toEqual([0, 0, 1]);
  expect(pause.hits()).toBeGreaterThan(0);
});

test("a worker that is killed exits with a reason, once, and what it had not done is never done", async () => {
  const { workers, send, frames, exits, runOut } = startWorker();
  send(1);

  const killed = [workers.kill(1), workers.kill(1), workers.kill(2)];
  send(2);
  await runOut();

  expect(killed).toEqual([true, false, false]);
  expect([frames(), exits]).toEqual([[], ["the thread is gone"]]);
});

test("a worker that ends takes the pause of its thread with it", async () => {
  const { channel, gate, exits, runOut } = startWorker();
  gate.pause();

  channel.terminate();
  await runOut();

  expect([gate.isPaused, exits]).toEqual([false, [""]]);
});
