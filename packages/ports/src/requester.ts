/**
 * The requesting half of an endpoint: requests that wait for their answers.
 *
 * Each request settles once: with its answer, a problem, its deadline, its cancellation, or the loss of the
 * connection. A requester that stops waiting sends a cancel frame.
 */
import {
  createIdTable,
  emptyBytes,
  OperationError,
  utf8Encode,
  type IdTable,
  type NodeId,
} from "@orrery/stdx";
import { anonymous } from "./caller.ts";
import type { EndpointOptions, PostResult } from "./endpoint.ts";
import { encodeFrame, type Frame, type FrameHeader, type FrameKind } from "./frame.ts";
import type { ChannelClass } from "./network.ts";
import {
  joinParts,
  maxPayloadBytes,
  partLost,
  partSizeFor,
  sendInParts,
  tooLarge,
  type PartSender,
} from "./parts.ts";
import {
  cancelled,
  decodeProblem,
  answerTooLarge,
  disconnectedFrom,
  notConnected,
  overloaded,
  pastDeadline,
  timedOut,
} from "./transport-problems.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { Work } from "./work.ts";

/**
 * The requesting half of an endpoint. Each `receive…` takes a frame of an answer; the other members are those of
 * `Endpoint`.
 */
export interface Requester {
  readonly request: Transport["request"];
  readonly outstanding: number;
  work(): readonly Work[];
  receiveResponse(frame: Frame): void;
  receiveResponsePart(frame: Frame): void;
  receiveCredit(frame: Frame): void;
  receiveError(frame: Frame): void;
  refused(correlationId: number, reason: string): void;
  disconnected(nodeId: NodeId, reason: string): void;
}

/** A request without an answer yet. */
interface Waiting {
  /** Header of the request; its further frames differ in kind and part. */
  readonly header: FrameHeader;
  readonly channel: ChannelClass;
  /** Parts of the answer that have arrived. */
  readonly parts: Uint8Array[];
  partBytes: number;
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: OperationError) => void;
  cancelTimer: (() => void) | undefined;
  forgetCancellation: (() => void) | undefined;
  /** Set while the request itself is being sent in parts. */
  sender: PartSender | undefined;
}

const noOptions: RequestOptions = {};

export function createRequester(options: EndpointOptions): Requester {
  const waiting = createIdTable<Waiting>();
  let lastCorrelationId = options.lastCorrelationId ?? 0;

  const settle = (correlationId: number): Waiting | undefined => {
    const entry = waiting.delete(correlationId);
    if (entry === undefined) return undefined;
    entry.cancelTimer?.();
    entry.forgetCancellation?.();
    return entry;
  };

  /** Sends a frame of the request to the node and on the channel of the request. */
  const post = (entry: Waiting, kind: FrameKind, payload: Uint8Array, part = 0): PostResult => {
    const header =
      kind === "request" && part === 0 ? entry.header : { ...entry.header, kind, part };
    return options.post(header.to as NodeId, entry.channel, encodeFrame(header, payload), header);
  };

  const giveUp = (correlationId: number, error: OperationError): void => {
    const entry = settle(correlationId);
    if (entry === undefined) return;
    post(entry, "cancel", utf8Encode(error.problem.reason ?? ""));
    entry.reject(error);
  };

  const sendRequest = (entry: Waiting, payload: Uint8Array): void => {
    const limit = partSizeFor(entry.header.to as NodeId, options.localNodeId);
    if (payload.length > limit) {
      sendRequestInParts(entry, payload, limit);
      return;
    }
    const result = post(entry, "request", payload);
    if (result !== "sent")
      settle(entry.header.correlationId)?.reject(sendFailure(result, entry.header));
  };

  const sendRequestInParts = (entry: Waiting, payload: Uint8Array, limit: number): void => {
    const { correlationId } = entry.header;
    entry.sender = sendInParts(payload, limit, ({ bytes, number, isLast }) => {
      const result = post(entry, isLast ? "request" : "request-part", bytes, number);
      if (result === "sent") return true;
      const error = sendFailure(result, entry.header);
      // Earlier parts were sent: the cancel frame releases them at the receiver.
      if (number === 0) settle(correlationId)?.reject(error);
      else giveUp(correlationId, error);
      return false;
    });
  };

  const watch = (entry: Waiting, { cancellation }: RequestOptions): void => {
    const { correlationId, to, action, timeoutMs } = entry.header;
    if (timeoutMs > 0) {
      entry.cancelTimer = options.clock.setTimer(timeoutMs, () =>
        giveUp(correlationId, timedOut(to as NodeId, action, correlationId, timeoutMs)),
      );
    }
    if (cancellation !== undefined) {
      entry.forgetCancellation = cancellation.onCancel((reason) =>
        giveUp(correlationId, cancelled(reason)),
      );
    }
  };

  return {
    request: (to, action, payload, how = noOptions) =>
      new Promise((resolve, reject) => {
        const timeoutMs = timeoutOf(how, options);
        const refusal = refuseBefore(payload, how);
        if (refusal !== undefined || timeoutMs === undefined) {
          reject(refusal ?? pastDeadline(to, action));
          return;
        }
        lastCorrelationId += 1;
        const header: FrameHeader = {
          kind: "request",
          correlationId: lastCorrelationId,
          from: options.localNodeId,
          to,
          endpoint: options.endpoint,
          action,
          shard: how.shard ?? "",
          timeoutMs,
          task: how.context?.task?.number ?? 0,
          caller: how.context?.caller ?? anonymous,
        };
        const entry: Waiting = {
          header,
          channel: how.channel ?? "reg",
          parts: [],
          partBytes: 0,
          resolve,
          reject,
          cancelTimer: undefined,
          forgetCancellation: undefined,
          sender: undefined,
        };
        waiting.set(lastCorrelationId, entry);
        watch(entry, how);
        sendRequest(entry, payload);
      }),
    get outstanding() {
      return waiting.size;
    },
    work: () =>
      waiting.values().map(({ header: { correlationId, action, to } }) => ({
        kind: "request",
        name: `${correlationId} [${action}] to [${to}]`,
      })),
    ...createAnswerHandling({ waiting, settle, post, giveUp }),
  };
}

