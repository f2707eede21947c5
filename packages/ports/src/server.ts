/**
 * The answering half of an endpoint: handlers, what they are at, and answers on their way.
 *
 * Each request is answered once, unless its requester gave up or was lost: then nobody listens any more.
 */
import { emptyBytes, problemOf, type NodeId, type Problem } from "@orrery/stdx";
import type { EndpointOptions } from "./endpoint.ts";
import { encodeFrame, type Frame, type FrameHeader, type FrameKind } from "./frame.ts";
import {
  joinParts,
  partLost,
  partSizeFor,
  sendInParts,
  tooLarge,
  type PartSender,
} from "./parts.ts";
import { encodeProblem, noHandler } from "./transport-problems.ts";
import { createCancellation, type CancellationSource, type Handler } from "./transport.ts";

export interface Server {
  handle(action: string, handler: Handler): void;
  takeRequest(frame: Frame, reply: number): void;
  takeRequestPart(frame: Frame, reply: number): void;
  takeCredit(frame: Frame): void;
  /** The requester of this frame has given up. */
  cancel(frame: Frame, reason: string): void;
  /** No answer can go back there any more. */
  closed(reply: number, reason: string): void;
}

/** A request of someone else, by `from/endpoint/correlation id`: in one of three stages. */
interface Stages {
  readonly from: NodeId;
  /** Where its answer goes. */
  readonly reply: number;
  /** As far as it has come. */
  readonly parts: Uint8Array[];
  running?: CancellationSource;
  /** A large answer on its way. */
  sender?: PartSender;
}

interface Answer {
  readonly kind: FrameKind;
  readonly payload: Uint8Array;
  readonly part?: number;
}

export function createServer(options: EndpointOptions): Server {
  const { localNodeId } = options;
  const handlers = new Map<string, Handler>();
  const requests = new Map<string, Stages>();

  const answer = (request: Frame, reply: number, { kind, payload, part = 0 }: Answer): void => {
    const { correlationId, action, endpoint, from: to } = request;
    const header: FrameHeader = {
      kind,
      correlationId,
      from: localNodeId,
      to,
      endpoint,
      action,
      shard: "",
      timeoutMs: 0,
      part,
    };
    options.answer(reply, encodeFrame(header, payload));
  };

  const refuse = (request: Frame, reply: number, problem: Problem): void =>
    answer(request, reply, { kind: "error", payload: encodeProblem(problem) });

  /** Drops the request only when it is still the one that was meant. */
  const finish = (key: string, request: Stages): void => {
    if (requests.get(key) === request) requests.delete(key);
  };

  const respond = (frame: Frame, reply: number, request: Stages, payload: Uint8Array): void => {
    const key = keyOf(frame);
    let isDone = false;
    const sender = sendInParts(payload, partSizeFor(request.from, localNodeId), (part) => {
      const kind = part.isLast ? "response" : "response-part";
      answer(frame, reply, { kind, payload: part.bytes, part: part.number });
      if (part.isLast) finish(key, request);
      isDone = part.isLast;
      return true;
    });
    if (!isDone) request.sender = sender;
  };

  const serve = (frame: Frame, reply: number, request: Stages): void => {
    const key = keyOf(frame);
    const handler = handlers.get(frame.action);
    if (handler === undefined) {
      finish(key, request);
      refuse(frame, reply, noHandler(frame.action));
      return;
    }
    const cancellation = createCancellation();
    request.running = cancellation;
    const fail = (problem: Problem): void => {
      finish(key, request);
      if (!cancellation.isCancelled) refuse(frame, reply, problem);
    };
    void invoke(handler, frame, cancellation).then(
      (payload) => {
        const problem = tooLarge(payload)?.problem;
        if (problem !== undefined) fail(problem);
        else if (!cancellation.isCancelled) respond(frame, reply, request, payload);
      },
      (error: unknown) => fail(problemOf(error)),
    );
  };

  /** The request with the parts that came before this frame; one with a hole is refused. */
  const withParts = (frame: Frame, reply: number): Stages | undefined => {
    const key = keyOf(frame);
    const known = frame.part === 0 ? undefined : requests.get(key);
    const request: Stages = known ?? { from: frame.from as NodeId, reply, parts: [] };
    const wanted = request.parts.length;
    if (frame.part === wanted) {
      requests.set(key, request);
      return request;
    }
    finish(key, request);
    refuse(frame, reply, partLost(wanted, frame.part).problem);
    return undefined;
  };

  const forget = (key: string, reason: string): void => {
    const request = requests.get(key);
    requests.delete(key);
    request?.running?.cancel(reason);
  };

  return {
    handle: (action, handler) => void handlers.set(action, handler),
    takeRequest(frame, reply) {
      const request = withParts(frame, reply);
      if (request === undefined) return;
      const { parts } = request;
      const isWhole = parts.length === 0;
      serve(
        isWhole ? frame : { ...frame, payload: joinParts(parts, frame.payload) },
        reply,
        request,
      );
      parts.length = 0;
    },
    takeRequestPart(frame, reply) {
      const request = withParts(frame, reply);
      if (request === undefined) return;
      request.parts.push(frame.payload);
      answer(frame, reply, { kind: "request-credit", payload: emptyBytes });
    },
    takeCredit: (frame) => requests.get(keyOf(frame))?.sender?.credit(),
    cancel: (frame, reason) => forget(keyOf(frame), reason),
    closed(reply, reason) {
      for (const [key, request] of [...requests]) if (request.reply === reply) forget(key, reason);
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

function keyOf(frame: Frame): string {
  return `${frame.from}/${frame.endpoint}/${frame.correlationId}`;
}
