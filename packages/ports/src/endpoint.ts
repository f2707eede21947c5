/**
 * Requests over frames: correlation ids, deadlines, cancellation, and payloads larger than a frame in parts with credits.
 *
 * An endpoint is the node itself (0) or one of its shard workers (n). It does not know connections: `post` hands a frame to
 * whoever has them, `receive` takes what came for this endpoint. `reply` is an opaque number that says where an
 * answer goes. The asking half is in requester.ts, the answering half in server.ts.
 */
import { unreachable, utf8Decode, wordsOf, type NodeId } from "@orrery/stdx";
import type { Clock } from "./clock.ts";
import { encodeFrame, type Frame, type FrameHeader } from "./frame.ts";
import type { ChannelClass } from "./network.ts";
import { createRequester } from "./requester.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Caller } from "./caller.ts";
import type { RequestContext } from "./request-context.ts";
import type { RequestName } from "./request-table.ts";
import { createServer } from "./server.ts";
import type { Handler, OneWayHandler, Transport } from "./transport.ts";
import type { Work } from "./work.ts";

export interface EndpointOptions {
  readonly localNodeId: NodeId;
  /** 0 for the node, n for its shard worker n. */
  readonly endpoint: number;
  readonly clock: Clock;
  /** Requests are numbered from the next one on; default 0. What took the place of another endpoint starts above its numbers. */
  readonly lastCorrelationId?: number;
  /**
   * Sends a frame towards a node (also the local one); `header` is what is written in it. What it returns other than `sent`
   * fails the request.
   */
  readonly post: (
    to: NodeId,
    channel: ChannelClass,
    frame: Uint8Array,
    header: FrameHeader,
  ) => PostResult;
  /** Sends a frame back to where a request came in. */
  readonly answer: (reply: number, frame: Uint8Array, header: FrameHeader) => void;
  /** Stands around every handler. Default: nothing does. */
  readonly guard?: (action: string, handler: Handler) => Handler;
  /** Told of a one-way message that could not be read. */
  readonly onUnreadable?: (frame: FrameHeader, reason: string) => void;
  /** Told of a request that was given up when its answer was on its way: its requester has not read it, and never will. */
  readonly onUnread?: (request: RequestName) => void;
  /** Told of what a handler threw that is no answer to anybody; the sender gets a neutral problem. */
  readonly onUnforeseen?: (frame: FrameHeader, thrown: unknown) => void;
}

export type PostResult = "sent" | "full" | "not-connected";

export interface Endpoint extends Transport {
  /** The context of a request that begins on this node, as a task of its own. */
  begin(caller: Caller, cancellation: Cancellation): RequestContext;
  /** A frame for this endpoint. */
  receive(frame: Frame, reply: number): void;
  /** Frames to this node will get no answer: requests to it fail now. */
  disconnected(nodeId: NodeId, reason: string): void;
  /** Nothing sent back there arrives any more: what was asked from there is cancelled. */
  closed(reply: number, reason: string): void;
  /** The frame with this correlation id was not taken after all. */
  refused(correlationId: number, reason: string): void;
  /** How many requests wait for an answer. */
  readonly outstanding: number;
  /** Requests that wait for an answer, and those that are being answered. */
  work(): readonly Work[];
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { localNodeId } = options;
  const requester = createRequester(options);
  const server = createServer(options);
  const oneWayHandlers = new Map<string, (frame: Frame) => void>();

  return {
    localNodeId,
    request: requester.request,
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
          return server.takeRequest(frame, reply);
        case "request-part":
          return server.takeRequestPart(frame, reply);
        case "request-credit":
          return requester.takeCredit(frame);
        case "response":
          return requester.takeResponse(frame);
        case "response-part":
          return requester.takeResponsePart(frame);
        case "response-credit":
          return server.takeCredit(frame);
        case "error":
          return requester.takeError(frame);
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
