/**
 * Spans of a run for OpenTelemetry, in one trace: the run, faults and requests of clients in it, messages, and all other events
 * as spans without duration.
 *
 * The trace tells no cause of a message. Its parent is what happened at the same node at the same instant before it, if that was a
 * delivery: events of a simulation happen one after the other, so nothing else can have sent it. Otherwise its parent is the run.
 */
import { appendAll } from "@orrery/stdx";
import type { RecordedEvent, RunRecord } from "../types.ts";
import type { TraceFormat, TracedEvent } from "./format.ts";
import {
  attributeList,
  digestOfRun,
  resourceOf,
  scope,
  unixNanos,
  type Attributes,
} from "./otlp-json.ts";
import { createSentMessages, isMessage, type MessageEvent } from "./sent-messages.ts";

const KINDS = { internal: 1, server: 2, client: 3, producer: 4 } as const;
const FAILED = 2;

interface Span {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  /** Node or client. */
  readonly place: string;
  readonly startMs: number;
  readonly attributes: Attributes;
}

interface Ended extends Span {
  readonly endMs: number;
  readonly failure?: string | undefined;
}

/** Span at a node at an instant: the parent of the messages that the node sends then. */
interface Cause {
  readonly node: string;
  readonly atMs: number;
  readonly parent: string;
}

/** A request on its way: the sender's span, and the receiver's from the delivery on. */
interface Asked {
  readonly client: Span;
  /** Set from the delivery until the answer. */
  server: Span | undefined;
  wasDelivered: boolean;
}

interface Reading {
  /** Id of the run's span. */
  readonly root: string;
  /** Spans of messages until their delivery. */
  readonly sent: ReturnType<typeof createSentMessages<Span>>;
  readonly asked: Map<string, Asked>;
  /** Requests of clients and faults that have begun. */
  readonly begun: Map<string, Span>;
  cause: Cause;
}

/** Spans to a line. */
const BATCH = 512;

export const otlp: TraceFormat = function* otlp(events, { run }) {
  const digest = digestOfRun(run);
  const idOf = (seq: number, part = 0): string =>
    `${digest.slice(32, 40)}${(seq * 4 + part).toString(16).padStart(8, "0")}`;
  const root = idOf(0);
  const reading: Reading = {
    root,
    sent: createSentMessages(),
    asked: new Map(),
    begun: new Map(),
    cause: { node: "", atMs: -1, parent: root },
  };
  const print = (spans: readonly Ended[]): string => line(run, digest.slice(0, 32), spans);
  let spans: Ended[] = [rootSpan(run, root)];
  for (const traced of events) {
    appendAll(
      spans,
      read(reading, traced, (part) => idOf(traced.seq, part)),
    );
    if (spans.length < BATCH) continue;
    yield print(spans);
    spans = [];
  }
  appendAll(spans, unended(reading, run.virtualMs));
  yield print(spans);
};

function rootSpan(run: RunRecord, id: string): Ended {
  const { scenario: name, seed, verdict, hash, claim, virtualMs } = run;
  return {
    ...{ id, parent: "", name, kind: "internal", place: "run" },
    ...{ startMs: 0, endMs: virtualMs, failure: verdict === "fail" ? verdict : undefined },
    attributes: { seed, verdict, hash, claim },
  };
}

type IdOf = (part: number) => string;

/** The spans that end with an event. */
function read(reading: Reading, traced: TracedEvent, idOf: IdOf): readonly Ended[] {
  const { event } = traced;
  if (isMessage(event)) return readMessage(reading, event, idOf);
  const { begun, root } = reading;
  const atMs = event.at_ms;
  const begin = (key: string, span: Omit<Span, "id" | "parent" | "startMs">): readonly Ended[] => {
    begun.set(key, { ...span, id: idOf(0), parent: root, startMs: atMs });
    return [];
  };
  const end = (key: string, failure?: string, attributes: Attributes = {}): readonly Ended[] => {
    const span = begun.get(key);
    begun.delete(key);
    if (span === undefined) return [];
    return [{ ...span, endMs: atMs, failure, attributes: { ...span.attributes, ...attributes } }];
  };
  switch (event.kind) {
    case "client-request": {
      const { client, id, operation } = event;
      const attributes = { client, id };
      return begin(`client ${client} ${id}`, {
        ...{ name: operation, kind: "client", place: client, attributes },
      });
    }
    case "client-response": {
      const { outcome, status } = event;
      const failure = outcome === "ok" ? undefined : `${outcome}, status ${status}`;
      return end(`client ${event.client} ${event.id}`, failure, { outcome, status });
    }
    case "fault-started": {
      const { fault, description } = event;
      const attributes = { description };
      return begin(`fault ${fault} ${description}`, {
        ...{ name: fault, kind: "internal", place: "faults", attributes },
      });
    }
    case "fault-ended":
      return end(`fault ${event.fault} ${event.description}`);
    // A timer has no span; the messages that it sends have one.
    case "timer-fired":
    case "disk-synced":
      return [];
    default:
      return [moment(reading, event, idOf(0))];
  }
}

/** An event without duration. */
function moment(reading: Reading, event: RecordedEvent, id: string): Ended {
  const { kind, node, at_ms: atMs, ...fields } = event;
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== "object");
  return {
    ...{ id, parent: parentAt(reading, node, atMs), name: kind, kind: "internal" },
    place: node === "" ? "world" : node,
    ...{ startMs: atMs, endMs: atMs },
    attributes: Object.fromEntries(plain),
  };
}

function parentAt({ cause, root }: Reading, node: string, atMs: number): string {
  return cause.node === node && cause.atMs === atMs ? cause.parent : root;
}