/** The parts of a requester that answers act on. */
interface AnswerHandling {
  readonly waiting: IdTable<Waiting>;
  /** Removes a waiting request; the caller resolves or rejects it. */
  readonly settle: (correlationId: number) => Waiting | undefined;
  readonly post: (entry: Waiting, kind: FrameKind, payload: Uint8Array) => PostResult;
  readonly giveUp: (correlationId: number, error: OperationError) => void;
}

/** The handling of answers, and of frames and connections that were lost. */
function createAnswerHandling({
  waiting,
  settle,
  post,
  giveUp,
}: AnswerHandling): Omit<Requester, "request" | "outstanding" | "work"> {
  return {
    receiveResponse({ correlationId, part, payload }) {
      const entry = settle(correlationId);
      if (entry === undefined) return;
      const { length } = entry.parts;
      if (part === length) entry.resolve(joinParts(entry.parts, payload));
      else entry.reject(partLost(length, part));
    },
    receiveResponsePart({ correlationId, part, payload }) {
      const entry = waiting.get(correlationId);
      // The request was cancelled, and the cancel frame is on its way.
      if (entry === undefined) return;
      if (part !== entry.parts.length) {
        giveUp(correlationId, partLost(entry.parts.length, part));
        return;
      }
      entry.partBytes += payload.length;
      if (entry.partBytes > maxPayloadBytes) {
        giveUp(correlationId, answerTooLarge(entry.header.to as NodeId, maxPayloadBytes));
        return;
      }
      entry.parts.push(payload);
      const result = post(entry, "response-credit", emptyBytes);
      if (result !== "sent") settle(correlationId)?.reject(sendFailure(result, entry.header));
    },
    receiveCredit: ({ correlationId }) => waiting.get(correlationId)?.sender?.credit(),
    receiveError: ({ correlationId, payload }) =>
      settle(correlationId)?.reject(new OperationError(decodeProblem(payload))),
    refused(correlationId, reason) {
      const entry = settle(correlationId);
      entry?.reject(sendFailure(reason === "full" ? "full" : "not-connected", entry.header));
    },
    disconnected(nodeId, reason) {
      for (const { header } of waiting.values()) {
        if (header.to === nodeId)
          settle(header.correlationId)?.reject(disconnectedFrom(nodeId, header.action, reason));
      }
    },
  };
}

/**
 * The request's own timeout, shortened to the time that its context has left. 0: no timeout; `undefined`: the
 * deadline has passed.
 */
function timeoutOf(
  { timeoutMs = 0, context }: RequestOptions,
  { clock }: EndpointOptions,
): number | undefined {
  if (context === undefined || context.deadlineMs === Infinity) return timeoutMs;
  const leftMs = Math.ceil(context.deadlineMs - clock.monotonicMs());
  if (leftMs <= 0) return undefined;
  return timeoutMs > 0 ? Math.min(timeoutMs, leftMs) : leftMs;
}

function refuseBefore(payload: Uint8Array, how: RequestOptions): OperationError | undefined {
  return how.cancellation?.isCancelled === true
    ? cancelled(how.cancellation.reason)
    : tooLarge(payload);
}

function sendFailure(
  result: Exclude<PostResult, "sent">,
  { to, action }: FrameHeader,
): OperationError {
  return result === "full" ? overloaded(to as NodeId, action) : notConnected(to as NodeId);
}
