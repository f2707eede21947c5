/** The contract of the ShardWorkers port, run with the program of echo-worker.ts. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ShardWorkerChannel, ShardWorkers, WorkerMessage } from "../src/index.ts";
import type { Settle } from "./settle.ts";

export interface ShardWorkersWorld {
  /** Its workers run `echoWorker`. */
  readonly workers: ShardWorkers;
  readonly settle: Settle;
  end?(): Promise<void>;
}

export function shardWorkersContract(
  name: string,
  makeWorld: () => Promise<ShardWorkersWorld>,
): void {
  describe(`the shard workers contract: ${name}`, () => {
    let world: ShardWorkersWorld;
    let channel: ShardWorkerChannel;
    let received: WorkerMessage[];
    let exits: string[];

    const frames = (): Uint8Array[] =>
      received.flatMap((message) => (message.kind === "frame" ? [message.frame] : []));

    /** A worker of the last test may still be ending: each start records for itself. */
    const start = (): ShardWorkerChannel => {
      const messages: WorkerMessage[] = [];
      const reasons: string[] = [];
      received = messages;
      exits = reasons;
      return world.workers.start(0, {
        onMessage: (message) => void messages.push(message),
        onExit: (reason) => void reasons.push(reason),
      });
    };

    beforeEach(async () => {
      world = await makeWorld();
      channel = start();
      channel.post({ kind: "start", worker: 0, settings: '{"a":1}' });
    });
    afterEach(async () => {
      channel.terminate();
      await world.end?.();
    });

    test("there is at least one worker", () => {
      expect(world.workers.count).toBeGreaterThanOrEqual(1);
    });

    test("messages arrive in order and never during the call of post", async () => {
      const before = received.length;
      for (let i = 0; i < 100; i += 1) {
        channel.post({ kind: "frame", connection: i, frame: new Uint8Array([i]) });
      }
      const during = received.length - before;
      await world.settle(() => received.length === 101);

      expect(during).toBe(0);
      expect(received[0]).toEqual({ kind: "log", level: "info", message: '{"a":1}' });
      expect(frames().map(([first]) => first)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    });

    test("frames of any size keep their order, connection and bytes", async () => {
      const sizes = [1, 5000, 2, 0, 100_000, 3, 4, 4096, 4097, 7];
      sizes.forEach((size, i) => {
        channel.post({ kind: "frame", connection: i, frame: new Uint8Array(size).fill(i) });
      });
      await world.settle(() => frames().length === sizes.length);

      const echoed = received.flatMap((message) => (message.kind === "frame" ? [message] : []));
      expect(echoed.map(({ connection }) => connection)).toEqual(sizes.map((_, i) => i));
      expect(echoed.map(({ frame }) => frame)).toEqual(
        sizes.map((size, i) => new Uint8Array(size).fill(i)),
      );
    });

    test("a frame arrives without the buffer it is a part of, and the sender keeps its own", async () => {
      const large = new Uint8Array(1024 * 1024).fill(3);

      channel.post({ kind: "frame", connection: 1, frame: large.subarray(10, 20) });
      await world.settle(() => frames().length === 1);

      expect(frames()[0]).toEqual(new Uint8Array(10).fill(3));
      expect(frames()[0]?.buffer.byteLength).toBe(10);
      expect(large.length).toBe(1024 * 1024);
      expect(large[15]).toBe(3);
    });

    test("a worker has a disk and a clock of its own", async () => {
      channel.post({ kind: "frame", connection: 1, frame: new Uint8Array([254, 1, 2]) });
      channel.post({ kind: "frame", connection: 2, frame: new Uint8Array([253, 3]) });
      await world.settle(() => frames().length === 2);

      expect(frames()).toEqual([new Uint8Array([254, 1, 2]), new Uint8Array([253, 3])]);
    });

    test("a worker that dies is one exit with a reason", async () => {
      channel.post({ kind: "frame", connection: 1, frame: new Uint8Array([255]) });
      await world.settle(() => exits.length > 0);
      channel.post({ kind: "frame", connection: 2, frame: new Uint8Array([1]) });
      channel.terminate();

      expect(exits).toEqual([expect.stringContaining("told to fail")]);
      expect(frames()).toEqual([]);
    });

    test("a worker that was stopped exits without a reason", async () => {
      channel.post({ kind: "stop" });
      await world.settle(() => received.some(({ kind }) => kind === "stopped"));
      await world.settle(() => exits.length > 0);

      expect(exits).toEqual([""]);
    });

    test("a terminated worker exits without a reason and says nothing more", async () => {
      await world.settle(() => received.length === 1);
      channel.post({ kind: "frame", connection: 1, frame: new Uint8Array([1]) });

      channel.terminate();
      await world.settle(() => exits.length > 0);

      expect(exits).toEqual([""]);
      expect(frames()).toEqual([]);
    });

    test("another worker can be started in the place of one that ended", async () => {
      channel.terminate();
      await world.settle(() => exits.length === 1);
      const first = exits;

      channel = start();
      channel.post({ kind: "frame", connection: 1, frame: new Uint8Array([1]) });
      await world.settle(() => frames().length === 1);

      expect([first, exits]).toEqual([[""], []]);
    });
  });
}