function readMessage(reading: Reading, event: MessageEvent, idOf: IdOf): readonly Ended[] {
  if (event.kind === "message-sent") return readSent(reading, event, idOf);
  const span = reading.sent.take(event);
  if (event.kind === "message-dropped") return readDropped(reading, event, span);
  return readDelivered(reading, event, span, idOf);
}

/** A request and its answers name the same requester, answerer, action and number. */
function requestKey({ from, to, action, correlationId }: MessageEvent, isAnswer: boolean): string {
  return (isAnswer ? [to, from] : [from, to]).concat(action, String(correlationId)).join("|");
}

const isAnswer = ({ frameKind }: MessageEvent): boolean =>
  frameKind === "response" || frameKind === "error";

/** Requests have spans until their answer, all other messages until their delivery. */
const isRequest = ({ frameKind, correlationId }: MessageEvent): boolean =>
  frameKind === "request" && correlationId !== 0;

function readSent(reading: Reading, event: MessageEvent, idOf: IdOf): readonly Ended[] {
  const { from, to, action, frameKind, sizeBytes, shard, at_ms: atMs } = event;
  if (isAnswer(event) && event.correlationId !== 0) {
    const asked = reading.asked.get(requestKey(event, true));
    const server = asked?.server;
    if (asked === undefined || server === undefined) return [];
    asked.server = undefined;
    return [{ ...server, endMs: atMs, failure: frameKind === "error" ? frameKind : undefined }];
  }
  if (frameKind === "cancel") {
    const key = requestKey(event, false);
    const asked = reading.asked.get(key);
    reading.asked.delete(key);
    return asked === undefined ? [] : bothEnded(asked, atMs, "cancelled");
  }
  const span: Span = {
    ...{ id: idOf(0), parent: parentAt(reading, from, atMs), name: action, place: from },
    kind: isRequest(event) ? "client" : "producer",
    startMs: atMs,
    attributes: { action, to, frame_kind: frameKind, size_bytes: sizeBytes, shard },
  };
  reading.sent.put(event, span);
  if (isRequest(event))
    reading.asked.set(requestKey(event, false), {
      ...{ client: span, server: undefined, wasDelivered: false },
    });
  return [];
}

function readDelivered(
  reading: Reading,
  event: MessageEvent,
  span: Span | undefined,
  idOf: IdOf,
): readonly Ended[] {
  const { from, to, action, frameKind, shard, at_ms: atMs } = event;
  const begins = (parent: string): void => {
    reading.cause = { node: to, atMs, parent };
  };
  if (isAnswer(event) && event.correlationId !== 0) {
    const key = requestKey(event, true);
    const asked = reading.asked.get(key);
    reading.asked.delete(key);
    begins(asked?.client.parent ?? reading.root);
    if (asked === undefined) return [];
    const failure = frameKind === "error" ? frameKind : undefined;
    return [{ ...asked.client, endMs: atMs, failure }];
  }
  if (isRequest(event)) {
    const asked = reading.asked.get(requestKey(event, false));
    const id = idOf(1);
    begins(id);
    // A request that the network has doubled has one span.
    if (asked === undefined || asked.wasDelivered) return [];
    asked.wasDelivered = true;
    asked.server = {
      ...{ id, parent: asked.client.id, name: action, kind: "server", place: to, startMs: atMs },
      attributes: { action, from, shard },
    };
    return [];
  }
  begins(span?.id ?? reading.root);
  return span === undefined ? [] : [{ ...span, endMs: atMs }];
}

function readDropped(
  reading: Reading,
  event: MessageEvent,
  span: Span | undefined,
): readonly Ended[] {
  if (span === undefined) return [];
  if (isRequest(event)) reading.asked.delete(requestKey(event, false));
  const why = event.kind === "message-dropped" ? event.reason : "";
  return [{ ...span, endMs: event.at_ms, failure: `dropped: ${why}` }];
}

/** A request of which no answer has arrived, and what is left of it at the other end. */
function bothEnded({ client, server }: Asked, endMs: number, failure: string): readonly Ended[] {
  return [client, ...(server === undefined ? [] : [server])].map((span) => ({
    ...span,
    endMs: Math.max(endMs, span.startMs),
    failure,
  }));
}

/** Spans that the run has not ended. */
function unended({ asked, begun }: Reading, endMs: number): readonly Ended[] {
  const failure = "without an end in the run";
  return [
    ...[...asked.values()].flatMap((one) => bothEnded(one, endMs, failure)),
    ...[...begun.values()].map((span) => ({
      ...span,
      failure,
      endMs: Math.max(endMs, span.startMs),
    })),
  ];
}

function line(run: RunRecord, traceId: string, spans: readonly Ended[]): string {
  const places = new Map<string, Ended[]>();
  for (const span of spans) {
    const known = places.get(span.place);
    if (known === undefined) places.set(span.place, [span]);
    else known.push(span);
  }
  const resourceSpans = [...places].map(([place, of]) => ({
    resource: resourceOf(run, place),
    scopeSpans: [{ scope, spans: of.map((span) => spanJson(span, traceId)) }],
  }));
  return `${JSON.stringify({ resourceSpans })}\n`;
}

function spanJson(span: Ended, traceId: string): object {
  const { id: spanId, parent, name, kind, startMs, endMs, attributes, failure } = span;
  return {
    ...{ traceId, spanId },
    ...(parent === "" ? {} : { parentSpanId: parent }),
    ...{ name, kind: KINDS[kind] },
    startTimeUnixNano: unixNanos(startMs),
    endTimeUnixNano: unixNanos(endMs),
    attributes: attributeList(attributes),
    status: failure === undefined ? {} : { code: FAILED, message: failure },
  };
}
