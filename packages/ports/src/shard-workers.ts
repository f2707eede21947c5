/**
 * Where shard copies run: a thread, or inline. Both talk in `WorkerMessage`s only.
 *
 * Contract: messages of one channel arrive in order, never during the call of `post`. Bytes in a message are the
 * receiver's to keep: adapters copy or transfer. A worker that dies is one `onExit`; its copies have failed, the
 * node has not.
 */
import { hashRouting, type Random } from "@orrery/stdx";
import type { BlobStores } from "./blob-stores.ts";
import type { Clock } from "./clock.ts";
import type { Disk } from "./disk.ts";
import type { LogLevel } from "./log.ts";
import type { TraceEvent } from "./trace.ts";

export type WorkerMessage =
  /** From the node: the worker's first message. */
  | { readonly kind: "start"; readonly worker: number; readonly settings: string }
  /** From the worker, in place of starting: its program is not the one that the node has named in `start`. It does nothing from then on. */
  | { readonly kind: "unfit"; readonly reason: string }
  /** A transport frame. `connection` is where a request came in and its answer goes out. */
  | { readonly kind: "frame"; readonly connection: number; readonly frame: Uint8Array }
  /** From the worker: a frame for another node, on a channel class. */
  | {
      readonly kind: "send";
      readonly to: string;
      readonly channel: string;
      readonly frame: Uint8Array;
    }
  /** To the worker: frames to this node will get no answer. */
  | { readonly kind: "disconnected"; readonly nodeId: string; readonly reason: string }
  /** To the worker: a connection that requests came by is no more. */
  | { readonly kind: "closed"; readonly connection: number; readonly reason: string }
  /** To the worker: the `send` of this correlation id was not taken. */
  | { readonly kind: "refused"; readonly correlationId: number; readonly reason: string }
  /** To the worker: the part of an applied cluster state that concerns it, encoded. */
  | { readonly kind: "state"; readonly slice: Uint8Array }
  /** To the worker: what became of that part in a later version, after the one that it was sent last. */
  | { readonly kind: "state-change"; readonly change: Uint8Array }
  /** From the worker: it has applied that cluster state version. */
  | { readonly kind: "applied"; readonly version: number }
  | { readonly kind: "log"; readonly level: LogLevel; readonly message: string }
  | { readonly kind: "trace"; readonly event: TraceEvent }
  | { readonly kind: "stop" }
  | { readonly kind: "stopped" };

export interface ShardWorkerChannel {
  post(message: WorkerMessage): void;
  /**
   * A count that rises several times a second while the worker takes turns, and stands still while it is stuck in one. Absent: the
   * worker runs in the node's own thread.
   */
  readonly beats?: () => number;
  /** Ends the worker without asking it. */
  terminate(): void;
}

export interface ShardWorkerEvents {
  onMessage(message: WorkerMessage): void;
  /** `reason` is empty after a `stop` or `terminate`. */
  onExit(reason: string): void;
}

export interface ShardWorkers {
  /** How many workers shards are spread over: at least 1; an inline world has exactly 1. */
  readonly count: number;
  /**
   * The workers' program is named apart from the node's product (a module for threads, a function), and may have been composed of other
   * parts: each worker compares them with the node's when it is started. Absent: one product serves both.
   */
  readonly isProgramNamedApart?: boolean;
  start(worker: number, events: ShardWorkerEvents): ShardWorkerChannel;
}

/** The world as a shard worker sees it. */
export interface WorkerHost {
  readonly clock: Clock;
  readonly random: (purpose: string) => Random;
  readonly disk: Disk;
  readonly blobs: BlobStores;
  /** To the node. */
  post(message: WorkerMessage): void;
  /** From the node; called once, before the first message. */
  onMessage(receive: (message: WorkerMessage) => void): void;
}

/** The worker (1-based) that hosts a shard, named `indexUuid/shard`, when `count` workers share a node's shards. */
export function workerFor(shard: string, count: number): number {
  return count === 1 ? 1 : 1 + ((hashRouting(shard) >>> 0) % count);
}
