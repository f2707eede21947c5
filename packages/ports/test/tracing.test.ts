/** Spans around requests and handlers, and the header by which a trace goes on. */
import { createRandom, OperationError, type NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  anonymous,
  beginTrace,
  createCaller,
  createTracer,
  ownWork,
  tracedHandler,
  tracedRequests,
  withCaller,
  type Caller,
  type HandlerContext,
  type Span,
  type Tracer,
  type Transport,
} from "../src/index.ts";

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const traceId = "0af7651916cd43dd8448eb211c80319c";

interface Traced {
  readonly tracer: Tracer;
  readonly spans: readonly Span[];
  advance(ms: number): void;
}

function traced(isSampled = true, isEnabled = true): Traced {
  const spans: Span[] = [];
  let ms = 0;
  const clock = {
    nowMs: () => 1000 + Math.floor(ms),
    monotonicMs: () => ms,
    setTimer: () => () => undefined,
  };
  const sink = { isEnabled, isSampled: () => isSampled, record: (span: Span) => spans.push(span) };
  return {
    tracer: createTracer(sink, clock, createRandom("tracing")),
    spans,
    advance: (by) => void (ms += by),
  };
}

function callerOf(traceparent: string, tracestate?: string): Caller {
  const headers = new Map([["traceparent", traceparent]]);
  if (tracestate !== undefined) headers.set("tracestate", tracestate);
  return createCaller({ principal: undefined, headers });
}

const contextOf = (caller: Caller): HandlerContext => ({
  ...withCaller(ownWork, caller),
  from: "a" as NodeId,
  shard: "",
  request: { from: "a", endpoint: 0, correlationId: 1 },
});

const start = { name: "GET /", kind: "server", attributes: {} } as const;

/** A transport that keeps the callers of its requests, and answers as it is told. */
function transport(answer: () => Promise<Uint8Array> = async () => new Uint8Array()) {
  const callers: (Caller | undefined)[] = [];
  const request: Transport["request"] = (_to, _action, _payload, options) => {
    callers.push(options?.context?.caller);
    return answer();
  };
  return { request, callers };
}

test("a client's trace goes on, with the span as the parent of what follows", () => {
  const { tracer, spans, advance } = traced();

  const span = beginTrace(tracer, { traceparent: parent, tracestate: "a=1" }, start);
  advance(2.5);
  span?.end(undefined, { status: 200 });

  expect(spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({
    ...{ traceId, parentSpanId: "b7ad6b7169203331", traceState: "a=1", name: "GET /" },
    ...{ startMs: 1000, endMs: 1002.5, failure: undefined, attributes: { status: 200 } },
  });
  expect(span?.traceparent).toBe(`00-${traceId}-${spans[0]?.spanId}-01`);
});

test.each([
  ["no header", undefined],
  ["no traceparent", "hello"],
  ["the id of no trace", "00-00000000000000000000000000000000-b7ad6b7169203331-01"],
  ["the id of no span", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"],
  ["capital letters", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"],
  ["more than its version has", `${parent}-00`],
  ["a version that there never is", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
])("a request with %s begins a trace, if it is sampled", (_what, traceparent) => {
  const sampled = traced(true);
  const other = traced(false);
  const headers = { traceparent, tracestate: "a=1" };

  beginTrace(sampled.tracer, headers, start)?.end(undefined);

  expect(sampled.spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(sampled.spans[0]?.traceId).not.toBe(traceId);
  expect(sampled.spans[0]).toMatchObject({ parentSpanId: "", traceState: "" });
  expect(beginTrace(other.tracer, headers, start)).toBeUndefined();
});

test("the client decides whether its trace is recorded", () => {
  const unsampled = parent.replace(/01$/, "00");
  const later = parent.replace(/^00/, "01").replace(/01$/, "03-more");
  const begin = (traceparent: string, isSampled: boolean) =>
    beginTrace(traced(isSampled).tracer, { traceparent, tracestate: undefined }, start);

  expect(begin(parent, false)).toBeDefined();
  expect(begin(later, false)).toBeDefined();
  expect(begin(unsampled, true)).toBeUndefined();
});

test("nothing is recorded while tracing is off", async () => {
  const { tracer, spans } = traced(true, false);
  const { request, callers } = transport();
  const caller = callerOf(parent);

  const begun = beginTrace(tracer, { traceparent: parent, tracestate: undefined }, start);
  await tracedRequests(request, tracer)("b" as NodeId, "x", new Uint8Array(), {
    context: withCaller(ownWork, caller),
  });

  expect([begun, spans]).toEqual([undefined, []]);
  expect(callers).toEqual([caller]);
});

test("a request is a span, and its caller names it", async () => {
  const { tracer, spans } = traced();
  const { request, callers } = transport();
  const context = withCaller(ownWork, callerOf(parent, "a=1"));

  await tracedRequests(request, tracer)("b" as NodeId, "indices:x", new Uint8Array(), { context });

  expect(spans[0]).toMatchObject({
    ...{ traceId, parentSpanId: "b7ad6b7169203331", traceState: "a=1", kind: "client" },
    ...{ name: "indices:x", attributes: { action: "indices:x", target_node_id: "b" } },
  });
  expect(callers[0]?.headers.get("traceparent")).toBe(`00-${traceId}-${spans[0]?.spanId}-01`);
  expect(callers[0]?.headers.get("tracestate")).toBe("a=1");
});

test("a request outside of a trace is passed on as it is", async () => {
  const { tracer, spans } = traced();
  const { request, callers } = transport();
  const send = tracedRequests(request, tracer);

  await send("b" as NodeId, "x", new Uint8Array());
  await send("b" as NodeId, "x", new Uint8Array(), { context: ownWork });

  expect(spans).toEqual([]);
  expect(callers).toEqual([undefined, anonymous]);
});

test("a failed request rejects as without a span, which tells why", async () => {
  const { tracer, spans } = traced();
  const problem = { type: "x_exception", reason: "no reason", status: 500 };
  const { request } = transport(() => Promise.reject(new OperationError(problem)));
  const context = withCaller(ownWork, callerOf(parent));

  const asked = tracedRequests(request, tracer)("b" as NodeId, "x", new Uint8Array(), { context });

  await expect(asked).rejects.toThrow("no reason");
  expect(spans[0]?.failure).toContain("no reason");
});

test("a handler is a span, and what it requests has that as its parent", async () => {
  const { tracer, spans } = traced();
  const { request } = transport();
  const send = tracedRequests(request, tracer);
  const handler = tracedHandler(
    tracer,
    "indices:x",
    ({ shard }) => ({ shard }),
    (payload, context) => send("c" as NodeId, "indices:y", payload, { context }),
  );

  await handler(new Uint8Array(), contextOf(callerOf(parent)));

  const [inner, outer] = spans;
  expect(outer).toMatchObject({ kind: "server", name: "indices:x", attributes: { shard: "" } });
  expect(inner).toMatchObject({ kind: "client", parentSpanId: outer?.spanId, traceId });
});

test("a handler that throws before it waits ends its span", async () => {
  const { tracer, spans } = traced();
  const handler = tracedHandler(
    tracer,
    "x",
    () => ({}),
    () => {
      throw new Error("at once");
    },
  );

  expect(() => handler(new Uint8Array(), contextOf(callerOf(parent)))).toThrow("at once");
  expect(spans[0]?.failure).toContain("at once");
});
