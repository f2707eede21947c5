/**
 * Spans of requests, after OpenTelemetry's model: a client's request, a request to a node, and the work of its handler.
 *
 * The place of a request in its trace is the header `traceparent` of its caller (W3C Trace Context), which frames carry
 * anyway: a span replaces the header for everything that it starts, and nothing else is handed down. Only REST begins a
 * trace; where a caller has no sampled `traceparent`, no span begins. A node without a tracer passes the header on and runs
 * nothing of this file.
 */
import { wordsOf, type Random } from "@orrery/stdx";
import { createCaller, type Caller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import { withCaller, type HandlerContext } from "./request-context.ts";
import type { Handler, Transport } from "./transport.ts";

/** A span that has ended. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  /** The header `tracestate`; empty without one. */
  readonly traceState: string;
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why the work failed; `undefined`: it did not. */
  readonly failure: string | undefined;
}

/** Takes the spans of a node, and decides which traces are recorded. */
export interface SpanSink {
  /** Whether requests are traced now. */
  readonly isEnabled: boolean;
  /** Follows the cluster settings. */
  configure(settings: { readonly isEnabled: boolean; readonly probability: number }): void;
  /** Whether a trace that begins here is recorded. */
  isSampled(traceId: string): boolean;
  /** Takes a span. It neither throws nor waits, and drops spans that it has no room for. */
  record(span: Span): void;
}

/** The means by which spans begin and end. */
export interface Tracer {
  readonly isEnabled: boolean;
  isSampled(traceId: string): boolean;
  record(span: Span): void;
  /** A new id of so many bytes, in hexadecimal digits. */
  newId(bytes: number): string;
  /** Milliseconds since 1970, with fractions. */
  nowMs(): number;
}

/** A tracer over a sink. Ids are drawn from `random`, which no other tracer of the cluster may share. */
export function createTracer(
  sink: Pick<SpanSink, "isEnabled" | "isSampled" | "record">,
  clock: Clock,
  random: Random,
): Tracer {
  let originMs = -Infinity;
  return {
    get isEnabled() {
      return sink.isEnabled;
    },
    isSampled: (traceId) => sink.isSampled(traceId),
    record: (span) => sink.record(span),
    newId: (bytes) => hexadecimal(random.bytes(bytes)),
    nowMs: () => {
      const monotonicMs = clock.monotonicMs();
      // Wall time is in whole milliseconds: the greatest difference is the one that was cut off least.
      originMs = Math.max(originMs, clock.nowMs() - monotonicMs);
      return originMs + monotonicMs;
    },
  };
}

function hexadecimal(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  // An id of zeros stands for none.
  return /[^0]/.test(text) ? text : text.replace(/0$/, "1");
}

/** The place in a trace that a `traceparent` names. */
interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** `undefined` for a header that is no `traceparent`, which counts as none. */
function readTraceparent(header: string | undefined): Parent | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  // The first version ends after the flags; later ones may have more.
  if (version === "00" && rest !== undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The facts of a span when it begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: Span["kind"];
  readonly attributes: Span["attributes"];
}

/** A span under way. */
export interface OpenSpan {
  /** The header `traceparent` of everything that this span starts. */
  readonly traceparent: string;
  end(failure: string | undefined, attributes?: Span["attributes"]): void;
}

/** Begins the first span of this cluster in a client's request; `undefined`: the request is not traced. */
export function beginTrace(
  tracer: Tracer,
  headers: { readonly traceparent: string | undefined; readonly tracestate: string | undefined },
  start: SpanStart,
): OpenSpan | undefined {
  if (!tracer.isEnabled) return undefined;
  const parent = readTraceparent(headers.traceparent);
  const traceId = parent?.traceId ?? tracer.newId(16);
  if (!(parent?.isSampled ?? tracer.isSampled(traceId))) return undefined;
  // The state of an unreadable trace belongs to no trace.
  const traceState = parent === undefined ? "" : (headers.tracestate ?? "");
  return begin(tracer, { traceId, spanId: parent?.spanId ?? "", traceState }, start);
}

/** Begins a span of a request within the cluster; `undefined`: the request is not traced. */
function beginWithin(tracer: Tracer, caller: Caller, start: () => SpanStart): OpenSpan | undefined {
  if (caller.headers.size === 0 || !tracer.isEnabled) return undefined;
  const parent = readTraceparent(caller.headers.get("traceparent"));
  if (parent?.isSampled !== true) return undefined;
  const traceState = caller.headers.get("tracestate") ?? "";
  return begin(tracer, { ...parent, traceState }, start());
}

function begin(
  tracer: Tracer,
  parent: { readonly traceId: string; readonly spanId: string; readonly traceState: string },
  start: SpanStart,
): OpenSpan {
  const { traceId, traceState } = parent;
  const spanId = tracer.newId(8);
  const startMs = tracer.nowMs();
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    end: (failure, attributes) =>
      tracer.record({
        ...{ traceId, spanId, parentSpanId: parent.spanId, traceState, startMs, failure },
        name: start.name,
        kind: start.kind,
        endMs: Math.max(startMs, tracer.nowMs()),
        attributes: { ...start.attributes, ...attributes },
      }),
  };
}

/** The caller with the span as the parent of what it requests. */
function callerWithin({ principal, headers }: Caller, span: OpenSpan): Caller {
  return createCaller({
    principal,
    headers: new Map(headers).set("traceparent", span.traceparent),
  });
}

/** Requests with a span each, from the request to its answer. */
export function tracedRequests(
  request: Transport["request"],
  tracer: Tracer,
): Transport["request"] {
  return (to, action, payload, options) => {
    const context = options?.context;
    const span =
      context &&
      beginWithin(tracer, context.caller, () => ({
        name: action,
        kind: "client",
        attributes: {
          action,
          target_node_id: to,
          ...(options?.shard === undefined ? {} : { shard: options.shard }),
        },
      }));
    if (context === undefined || span === undefined) return request(to, action, payload, options);
    const within = withCaller(context, callerWithin(context.caller, span));
    return ended(span, () => request(to, action, payload, { ...options, context: within }));
  };
}

/** A handler with a span each time that it runs; `attributesOf` adds to the action. */
export function tracedHandler(
  tracer: Tracer,
  action: string,
  attributesOf: (context: HandlerContext) => Span["attributes"],
  handler: Handler,
): Handler {
  return (payload, context) => {
    const span = beginWithin(tracer, context.caller, () => ({
      name: action,
      kind: "server",
      attributes: { action, ...attributesOf(context) },
    }));
    if (span === undefined) return handler(payload, context);
    const within = withCaller(context, callerWithin(context.caller, span));
    return ended(span, () => handler(payload, within));
  };
}

/** Ends the span with the work, whose promise is returned as it is: nothing that awaits it waits longer. */
function ended<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  const fail = (error: unknown): void => span.end(wordsOf(error));
  try {
    const result = work();
    result.then(() => span.end(undefined), fail);
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}
