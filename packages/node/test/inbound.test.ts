/** Answers on connections that others opened: kept while there is no room, but not without a limit. */
import type { Connection } from "@orrery/ports";
import { expect, test } from "vitest";
import { createInbound, maxWaitingBytes } from "../src/inbound.ts";
import { createTestWorld, discoveryNode, trustOf } from "./world.ts";

/** An accepted connection that takes frames until the test fills its queue. */
function accept() {
  const sent: number[] = [];
  const link = { hasRoom: true, isClosed: false };
  const connection: Connection = {
    channel: "reg",
    remote: "elsewhere",
    send: (frame) => {
      if (!link.hasRoom) return "full";
      sent.push(frame.length);
      return "accepted";
    },
    close: () => {
      link.isClosed = true;
    },
  };
  const greeting = { clusterName: "c", node: discoveryNode("a", 1) };
  const { clock } = createTestWorld();
  const inbound = createInbound(
    { clock, trust: trustOf("s"), greeting },
    {
      deliver: () => undefined,
      refusal: () => undefined,
      refuse: () => undefined,
      greeted: () => undefined,
      closed: () => undefined,
      expelled: () => undefined,
    },
  );
  const events = inbound.accept(connection);
  return { inbound, events, link, sent };
}

test("answers that find no room are sent in order when there is room again", () => {
  const { inbound, events, link, sent } = accept();

  link.hasRoom = false;
  for (const size of [1, 2, 3]) inbound.answer(1, new Uint8Array(size));
  link.hasRoom = true;
  events.onDrain?.();
  inbound.answer(1, new Uint8Array(4));

  expect(sent).toEqual([1, 2, 3, 4]);
  expect(link.isClosed).toBe(false);
});

test("a connection whose answers pile up is closed, and what waited is let go", () => {
  const { inbound, events, link, sent } = accept();
  const third = new Uint8Array(maxWaitingBytes / 3);

  link.hasRoom = false;
  for (let i = 0; i < 3; i += 1) inbound.answer(1, third);
  const before = link.isClosed;
  inbound.answer(1, third);
  link.hasRoom = true;
  events.onDrain?.();

  expect(before).toBe(false);
  expect(link.isClosed).toBe(true);
  expect(sent).toEqual([]);
});
