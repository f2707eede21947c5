/**
 * The answering half of an endpoint: handlers, what they are at, and answers on their way.
 *
 * Each request is answered once, unless its requester gave up or was lost: then nobody listens any more.
 */
import { emptyBytes, OperationError, problemOf, type NodeId, type Problem } from "@orrery/stdx";
import type { Endpoint, EndpointOptions } from "./endpoint.ts";
import { encodeFrame, type Frame, type FrameHeader, type FrameKind } from "./frame.ts";
import { createHeldParts, heldOfPeerMost } from "./held-parts.ts";
import {
  joinParts,
  partLost,
  partSizeFor,
  sendInParts,
  tooLarge,
  type PartSender,
} from "./parts.ts";
import { createRequestTable, type RequestName, type RequestTable } from "./request-table.ts";
import { encodeProblem, noHandler, tooMuchHeld } from "./transport-problems.ts";
import { createCancellation, type CancellationSource } from "./cancellation.ts";
import type { HandlerContext, TaskId } from "./request-context.ts";
import type { Handler } from "./transport.ts";
import type { Work } from "./work.ts";

export interface Server {
  readonly begin: Endpoint["begin"];
  handle(action: string, handler: Handler): void;
  takeRequest(frame: Frame, reply: number): void;
  takeRequestPart(frame: Frame, reply: number): void;
  takeCredit(frame: Frame): void;
  /** The requester of this frame has given up. */
  cancel(frame: Frame, reason: string): void;
  /** No answer can go back there any more. */
  closed(reply: number, reason: string): void;
  /** Requests from their first part to the last of their answer. */
  work(): readonly Work[];
}

/** A request of someone else: in one of three stages. */
interface Stages {
  readonly name: RequestName & Pick<FrameHeader, "action">;
  readonly from: NodeId;
  /** Where its answer goes. */
  readonly reply: number;
  /** As far as it has come. */
  readonly parts: Uint8Array[];
  /** Bytes of them, as they are counted; undefined when it came whole. */
  heldBytes?: number;
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
  const requests = createRequestTable<Stages>();
  let lastTask = Math.floor((options.lastCorrelationId ?? 0) / REQUESTS_A_TASK);

  /** Of this node alone: endpoints count in numbers of their own. */
  const nextTask = (): TaskId => {
    lastTask += 1;
    return { nodeId: localNodeId, number: lastTask * ENDPOINTS + options.endpoint };
  };

  const contextOf = (frame: Frame, cancellation: CancellationSource): HandlerContext => {
    const { timeoutMs, task } = frame;
    const from = frame.from as NodeId;
    return {
      caller: frame.caller,
      task: nextTask(),
      parentTask: task === 0 ? undefined : { nodeId: from, number: task },
      deadlineMs: timeoutMs === 0 ? Infinity : options.clock.monotonicMs() + timeoutMs,
      cancellation,
      from,
      shard: frame.shard,
      request: { from: frame.from, endpoint: frame.endpoint, correlationId: frame.correlationId },
    };
  };

  const { answer, refuse } = createAnswers(options);
  const { finish, forget, withParts, hold, whole } = createStages(requests, { answer, refuse });

  const respond = (frame: Frame, request: Stages, payload: Uint8Array): void => {
    const { reply } = request;
    const limit = partSizeFor(request.from, localNodeId);
    if (payload.length <= limit) {
      answer(frame, reply, { kind: "response", payload });
      finish(frame, request);
      return;
    }
    let isDone = false;
    const sender = sendInParts(payload, limit, (part) => {
      const kind = part.isLast ? "response" : "response-part";
      answer(frame, reply, { kind, payload: part.bytes, part: part.number });
      if (part.isLast) finish(frame, request);
      isDone = part.isLast;
      return true;
    });
    if (!isDone) request.sender = sender;
  };

  const serve = (frame: Frame, request: Stages): void => {
    const handler = handlers.get(frame.action);
    if (handler === undefined) {
      finish(frame, request);
      refuse(frame, request.reply, noHandler(frame.action));
      return;
    }
    const cancellation = createCancellation();
    request.running = cancellation;
    const fail = (problem: Problem): void => {
      finish(frame, request);
      if (!cancellation.isCancelled) refuse(frame, request.reply, problem);
    };
    invoke(handler, frame.payload, contextOf(frame, cancellation)).then(
      (payload) => {
        const problem = tooLarge(payload)?.problem;
        if (problem !== undefined) fail(problem);
        else if (!cancellation.isCancelled) respond(frame, request, payload);
      },
      (error: unknown) => {
        if (!(error instanceof OperationError)) options.onUnforeseen?.(frame, error);
        fail(problemOf(error));
      },
    );
  };

