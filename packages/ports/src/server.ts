/**
 * The answering half of an endpoint: handlers, the requests that they execute, and answers on their way.
 *
 * Each request is answered once. No answer is sent once the requester has cancelled the request or its connection is
 * closed.
 */
import {
  AssertionError,
  emptyBytes,
  OperationError,
  problemOf,
  type NodeId,
  type Problem,
} from "@orrery/stdx";
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

/**
 * The answering half of an endpoint. Each `receive…` takes a frame of a request; the other members are those of
 * `Endpoint`.
 */
export interface Server {
  readonly begin: Endpoint["begin"];
  handle(action: string, handler: Handler): void;
  receiveRequest(frame: Frame, reply: number): void;
  receiveRequestPart(frame: Frame, reply: number): void;
  receiveCredit(frame: Frame): void;
  /** The requester of this frame has stopped waiting. */
  cancel(frame: Frame, reason: string): void;
  /** The connection behind `reply` is closed, and no answer can be sent there. */
  closed(reply: number, reason: string): void;
  /** Requests, from their first part to the last part of their answer. */
  work(): readonly Work[];
}

/** A request of another endpoint, in one of three stages: arriving in parts, running, or being answered in parts. */
interface ServedRequest {
  readonly name: RequestName & Pick<FrameHeader, "action">;
  readonly from: NodeId;
  /** Says where the answer is sent. */
  readonly reply: number;
  /** Parts that have arrived. */
  readonly parts: Uint8Array[];
  /** Bytes that are reserved for the parts; undefined when there are none. */
  heldBytes?: number;
  running?: CancellationSource;
  /** Set while a large answer is being sent. */
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
  const requests = createRequestTable<ServedRequest>();
  let lastTask = Math.floor((options.lastCorrelationId ?? 0) / REQUESTS_A_TASK);

  /** Task numbers of all endpoints of a node are distinct: each endpoint has a residue class of its own. */
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
  const { finish, forget, withParts, hold, whole } = createRequestStages(requests, {
    answer,
    refuse,
  });

  const respond = (frame: Frame, request: ServedRequest, payload: Uint8Array): void => {
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

  const serve = (frame: Frame, request: ServedRequest): void => {
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
        if (error instanceof AssertionError) options.onFailedAssertion?.(error);
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
    receiveRequest(frame, reply) {
      const request = withParts(frame, reply);
      if (request !== undefined) serve(whole(frame, request), request);
    },
    receiveRequestPart(frame, reply) {
      const request = withParts(frame, reply);
      if (request !== undefined) hold(frame, request, reply);
    },
    receiveCredit: (frame) => requests.get(frame)?.sender?.credit(),
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

/** Bound of endpoint numbers, above the number of shard workers of a node. */
const ENDPOINTS = 1024;
/**
 * An endpoint that replaces another one begins with correlation ids billions above those of its predecessor. Task
 * numbers advance by the same jump in smaller units, so that they stay within 53 bits however often endpoints of a
 * node are replaced.
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

/** The table of requests that are under way. */
interface RequestStages {
  /** Removes a request, unless its key belongs to a newer one. */
  finish(frame: RequestName, request: ServedRequest): void;
  /** Removes a request whose answer has no receiver any more, and cancels its handler. */
  forget(request: ServedRequest | undefined, reason: string): void;
  /** The request of this frame, with its earlier parts; `undefined` for one with a missing part, which is refused. */
  withParts(frame: Frame, reply: number): ServedRequest | undefined;
  /** Stores a part and sends the credit for it; a request above the limits of memory is refused. */
  hold(frame: Frame, request: ServedRequest, reply: number): void;
  /** The request as one frame, joined from its parts. */
  whole(frame: Frame, request: ServedRequest): Frame;
}

function createRequestStages(
  requests: RequestTable<ServedRequest>,
  { answer, refuse }: Answers,
): RequestStages {
  const held = createHeldParts();

  const release = (request: ServedRequest): void => {
    if (request.heldBytes === undefined) return;
    held.release(request.from, request.heldBytes);
    delete request.heldBytes;
  };

  const finish: RequestStages["finish"] = (frame, request) => {
    release(request);
    if (requests.get(frame) === request) requests.delete(frame);
  };

  const forget: RequestStages["forget"] = (request, reason) => {
    if (request === undefined) return;
    finish(request.name, request);
    request.running?.cancel(reason);
  };

  return {
    finish,
    forget,
    withParts(frame, reply) {
      const known = frame.part === 0 ? undefined : requests.get(frame);
      const request: ServedRequest = known ?? {
        name: frame,
        from: frame.from as NodeId,
        reply,
        parts: [],
      };
      const wanted = request.parts.length;
      if (frame.part === wanted) {
        // The requester has used the correlation id again, so it no longer waits for the earlier request.
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
      const wanted = held.reserve(frame.from, length, request.parts.length === 0);
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

/** Runs a handler. An error that it throws before its first `await` becomes a rejection like any other. */
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
