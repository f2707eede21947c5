/**
 * Requests between nodes, as roles see them. `createEndpoint` (endpoint.ts) implements it over frames, for the
 * node itself and for each of its shard workers.
 */
import type { NodeId } from "@orrery/stdx";
import type { ChannelClass } from "./network.ts";

export interface RequestOptions {
  /** Rejects with `receive_timeout_transport_exception` after this. Default: none. */
  readonly timeoutMs?: number;
  /** `indexUuid/shard`: the request is for the shard worker that hosts it. */
  readonly shard?: string;
  readonly channel?: ChannelClass;
  /** Aborting it tells the other side to stop, and rejects with `task_cancelled_exception`. */
  readonly cancellation?: Cancellation;
}

export interface RequestContext {
  readonly from: NodeId;
  readonly shard: string;
  /** Fires when the requester gave up or was lost. */
  readonly cancellation: Cancellation;
}

export type Handler = (payload: Uint8Array, context: RequestContext) => Promise<Uint8Array>;
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

/** A one-shot signal, free of any world's own abort type. */
export interface Cancellation {
  readonly isCancelled: boolean;
  readonly reason: string;
  /** Calls back at once when already cancelled. Returns a function that forgets the callback. */
  onCancel(callback: (reason: string) => void): () => void;
}

export interface CancellationSource extends Cancellation {
  cancel(reason: string): void;
}

export function createCancellation(): CancellationSource {
  return new Source();
}

/** A class, because every request makes one, and hardly one is ever asked anything. */
class Source implements CancellationSource {
  isCancelled = false;
  reason = "";
  private callbacks: Set<(reason: string) => void> | undefined;

  onCancel(callback: (reason: string) => void): () => void {
    if (this.isCancelled) {
      callback(this.reason);
      return () => undefined;
    }
    const callbacks = (this.callbacks ??= new Set());
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  }

  cancel(reason: string): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.reason = reason;
    const { callbacks } = this;
    this.callbacks = undefined;
    if (callbacks !== undefined) for (const callback of [...callbacks]) callback(reason);
  }
}
