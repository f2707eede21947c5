/** Numbers of tasks fit into frames, however often an endpoint was replaced. */
import type { NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  anonymous,
  createCancellation,
  createEndpoint,
  decodeFrame,
  encodeFrame,
  type Clock,
} from "../src/index.ts";

const clock: Clock = {
  nowMs: () => 0,
  monotonicMs: () => 0,
  setTimer: () => () => undefined,
};

test.each([0, 1, 32, 1000, 1_000_000])("after %d endpoints before it", (lives) => {
  const endpoint = createEndpoint({
    localNodeId: "a" as NodeId,
    endpoint: 7,
    lastCorrelationId: lives * 2 ** 32,
    clock,
    post: () => "sent",
    answer: () => undefined,
  });
  const [one, other] = [1, 2].map(() => endpoint.begin(anonymous, createCancellation()).task);

  expect(one?.number).not.toBe(other?.number);
  const frame = encodeFrame(
    {
      ...{
        kind: "request",
        correlationId: 1,
        from: "a",
        to: "b",
        endpoint: 7,
        action: "x",
        shard: "",
      },
      ...{ timeoutMs: 0, task: one?.number ?? 0, caller: anonymous },
    },
    new Uint8Array(0),
  );
  expect(decodeFrame(frame).task).toBe(one?.number);
});
