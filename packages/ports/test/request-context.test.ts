/** The context of a request over two endpoints: restored for handlers, handed on by what they send. */
import { utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  createCaller,
  createCancellation,
  detached,
  ownWork,
  underContext,
  withCaller,
  withDeadline,
  type HandlerContext,
} from "../src/index.ts";
import { createWire, idA, idB } from "./wire.ts";

const caller = createCaller({
  principal: { name: "ada", roles: ["reader"] },
  headers: new Map([["x-opaque-id", "request 7"]]),
});
const nothing = utf8Encode("");

test("a handler is given caller, task and parent, deadline and cancellation of what was sent", async () => {
  const wire = createWire();
  const seen: HandlerContext[] = [];
  wire.b.handle("look", async (payload, context) => {
    seen.push(context);
    return payload;
  });
  const context = withDeadline(wire.a.begin(caller, createCancellation()), 1000);

  const answer = underContext(wire.a, context).request(idB, "look", nothing);
  await wire.run();
  await answer;

  const [handled] = seen;
  expect(handled).toMatchObject({ from: idA, parentTask: context.task, deadlineMs: 1000 });
  expect(handled?.caller).toEqual(caller);
  expect(handled?.task?.nodeId).toBe(idB);
  expect(handled?.cancellation.isCancelled).toBe(false);
});

test("what a handler sends under its context has its caller, and its task as parent", async () => {
  const wire = createWire();
  const seen: HandlerContext[] = [];
  wire.a.handle("further", async (payload, context) => {
    seen.push(context);
    return payload;
  });
  wire.b.handle("look", async (payload, context) => {
    seen.push(context);
    return wire.b.request(idA, "further", payload, { context });
  });
  const context = wire.a.begin(caller, createCancellation());

  const answer = wire.a.request(idB, "look", nothing, { context });
  await wire.run();
  await answer;

  const [first, second] = seen;
  expect(second?.caller).toEqual(caller);
  expect(second?.parentTask).toEqual(first?.task);
  expect(second?.task).not.toEqual(context.task);
});

test("work of a node's own has no caller and no parent", async () => {
  const wire = createWire();
  const seen: HandlerContext[] = [];
  wire.b.handle("look", async (payload, context) => {
    seen.push(context);
    return payload;
  });

  const answer = wire.a.request(idB, "look", nothing, { context: ownWork });
  await wire.run();
  await answer;

  expect(seen[0]?.caller.principal).toBeUndefined();
  expect(seen[0]?.parentTask).toBeUndefined();
});

test("a request ends at the deadline of its context, and none is sent after it", async () => {
  const wire = createWire();
  wire.b.handle("never", () => new Promise(() => undefined));
  const context = withDeadline(wire.a.begin(caller, createCancellation()), 500);
  const under = underContext(wire.a, context);
  const options = { timeoutMs: 90_000 };
  const failing = under.request(idB, "never", nothing, options).catch(String);
  await wire.run();

  wire.advance(500);
  const late = under.request(idB, "never", nothing, options).catch(String);

  expect(await failing).toContain("timed out after [500ms]");
  expect(await late).toContain("the deadline of the request has passed");
  expect(wire.log.filter(({ kind }) => kind === "request").length).toBe(1);
});

test("a detached context keeps caller and task, and ends nothing", () => {
  const { a } = createWire();
  const cancellation = createCancellation();
  const context = withDeadline(a.begin(caller, cancellation), 500);
  cancellation.cancel("gone");

  const { deadlineMs, ...kept } = detached(context);

  expect(deadlineMs).toBe(Infinity);
  expect(kept).toMatchObject({ caller, task: context.task });
  expect(kept.cancellation.isCancelled).toBe(false);
});

test("another caller's context is a value of its own", () => {
  const { a } = createWire();
  const context = a.begin(ownWork.caller, createCancellation());

  const other = withCaller(context, caller);

  expect(other.task).toEqual(context.task);
  expect(context.caller.principal).toBeUndefined();
});
