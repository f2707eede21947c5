/**
 * Requests between nodes, as roles use them. `createEndpoint` (endpoint.ts) implements it over frames, for the node
 * itself and for each of its shard workers.
 */
import type { NodeId } from "@orrery/stdx";
import type { Cancellation } from "./cancellation.ts";
import type { ChannelClass } from "./network.ts";
import type { HandlerContext, RequestContext } from "./request-context.ts";

export interface RequestOptions {
  /** The request rejects with `receive_timeout_transport_exception` after this; default none. */
  readonly timeoutMs?: number;
  /** `indexUuid/shard`: the request is for the shard worker that hosts this shard. */
  readonly shard?: string;
  /** Class of the connection to send on; default `reg`. */
  readonly channel?: ChannelClass;
  /** Rejects the request with `task_cancelled_exception`, and cancels its handler. */
  readonly cancellation?: Cancellation;
  /**
   * The context of the request on whose behalf this one is sent: caller and task are passed on, and the deadline
   * limits this request. Its cancellation has no effect here, since work that changes data must not stop halfway:
   * reads pass it as `cancellation`.
   */
  readonly context?: RequestContext;
}

/** Answers a request with a payload, or rejects with the problem for the requester. */
export type Handler = (payload: Uint8Array, context: HandlerContext) => Promise<Uint8Array>;
export type OneWayHandler<T> = (message: T, context: { readonly from: NodeId }) => void;

export interface Transport {
  readonly localNodeId: NodeId;
  /**
   * Resolves with the answer's payload. Rejects with `OperationError`: the problem of the handler,
   * `node_not_connected_exception`, `node_disconnected_exception`, `receive_timeout_transport_exception`,
   * `task_cancelled_exception`, `rejected_execution_exception` (429) when the connection's queue is full,
   * `illegal_argument_exception` for a payload above `maxPayloadBytes`, or `stream_corrupted_exception` for a broken
   * answer. A request to the local node takes the same path without the network.
   */
  request(
    to: NodeId,
    action: string,
    payload: Uint8Array,
    options?: RequestOptions,
  ): Promise<Uint8Array>;
  /** Sends a one-way message: without answer or retry, and dropped when there is no connection or its queue is full. */
  send(to: NodeId, action: string, payload: Uint8Array, channel?: ChannelClass): void;
  /** Registers the only handler of an action. */
  handle(action: string, handler: Handler): void;
  /**
   * Registers the only handler of a one-way action. A message that `read` rejects by throwing is dropped like a lost
   * one; errors of the handler are bugs.
   */
  handleOneWay<T>(
    action: string,
    read: (payload: Uint8Array) => T,
    handler: OneWayHandler<T>,
  ): void;
}

/** The same transport with a default context for its requests. */
export function underContext(transport: Transport, context: RequestContext): Transport {
  return {
    localNodeId: transport.localNodeId,
    request: (to, action, payload, options) =>
      transport.request(to, action, payload, { context, ...options }),
    send: transport.send,
    handle: transport.handle,
    handleOneWay: transport.handleOneWay,
  };
}
