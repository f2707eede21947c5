/**
 * Requests over frames: correlation ids, deadlines, cancellation, and payloads larger than a frame in parts with credits.
 *
 * An endpoint is the node itself (0) or one of its shard workers (n). It does not know connections: `post` hands a frame to
 * whoever has them, `receive` takes what came for this endpoint. `reply` is an opaque number that says where an
 * answer goes.
 */
import {
  emptyBytes,
  OperationError,
  problemOf,
  utf8Decode,
  utf8Encode,
  type NodeId,
  unreachable,
  type Problem,
} from "@orrery/stdx";
import type { Clock } from "./clock.ts";
import { encodeFrame, type Frame, type FrameHeader, type FrameKind } from "./frame.ts";
import type { ChannelClass } from "./network.ts";
import { joinParts, partBytes, partLost, sendInParts, tooLarge, type PartSender } from "./parts.ts";
import {
  cancelled,
  decodeProblem,
  encodeProblem,
  lost,
  noHandler,
  notConnected,
  overloaded,
  timedOut,
} from "./transport-problems.ts";
import {
  createCancellation,
  type CancellationSource,
  type Handler,
  type OneWayHandler,
  type RequestOptions,
  type Transport,
} from "./transport.ts";

export interface EndpointOptions {
  readonly localNodeId: NodeId;
  /** 0 for the node, n for its shard worker n. */
  readonly endpoint: number;
  readonly clock: Clock;
  /** Sends a frame towards a node (also the local one). What it returns other than `sent` fails the request. */
  readonly post: (to: NodeId, channel: ChannelClass, frame: Uint8Array) => PostResult;
  /** Sends a frame back to where a request came in. */
  readonly answer: (reply: number, frame: Uint8Array) => void;
}

export type PostResult = "sent" | "full" | "not-connected";

export interface Endpoint extends Transport {
  /** A frame for this endpoint. */
  receive(frame: Frame, reply: number): void;
  /** Frames to this node will get no answer: its requests fail now, and what it asked for is cancelled. */
  disconnected(nodeId: NodeId, reason: string): void;
  /** The frame with this correlation id was not taken after all. */
  refused(correlationId: number, reason: string): void;
  /** How many requests wait for an answer. */
  readonly outstanding: number;
}

