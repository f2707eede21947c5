/**
 * The asking half of an endpoint: requests that wait for their answers.
 *
 * Each request ends once: with its answer, a problem, its deadline, its cancellation, or the loss of the peer. Whoever
 * gives up tells the other side.
 */
import { emptyBytes, OperationError, utf8Encode, type NodeId } from "@orrery/stdx";
import type { EndpointOptions, PostResult } from "./endpoint.ts";
import { encodeFrame, type Frame, type FrameKind } from "./frame.ts";
import {
  joinParts,
  partLost,
  partSizeFor,
  sendInParts,
  tooLarge,
  type PartSender,
} from "./parts.ts";
import {
  cancelled,
  decodeProblem,
  lost,
  notConnected,
  overloaded,
  timedOut,
} from "./transport-problems.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface Requester {
  readonly request: Transport["request"];
  readonly outstanding: number;
  takeResponse(frame: Frame): void;
  takeResponsePart(frame: Frame): void;
  takeCredit(frame: Frame): void;
  takeError(frame: Frame): void;
  refused(correlationId: number, reason: string): void;
  disconnected(nodeId: NodeId, reason: string): void;
}

interface Waiting {
  readonly to: NodeId;
  readonly action: string;
  /** Of the answer, as far as it has come. */
  readonly parts: Uint8Array[];
  /** Sends a frame that belongs to the request, the way the request went. */
  readonly post: (kind: FrameKind, payload: Uint8Array, part?: number) => PostResult;
  readonly resolve: (payload: Uint8Array) => void;
  readonly reject: (error: OperationError) => void;
  readonly cleanUps: (() => void)[];
  /** Of the request, while it is on its way. */
  sender: PartSender | undefined;
}

export function createRequester(options: EndpointOptions): Requester {
  const waiting = new Map<number, Waiting>();
  let lastCorrelationId = 0;

  const settle = (correlationId: number): Waiting | undefined => {
    const entry = waiting.get(correlationId);
    if (entry === undefined) return undefined;
    waiting.delete(correlationId);
    for (const clean of entry.cleanUps) clean();
    return entry;
  };

  const giveUp = (correlationId: number, error: OperationError): void => {
    const entry = settle(correlationId);
    if (entry === undefined) return;
    entry.post("cancel", utf8Encode(error.problem.reason ?? ""));
    entry.reject(error);
  };

  /** Sends the payload, in parts when it is large. */
  const sendOff = (entry: Waiting, correlationId: number, payload: Uint8Array): void => {
    const { to, action } = entry;
    const limit = partSizeFor(to, options.localNodeId);
    entry.sender = sendInParts(payload, limit, ({ bytes, number, isLast }) => {
      const result = entry.post(isLast ? "request" : "request-part", bytes, number);
      if (result === "sent") return true;
      const error = notTaken(result, to, action);
      // The parts that were taken before must not wait at the other side for ever.
      if (number === 0) settle(correlationId)?.reject(error);
      else giveUp(correlationId, error);
      return false;
    });
  };

  const watch = (entry: Waiting, correlationId: number, how: RequestOptions): void => {
    const { timeoutMs = 0, cancellation } = how;
    if (timeoutMs > 0) {
      const onTimeout = (): void =>
        giveUp(correlationId, timedOut(entry.to, entry.action, correlationId, timeoutMs));
      entry.cleanUps.push(options.clock.setTimer(timeoutMs, onTimeout));
    }
    if (cancellation !== undefined) {
      const onCancel = (reason: string): void => giveUp(correlationId, cancelled(reason));
      entry.cleanUps.push(cancellation.onCancel(onCancel));
    }
  };

  return {
    request: (to, action, payload, how = {}) =>
      new Promise((resolve, reject) => {
        const refusal = refuseBefore(payload, how);
        if (refusal !== undefined) {
          reject(refusal);
          return;
        }
        lastCorrelationId += 1;
        const correlationId = lastCorrelationId;
        const entry: Waiting = {
          to,
          action,
          parts: [],
          post: poster(options, correlationId, to, action, how),
          resolve,
          reject,
          cleanUps: [],
          sender: undefined,
        };
        waiting.set(correlationId, entry);
        watch(entry, correlationId, how);
        sendOff(entry, correlationId, payload);
      }),
    get outstanding() {
      return waiting.size;
    },
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
      entry.parts.push(payload);
      const result = entry.post("response-credit", emptyBytes);
      if (result !== "sent") {
        settle(correlationId)?.reject(notTaken(result, entry.to, entry.action));
      }
    },
    takeCredit: ({ correlationId }) => waiting.get(correlationId)?.sender?.credit(),
    takeError: ({ correlationId, payload }) =>
      settle(correlationId)?.reject(new OperationError(decodeProblem(payload))),
    refused(correlationId, reason) {
      const entry = settle(correlationId);
      entry?.reject(notTaken(reason === "full" ? "full" : "not-connected", entry.to, entry.action));
    },
    disconnected(nodeId, reason) {
      for (const [correlationId, { to, action }] of [...waiting]) {
        if (to === nodeId) settle(correlationId)?.reject(lost(nodeId, action, reason));
      }
    },
  };
}

function refuseBefore(payload: Uint8Array, how: RequestOptions): OperationError | undefined {
  return how.cancellation?.isCancelled === true
    ? cancelled(how.cancellation.reason)
    : tooLarge(payload);
}

function poster(
  options: EndpointOptions,
  correlationId: number,
  to: NodeId,
  action: string,
  { shard = "", timeoutMs = 0, channel = "reg" }: RequestOptions,
): Waiting["post"] {
  const { localNodeId: from, endpoint } = options;
  return (kind, payload, part = 0) => {
    const header = { kind, correlationId, from, to, endpoint, action, shard, timeoutMs, part };
    return options.post(to, channel, encodeFrame(header, payload));
  };
}

function notTaken(result: Exclude<PostResult, "sent">, to: NodeId, action: string): OperationError {
  return result === "full" ? overloaded(to, action) : notConnected(to);
}
