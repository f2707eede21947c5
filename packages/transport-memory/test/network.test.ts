/** The memory network against the contract, and what only it promises. */
import { networkContract, settleInRealTime } from "@orrery/ports/contract";
import { expect, test } from "vitest";
import { createMemoryHub } from "../src/index.ts";

const queueBytes = 4 * 1024 * 1024;

networkContract("memory", async () => {
  const hub = createMemoryHub({ queueBytes });
  return {
    near: hub.network("near"),
    far: hub.network("far"),
    deadAddress: "nobody",
    sameAddressAsFar: (address) => hub.network(address),
    queueBytes,
    settle: settleInRealTime,
  };
});

test("delivery needs no timer and no turn of the event loop", async () => {
  const hub = createMemoryHub();
  const frames: Uint8Array[] = [];
  await hub.network("b").listen(() => ({ onFrame: (frame) => frames.push(frame), onClose() {} }));

  const connection = hub.network("a").connect("b", "reg", { onFrame() {}, onClose() {} });
  connection.send(new Uint8Array([1]));
  for (let i = 0; i < 10; i += 1) await Promise.resolve();

  expect(frames).toEqual([new Uint8Array([1])]);
});

test("a world may bring its own turns", async () => {
  const tasks: (() => void)[] = [];
  const hub = createMemoryHub({ schedule: (task) => tasks.push(task) });
  const closed: string[] = [];

  hub.network("a").connect("b", "reg", { onFrame() {}, onClose: (why) => closed.push(why) });
  const before = closed.length;
  while (tasks.length > 0) tasks.shift()?.();

  expect([before, closed]).toEqual([0, ["connection to [b] refused"]]);
});