  return {
    begin: (caller, cancellation) => ({
      caller,
      task: nextTask(),
      parentTask: undefined,
      deadlineMs: Infinity,
      cancellation,
    }),
    handle: (action, handler) => void handlers.set(action, handler),
    takeRequest(frame, reply) {
      const request = withParts(frame, reply);
      if (request !== undefined) serve(whole(frame, request), request);
    },
    takeRequestPart(frame, reply) {
      const request = withParts(frame, reply);
      if (request !== undefined) hold(frame, request, reply);
    },
    takeCredit: (frame) => requests.get(frame)?.sender?.credit(),
    cancel(frame, reason) {
      const request = requests.get(frame);
      if (request === undefined) options.onUnread?.(frame);
      else forget(request, reason);
    },
    closed(reply, reason) {
      for (const request of requests.values()) if (request.reply === reply) forget(request, reason);
    },
    work: () =>
      requests.values().map(({ name: { from, endpoint, correlationId, action } }) => ({
        kind: "answer",
        name: `${correlationId} [${action}] of [${from}/${endpoint}]`,
      })),
  };
}

/** More than any node has. */
const ENDPOINTS = 1024;
/**
 * An endpoint that takes the place of another one is told a number of requests, billions above those of the other. Tasks count in
 * smaller steps: a frame carries a number of at most 53 bits, and an endpoint may be replaced for as long as its node lives.
 */
const REQUESTS_A_TASK = 4096;

interface Answers {
  answer(request: Frame, reply: number, answer: Answer): void;
  refuse(request: Frame, reply: number, problem: Problem): void;
}

function createAnswers({ localNodeId, answer: send }: EndpointOptions): Answers {
  const answer: Answers["answer"] = (request, reply, { kind, payload, part = 0 }) => {
    const header: FrameHeader = {
      kind,
      correlationId: request.correlationId,
      from: localNodeId,
      to: request.from,
      endpoint: request.endpoint,
      action: request.action,
      shard: "",
      timeoutMs: 0,
      part,
    };
    send(reply, encodeFrame(header, payload), header);
  };
  return {
    answer,
    refuse: (request, reply, problem) =>
      answer(request, reply, { kind: "error", payload: encodeProblem(problem) }),
  };
}

interface StageKeeping {
  /** Drops the request only when it is still the one that was meant. */
  finish(frame: RequestName, request: Stages): void;
  /** Nobody waits for its answer any more. */
  forget(request: Stages | undefined, reason: string): void;
  /** The request with the parts that came before this frame; one with a hole is refused. */
  withParts(frame: Frame, reply: number): Stages | undefined;
  /** Keeps a part of a request, or refuses it when too much is held. */
  hold(frame: Frame, request: Stages, reply: number): void;
  /** The request as one frame, with its last part. */
  whole(frame: Frame, request: Stages): Frame;
}

function createStages(requests: RequestTable<Stages>, { answer, refuse }: Answers): StageKeeping {
  const held = createHeldParts();

  const release = (request: Stages): void => {
    if (request.heldBytes === undefined) return;
    held.release(request.from, request.heldBytes);
    delete request.heldBytes;
  };

  const finish: StageKeeping["finish"] = (frame, request) => {
    release(request);
    if (requests.get(frame) === request) requests.delete(frame);
  };

  const forget: StageKeeping["forget"] = (request, reason) => {
    if (request === undefined) return;
    finish(request.name, request);
    request.running?.cancel(reason);
  };

  return {
    finish,
    forget,
    withParts(frame, reply) {
      const known = frame.part === 0 ? undefined : requests.get(frame);
      const request: Stages = known ?? {
        name: frame,
        from: frame.from as NodeId,
        reply,
        parts: [],
      };
      const wanted = request.parts.length;
      if (frame.part === wanted) {
        // Its number is of another request now, which nobody waits for any more.
        if (known === undefined) forget(requests.get(frame), "its number was used again");
        requests.set(frame, request);
        return request;
      }
      finish(frame, request);
      refuse(frame, reply, partLost(wanted, frame.part).problem);
      return undefined;
    },
    hold(frame, request, reply) {
      const { length } = frame.payload;
      const wanted = held.take(frame.from, length, request.parts.length === 0);
      if (wanted !== undefined) {
        finish(frame, request);
        refuse(frame, reply, tooMuchHeld(frame.action, wanted, heldOfPeerMost));
        return;
      }
      request.heldBytes = (request.heldBytes ?? 0) + length;
      request.parts.push(frame.payload);
      answer(frame, reply, { kind: "request-credit", payload: emptyBytes });
    },
    whole(frame, request) {
      if (request.parts.length === 0) return frame;
      const payload = joinParts(request.parts, frame.payload);
      release(request);
      request.parts.length = 0;
      return { ...frame, payload };
    },
  };
}

/** What a handler throws before its first wait is a problem like any other. */
function invoke(
  handler: Handler,
  payload: Uint8Array,
  context: HandlerContext,
): Promise<Uint8Array> {
  try {
    return handler(payload, context);
  } catch (error) {
    return Promise.reject(error);
  }
}
