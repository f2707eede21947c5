/**
 * Requests between nodes, as roles see them. `createEndpoint` (endpoint.ts) implements it over frames, for the
 * node itself and for each of its shard workers.
 */
import type { NodeId } from "@orrery/stdx";
import type { Cancellation } from "./cancellation.ts";
import type { ChannelClass } from "./network.ts";
import type { HandlerContext, RequestContext } from "./request-context.ts";

export interface RequestOptions {
  /** Rejects with `receive_timeout_transport_exception` after this. Default: none. */
  readonly timeoutMs?: number;
  /** `indexUuid/shard`: the request is for the shard worker that hosts it. */
  readonly shard?: string;
  readonly channel?: ChannelClass;
  /** Aborting it tells the other side to stop, and rejects with `task_cancelled_exception`. */
  readonly cancellation?: Cancellation;
  /**
   * Of the request that this one is made for: its caller and task go with it, and it ends at the deadline. Its cancellation does
   * not end it by itself, as work that changes something must not stop halfway: reads pass it as `cancellation`.
   */
  readonly context?: RequestContext;
}

export type Handler = (payload: Uint8Array, context: HandlerContext) => Promise<Uint8Array>;
export type OneWayHandler<T> = (message: T, context: { readonly from: NodeId }) => void;

export interface Transport {
  readonly localNodeId: NodeId;
  /**
   * The answer's payload. Rejects with `OperationError`: the problem the handler threw;
   * `node_not_connected_exception`, `node_disconnected_exception`, `receive_timeout_transport_exception`,
   * or `rejected_execution_exception` (429) when the connection's queue is full. A request to the local node takes the
   * same path without the network.
   */
  request(
    to: NodeId,
    action: string,
    payload: Uint8Array,
    options?: RequestOptions,
  ): Promise<Uint8Array>;
  /** No answer, no retry; dropped when there is no connection or its queue is full. */
  send(to: NodeId, action: string, payload: Uint8Array, channel?: ChannelClass): void;
  /** One handler per action. */
  handle(action: string, handler: Handler): void;
  /** What `read` throws is the sender's fault: such a message is dropped, as one that was lost. What the handler throws is not. */
  handleOneWay<T>(
    action: string,
    read: (payload: Uint8Array) => T,
    handler: OneWayHandler<T>,
  ): void;
}

/** The same transport for what one request sends: under its context, unless another one is given. */
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
