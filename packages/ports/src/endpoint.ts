/**
 * Requests over frames: correlation ids, deadlines, cancellation, and payloads larger than a frame in parts with
 * credits.
 *
 * An endpoint is the node itself (0) or one of its shard workers (n). It knows no connections: `post` hands a frame
 * to the owner of the connections, `receive` accepts a frame that was addressed to this endpoint. `reply` is an
 * opaque number of the owner's that says where an answer is sent. requester.ts is the requesting half, server.ts the
 * answering half.
 */
import { type AssertionError, unreachable, utf8Decode, wordsOf, type NodeId } from "@orrery/stdx";
import type { Clock } from "./clock.ts";
import { encodeFrame, type Frame, type FrameHeader } from "./frame.ts";
import type { ChannelClass } from "./network.ts";
import { createRequester } from "./requester.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Caller } from "./caller.ts";
import type { RequestContext } from "./request-context.ts";
import type { RequestName } from "./request-table.ts";
import { createServer } from "./server.ts";
import { tracedRequests, type Tracer } from "./tracing.ts";
import type { Handler, OneWayHandler, Transport } from "./transport.ts";
import type { Work } from "./work.ts";

/** The identity of an endpoint, the functions by which its frames leave, and its observers. */
export interface EndpointOptions {
  readonly localNodeId: NodeId;
  /** 0 for the node, n for its shard worker n. */
  readonly endpoint: number;
  readonly clock: Clock;
  /**
   * Correlation ids begin above this; default 0. An endpoint that replaces another one begins above the ids of its
   * predecessor, whose answers may still arrive.
   */
  readonly lastCorrelationId?: number;
  /**
   * Sends a frame towards a node, the local one included; `header` is the header encoded in it. A result other than
   * `sent` rejects the request.
   */
  readonly post: (
    to: NodeId,
    channel: ChannelClass,
    frame: Uint8Array,
    header: FrameHeader,
  ) => PostResult;
  /** Sends a frame back to where a request came in. */
  readonly answer: (reply: number, frame: Uint8Array, header: FrameHeader) => void;
  /** Wraps every handler; by default handlers are not wrapped. */
  readonly guard?: (action: string, handler: Handler) => Handler;
  /** Traces the requests; absent on a node that traces none. */
  readonly tracer?: Tracer | undefined;
  /** Receives each one-way message that could not be decoded. */
  readonly onUnreadable?: (frame: FrameHeader, reason: string) => void;
  /** Receives each cancelled request that is not under way: its requester did not read the answer, if one was sent. */
  readonly onUnread?: (request: RequestName) => void;
  /** Receives errors of handlers other than `OperationError`; the requester is answered with a neutral problem. */
  readonly onUnforeseen?: (frame: FrameHeader, thrown: unknown) => void;
  /** Receives failed assertions of handlers, after the answer; without it they fail their requests alone. */
  readonly onFailedAssertion?: (error: AssertionError) => void;
}

/** The fate of a frame at its connection: `full` when the connection's queue has no room. */
export type PostResult = "sent" | "full" | "not-connected";

/** An endpoint: a requester and a server of requests. The owner of the connections calls it. */
export interface Endpoint extends Transport {
  /** The context of a request that begins on this node, with a task of its own. */
  begin(caller: Caller, cancellation: Cancellation): RequestContext;
  /** Accepts a frame that is addressed to this endpoint. */
  receive(frame: Frame, reply: number): void;
  /** The connection to this node is lost: requests that wait for its answers are rejected. */
  disconnected(nodeId: NodeId, reason: string): void;
  /** The connection behind `reply` is closed: requests that came by it are cancelled. */
  closed(reply: number, reason: string): void;
  /** The frame with this correlation id was not sent after all: its request is rejected. */
  refused(correlationId: number, reason: string): void;
  /** The number of requests that wait for an answer. */
  readonly outstanding: number;
  /** Requests that wait for an answer, and requests that are being answered. */
  work(): readonly Work[];
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { localNodeId, tracer } = options;
  const requester = createRequester(options);
  const server = createServer(options);
  const oneWayHandlers = new Map<string, (frame: Frame) => void>();

  return {
    localNodeId,
    request: tracer === undefined ? requester.request : tracedRequests(requester.request, tracer),
    send(to, action, payload, channel = "reg") {
      const header: FrameHeader = {
        kind: "one-way",
        correlationId: 0,
        from: localNodeId,
        to,
        endpoint: options.endpoint,
        action,
        shard: "",
        timeoutMs: 0,
      };
      options.post(to, channel, encodeFrame(header, payload), header);
    },
    handle: (action, handler) => server.handle(action, options.guard?.(action, handler) ?? handler),
    begin: server.begin,
    handleOneWay: (action, read, handler) =>
      void oneWayHandlers.set(action, oneWay(options, read, handler)),
    receive(frame, reply) {
      switch (frame.kind) {
        case "request":
          return server.receiveRequest(frame, reply);
        case "request-part":
          return server.receiveRequestPart(frame, reply);
        case "request-credit":
          return requester.receiveCredit(frame);
        case "response":
          return requester.receiveResponse(frame);
        case "response-part":
          return requester.receiveResponsePart(frame);
        case "response-credit":
          return server.receiveCredit(frame);
        case "error":
          return requester.receiveError(frame);
        case "cancel":
          return server.cancel(frame, utf8Decode(frame.payload));
        case "one-way":
          return oneWayHandlers.get(frame.action)?.(frame);
        default:
          return unreachable(frame.kind);
      }
    },
    disconnected: requester.disconnected,
    closed: server.closed,
    refused: requester.refused,
    get outstanding() {
      return requester.outstanding;
    },
    work: () => [...requester.work(), ...server.work()],
  };
}

function oneWay<T>(
  { onUnreadable }: EndpointOptions,
  read: (payload: Uint8Array) => T,
  handler: OneWayHandler<T>,
): (frame: Frame) => void {
  return (frame) => {
    let message: T;
    try {
      message = read(frame.payload);
    } catch (error) {
      onUnreadable?.(frame, wordsOf(error));
      return;
    }
    handler(message, { from: frame.from as NodeId });
  };
}
