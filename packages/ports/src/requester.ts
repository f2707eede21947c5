/**
 * The asking half of an endpoint: requests that wait for their answers.
 *
 * Each request ends once: with its answer, a problem, its deadline, its cancellation, or the loss of the peer. Whoever
 * gives up tells the other side.
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
  endless,
  lost,
  notConnected,
  overloaded,
  pastDeadline,
  timedOut,
} from "./transport-problems.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type { Work } from "./work.ts";

export interface Requester {
  readonly request: Transport["request"];
  readonly outstanding: number;
  work(): readonly Work[];
  takeResponse(frame: Frame): void;
  takeResponsePart(frame: Frame): void;
  takeCredit(frame: Frame): void;
  takeError(frame: Frame): void;
  refused(correlationId: number, reason: string): void;
  disconnected(nodeId: NodeId, reason: string): void;
}

interface Waiting {
  /** Of the request; frames that belong to it differ in kind and part. */
  readonly header: FrameHeader;
  readonly channel: ChannelClass;
  /** Of the answer, as far as it has come. */
  readonly parts: Uint8Array[];
  partBytes: number;
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: OperationError) => void;
  cancelTimer: (() => void) | undefined;
  forgetCancellation: (() => void) | undefined;
  /** Of the request, while it is on its way in parts. */
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

  /** Sends a frame that belongs to the request, the way the request went. */
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

  const sendOff = (entry: Waiting, payload: Uint8Array): void => {
    const limit = partSizeFor(entry.header.to as NodeId, options.localNodeId);
    if (payload.length > limit) {
      sendOffInParts(entry, payload, limit);
      return;
    }
    const result = post(entry, "request", payload);
    if (result !== "sent")
      settle(entry.header.correlationId)?.reject(notTaken(result, entry.header));
  };

  const sendOffInParts = (entry: Waiting, payload: Uint8Array, limit: number): void => {
    const { correlationId } = entry.header;
    entry.sender = sendInParts(payload, limit, ({ bytes, number, isLast }) => {
      const result = post(entry, isLast ? "request" : "request-part", bytes, number);
      if (result === "sent") return true;
      const error = notTaken(result, entry.header);
      // The parts that were taken before must not wait at the other side for ever.
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
        sendOff(entry, payload);
      }),
    get outstanding() {
      return waiting.size;
    },
    work: () =>
      waiting.values().map(({ header: { correlationId, action, to } }) => ({
        kind: "request",
        name: `${correlationId} [${action}] to [${to}]`,
      })),
    ...createAnswerTaking({ waiting, settle, post, giveUp }),
  };
}

interface AnswerTaking {
  readonly waiting: IdTable<Waiting>;
  /** Ends the wait; its entry is the caller's to resolve or reject. */
  readonly settle: (correlationId: number) => Waiting | undefined;
  readonly post: (entry: Waiting, kind: FrameKind, payload: Uint8Array) => PostResult;
  readonly giveUp: (correlationId: number, error: OperationError) => void;
}

/** What comes back for requests, and the news that nothing will. */
function createAnswerTaking({
  waiting,
  settle,
  post,
  giveUp,
}: AnswerTaking): Omit<Requester, "request" | "outstanding" | "work"> {
  return {
    takeResponse({ correlationId, part, payload }) {
      const entry = settle(correlationId);
      if (entry === undefined) return;
      const { length } = entry.parts;
      if (part === length) entry.resolve(joinParts(entry.parts, payload));
      else entry.reject(partLost(length, part));
    },
    takeResponsePart({ correlationId, part, payload }) {
      const entry = waiting.get(correlationId);
      // Whoever gave up has told the other side.
      if (entry === undefined) return;
      if (part !== entry.parts.length) {
        giveUp(correlationId, partLost(entry.parts.length, part));
        return;
      }
      entry.partBytes += payload.length;
      if (entry.partBytes > maxPayloadBytes) {
        giveUp(correlationId, endless(entry.header.to as NodeId, maxPayloadBytes));
        return;
      }
      entry.parts.push(payload);
      const result = post(entry, "response-credit", emptyBytes);
      if (result !== "sent") settle(correlationId)?.reject(notTaken(result, entry.header));
    },
    takeCredit: ({ correlationId }) => waiting.get(correlationId)?.sender?.credit(),
    takeError: ({ correlationId, payload }) =>
      settle(correlationId)?.reject(new OperationError(decodeProblem(payload))),
    refused(correlationId, reason) {
      const entry = settle(correlationId);
      entry?.reject(notTaken(reason === "full" ? "full" : "not-connected", entry.header));
    },
    disconnected(nodeId, reason) {
      for (const { header } of waiting.values()) {
        if (header.to === nodeId)
          settle(header.correlationId)?.reject(lost(nodeId, header.action, reason));
      }
    },
  };
}

/** Its own time-out, and no more than its context has left. 0: no end; `undefined`: the deadline has passed. */
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

function notTaken(
  result: Exclude<PostResult, "sent">,
  { to, action }: FrameHeader,
): OperationError {
  return result === "full" ? overloaded(to as NodeId, action) : notConnected(to as NodeId);
}