interface Waiting {
  readonly to: NodeId;
  readonly action: string;
  readonly channel: ChannelClass;
  readonly shard: string;
  /** Of the answer, as far as it has come. */
  readonly parts: Uint8Array[];
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: OperationError) => void;
  readonly cleanUp: () => void;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { clock, localNodeId } = options;
  const handlers = new Map<string, Handler>();
  const oneWayHandlers = new Map<string, OneWayHandler>();
  const waiting = new Map<number, Waiting>();
  /** What others asked of us and still runs, by `reply/from/endpoint/correlation id`. */
  const running = new Map<
    string,
    { readonly from: NodeId; readonly cancellation: CancellationSource }
  >();
  /** Large requests of others as far as they have come, and large answers to them on their way, by the same key. */
  const assembling = new Map<string, { readonly from: NodeId; readonly parts: Uint8Array[] }>();
  const answering = new Map<string, { readonly from: NodeId; readonly sender: PartSender }>();
  /** Large requests of this endpoint on their way, by correlation id. */
  const sending = new Map<number, PartSender>();
  let nextCorrelationId = 0;

  const header = (
    partial: Partial<FrameHeader> & Pick<FrameHeader, "kind" | "action">,
  ): FrameHeader => ({
    correlationId: 0,
    from: localNodeId,
    to: "",
    endpoint: options.endpoint,
    shard: "",
    timeoutMs: 0,
    ...partial,
  });

  const settle = (correlationId: number): Waiting | undefined => {
    const entry = waiting.get(correlationId);
    if (entry === undefined) return undefined;
    waiting.delete(correlationId);
    sending.delete(correlationId);
    entry.cleanUp();
    return entry;
  };

  const request = (
    to: NodeId,
    action: string,
    payload: Uint8Array,
    how: RequestOptions = {},
  ): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const refusal =
        how.cancellation?.isCancelled === true
          ? cancelled(how.cancellation.reason)
          : tooLarge(payload);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      nextCorrelationId += 1;
      const correlationId = nextCorrelationId;
      const cleanUps: (() => void)[] = [];
      const channel = how.channel ?? "reg";
      const { shard = "", timeoutMs = 0 } = how;
      waiting.set(correlationId, {
        to,
        action,
        channel,
        shard,
        parts: [],
        resolve,
        reject,
        cleanUp: () => cleanUps.forEach((clean) => clean()),
      });
      const common = { action, correlationId, to, shard };
      const post = (kind: FrameKind, content: Uint8Array, part = 0): PostResult =>
        options.post(
          to,
          channel,
          encodeFrame(header({ ...common, kind, timeoutMs, part }), content),
        );
      const giveUp = (error: OperationError): void => {
        const entry = settle(correlationId);
        if (entry === undefined) return;
        post("cancel", utf8Encode(error.problem.reason ?? ""));
        entry.reject(error);
      };
      if (timeoutMs > 0) {
        cleanUps.push(
          clock.setTimer(timeoutMs, () => giveUp(timedOut(to, action, correlationId, timeoutMs))),
        );
      }
      if (how.cancellation)
        cleanUps.push(how.cancellation.onCancel((reason) => giveUp(cancelled(reason))));
      const sender = sendInParts(payload, limitFor(to), ({ bytes, number, isLast }) => {
        const result = post(isLast ? "request" : "request-part", bytes, number);
        if (result !== "sent") {
          // The parts that were taken before must not wait at the other side for ever.
          const error = result === "full" ? overloaded(to, action) : notConnected(to);
          if (number === 0) settle(correlationId)?.reject(error);
          else giveUp(error);
        }
        return result === "sent";
      });
      if (waiting.has(correlationId)) sending.set(correlationId, sender);
    });

  /** On the local node nothing is split: there is no connection to keep free. */
  const limitFor = (nodeId: NodeId): number =>
    nodeId === localNodeId ? Number.POSITIVE_INFINITY : partBytes;

  const answerTo = (
    { correlationId, action, endpoint, from: to }: Frame,
    reply: number,
    answer: { readonly kind: FrameKind; readonly payload: Uint8Array; readonly part?: number },
  ): void => {
    const { kind, payload, part = 0 } = answer;
    const frame = encodeFrame(header({ kind, correlationId, action, endpoint, to, part }), payload);
    options.answer(reply, frame);
  };

  const respond = (frame: Frame, reply: number, payload: Uint8Array): void => {
    const from = frame.from as NodeId;
    const key = runningKey(frame);
    let isDone = false;
    const sender = sendInParts(payload, limitFor(from), ({ bytes, number, isLast }) => {
      const kind = isLast ? "response" : "response-part";
      answerTo(frame, reply, { kind, payload: bytes, part: number });
      isDone = isLast;
      if (isLast) answering.delete(key);
      return true;
    });
    if (!isDone) answering.set(key, { from, sender });
  };

  const refuse = (frame: Frame, reply: number, problem: Problem): void =>
    answerTo(frame, reply, { kind: "error", payload: encodeProblem(problem) });

  const serve = (frame: Frame, reply: number): void => {
    const from = frame.from as NodeId;
    const handler = handlers.get(frame.action);
    if (handler === undefined) {
      refuse(frame, reply, noHandler(frame.action));
      return;
    }
    const key = runningKey(frame);
    const cancellation = createCancellation();
    running.set(key, { from, cancellation });
    /** True when the requester still waits. */
    const finish = (): boolean => {
      if (running.get(key)?.cancellation === cancellation) running.delete(key);
      return !cancellation.isCancelled;
    };
    void invoke(handler, frame, cancellation).then(
      (payload) => {
        const problem = tooLarge(payload)?.problem;
        if (!finish()) return;
        if (problem === undefined) respond(frame, reply, payload);
        else refuse(frame, reply, problem);
      },
      (error: unknown) => {
        if (finish()) refuse(frame, reply, problemOf(error));
      },
    );
  };

  /** The parts that came before this frame; a request with a hole is refused. */
  const partsBefore = (frame: Frame, reply: number): Uint8Array[] | undefined => {
    const key = runningKey(frame);
    const request = assembling.get(key) ?? { from: frame.from as NodeId, parts: [] };
    const wanted = request.parts.length;
    if (frame.part === wanted) {
      if (frame.kind === "request-part") assembling.set(key, request);
      else assembling.delete(key);
      return request.parts;
    }
    assembling.delete(key);
    refuse(frame, reply, partLost(wanted, frame.part).problem);
    return undefined;
  };

  const takeRequestPart = (frame: Frame, reply: number): void => {
    const parts = partsBefore(frame, reply);
    if (parts === undefined) return;
    parts.push(frame.payload);
    answerTo(frame, reply, { kind: "request-credit", payload: emptyBytes });
  };

  const takeRequest = (frame: Frame, reply: number): void => {
    const parts = partsBefore(frame, reply);
    if (parts === undefined) return;
    serve({ ...frame, payload: joinParts(parts, frame.payload) }, reply);
  };

  const takeResponse = (frame: Frame): void => {
    const entry = settle(frame.correlationId);
    if (entry === undefined) return;
    const { length } = entry.parts;
    if (frame.part === length) entry.resolve(joinParts(entry.parts, frame.payload));
    else entry.reject(partLost(length, frame.part));
  };

  const takeResponsePart = ({ correlationId, part, payload }: Frame): void => {
    const entry = waiting.get(correlationId);
    // Whoever gave up has told the other side.
    if (entry === undefined) return;
    const { to, action, channel, shard, parts } = entry;
    const post = (kind: FrameKind): PostResult =>
      options.post(
        to,
        channel,
        encodeFrame(header({ kind, correlationId, action, to, shard }), emptyBytes),
      );
    if (part !== parts.length) {
      post("cancel");
      settle(correlationId)?.reject(partLost(parts.length, part));
      return;
    }
    parts.push(payload);
    const result = post("response-credit");
    if (result === "sent") return;
    settle(correlationId)?.reject(result === "full" ? overloaded(to, action) : notConnected(to));
  };

  const forget = (key: string, reason: string): void => {
    assembling.delete(key);
    answering.delete(key);
    running.get(key)?.cancellation.cancel(reason);
    running.delete(key);
  };

  return {
    localNodeId,
    request,
    send(to, action, payload, channel = "reg") {
      options.post(to, channel, encodeFrame(header({ kind: "one-way", action, to }), payload));
    },
    handle: (action, handler) => void handlers.set(action, handler),
    handleOneWay: (action, handler) => void oneWayHandlers.set(action, handler),
    receive(frame, reply) {
      switch (frame.kind) {
        case "request":
          takeRequest(frame, reply);
          break;
        case "request-part":
          takeRequestPart(frame, reply);
          break;
        case "request-credit":
          sending.get(frame.correlationId)?.credit();
          break;
        case "response":
          takeResponse(frame);
          break;
        case "response-part":
          takeResponsePart(frame);
          break;
        case "response-credit":
          answering.get(runningKey(frame))?.sender.credit();
          break;
        case "error":
          settle(frame.correlationId)?.reject(new OperationError(decodeProblem(frame.payload)));
          break;
        case "cancel":
          forget(runningKey(frame), utf8Decode(frame.payload));
          break;
        case "one-way":
          oneWayHandlers.get(frame.action)?.(frame.payload, { from: frame.from as NodeId });
          break;
        default:
          unreachable(frame.kind);
      }
    },
    disconnected(nodeId, reason) {
      for (const [correlationId, entry] of [...waiting]) {
        if (entry.to === nodeId) settle(correlationId)?.reject(lost(nodeId, entry.action, reason));
      }
      for (const others of [running, assembling, answering]) {
        for (const [key, { from }] of [...others]) if (from === nodeId) forget(key, reason);
      }
    },
    refused(correlationId, reason) {
      const entry = settle(correlationId);
      entry?.reject(
        reason === "full" ? overloaded(entry.to, entry.action) : notConnected(entry.to),
      );
    },
    get outstanding() {
      return waiting.size;
    },
  };
}

async function invoke(
  handler: Handler,
  frame: Frame,
  cancellation: CancellationSource,
): Promise<Uint8Array> {
  return handler(frame.payload, { from: frame.from as NodeId, shard: frame.shard, cancellation });
}

function runningKey(frame: Frame): string {
  return `${frame.from}/${frame.endpoint}/${frame.correlationId}`;
}
