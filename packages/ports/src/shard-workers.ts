/**
 * The ShardWorkers port: threads that host shard copies, or an inline worker in the node's own thread. Both talk in
 * `WorkerMessage`s only.
 *
 * Contract: messages of one channel arrive in order, never during the call of `post`. The receiver owns the bytes of
 * a message: adapters copy or transfer them. The death of a worker is one `onExit`; its copies have failed, and the
 * node lives on.
 */
import { hashRouting, type Random } from "@orrery/stdx";
import type { BlobStores } from "./blob-stores.ts";
import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { LogLevel } from "./log.ts";
import type { TraceEvent } from "./trace.ts";
import type { Span } from "./tracing.ts";

/** A message between a node and one of its shard workers. */
export type WorkerMessage =
  /** From the node: the worker's first message. */
  | { readonly kind: "start"; readonly worker: number; readonly settings: string }
  /** From the worker, in reply to `start`: its program has other parts than the node's. It ignores all further messages. */
  | { readonly kind: "unfit"; readonly reason: string }
  /** To the worker: a request. From the worker: its answer, to send on the `connection` by which the request came. */
  | { readonly kind: "frame"; readonly connection: number; readonly frame: Uint8Array }
  /** From the worker: a frame for another node, on a channel class. */
  | {
      readonly kind: "send";
      readonly to: string;
      readonly channel: string;
      readonly frame: Uint8Array;
    }
  /** To the worker: the connection to this node is lost. */
  | { readonly kind: "disconnected"; readonly nodeId: string; readonly reason: string }
  /** To the worker: a connection by which requests came is closed. */
  | { readonly kind: "closed"; readonly connection: number; readonly reason: string }
  /** To the worker: the frame of the `send` with this correlation id was not sent. */
  | { readonly kind: "refused"; readonly correlationId: number; readonly reason: string }
  /** To the worker: the part of an applied cluster state that concerns it, encoded. */
  | { readonly kind: "state"; readonly slice: Uint8Array }
  /** To the worker: the difference of that part between the version that was sent last and a later one. */
  | { readonly kind: "state-change"; readonly change: Uint8Array }
  /** From the worker: it has applied that cluster state version. */
  | { readonly kind: "applied"; readonly version: number }
  | { readonly kind: "log"; readonly level: LogLevel; readonly message: string }
  | { readonly kind: "trace"; readonly event: TraceEvent }
  /** From the worker: the span of a request of the worker, or of a handler, has ended. */
  | { readonly kind: "span"; readonly span: Span }
  | { readonly kind: "stop" }
  | { readonly kind: "stopped" };

/** The node's end of a worker's channel. */
export interface ShardWorkerChannel {
  post(message: WorkerMessage): void;
  /**
   * A count that rises several times a second while the worker takes turns, and stands still while it is stuck in
   * one. Absent for a worker in the node's own thread.
   */
  readonly beats?: () => number;
  /** Ends the worker at once. */
  terminate(): void;
}

/** The callbacks of the node. */
export interface ShardWorkerEvents {
  onMessage(message: WorkerMessage): void;
  /** `reason` is empty after a `stop` or `terminate`. */
  onExit(reason: string): void;
}

/** The workers of one node. */
export interface ShardWorkers {
  /** The number of workers over which shards are spread, at least 1; 1 in an inline world. */
  readonly count: number;
  /**
   * Whether the workers' program is given separately from the node's product (as a module for threads, or a function)
   * and may be composed of other parts; each worker then compares them with the node's when it starts. Absent: one
   * product serves both.
   */
  readonly isProgramNamedApart?: boolean;
  /** Starts a worker (1-based). */
  start(worker: number, events: ShardWorkerEvents): ShardWorkerChannel;
}

/** The ports of a shard worker. */
export interface WorkerHost {
  readonly clock: Clock;
  readonly random: (purpose: string) => Random;
  readonly disk: Disk;
  readonly blobs: BlobStores;
  /** Sends a message to the node. */
  post(message: WorkerMessage): void;
  /** Registers the receiver of the node's messages; called once, before the first message. */
  onMessage(receive: (message: WorkerMessage) => void): void;
}

/** The worker (1-based) that hosts a shard, given as `indexUuid/shard`, on a node with `count` workers. */
export function workerFor(shard: string, count: number): number {
  return count === 1 ? 1 : 1 + ((hashRouting(shard) >>> 0) % count);
}
