/**
 * Requests to shard workers: each waits for a place in a thread pool, is handed over, and is remembered until it is
 * answered, so that the node can answer for a worker that ends.
 */
import type { Settings } from "@orrery/cluster-state";
import {
  createRequestTable,
  encodeFrame,
  isSeveralShards,
  shardsNamed,
  type Frame,
  type FrameHeader,
  type RequestName,
  type WorkerMessage,
} from "@orrery/ports";
import { emptyBytes, type Problem } from "@orrery/stdx";
import { createThreadPools, type ThreadPools } from "./thread-pools.ts";

/** The reason why a request will not be answered. */
export interface Unanswerable {
  readonly reason: string;
  /** Whether the worker may have been stuck in this request: another worker would be, too. */
  readonly isSuspect: boolean;
}

/** The pools, and the events of requests. */
export interface WorkerRequestsOptions {
  readonly nodeName: string;
  readonly processors: number;
  readonly settings: Settings;
  readonly post: (worker: number, message: WorkerMessage) => void;
  /** The current round of the watchdog. */
  readonly round: () => number;
  /** The worker of this request has ended, or is being ended, without an answer. */
  readonly onUnanswered: (request: FrameHeader, connection: number, why: Unanswerable) => void;
  /** The thread pool has no room for this request. */
  readonly onRejected: (request: FrameHeader, connection: number, problem: Problem) => void;
}

/** The requests that workers have been given and have not answered. */
export interface WorkerRequests {
  /** Hands a request over now or when a place is free, or rejects it. */
  admit(worker: number, frame: FrameHeader, connection: number, bytes: Uint8Array): void;
  /** Whether no shard of this request would be rejected now. */
  hasRoom(frame: FrameHeader): boolean;
  /** The request is cancelled or replaced: its place is free. */
  forget(request: RequestName): void;
  /** A worker has answered; the answer names the request by its receiver. */
  noteAnswer(answer: Frame): void;
  /**
   * Fails the requests of a worker that ends. Requests that were handed over up to the round `suspectsUpTo` are
   * suspects; none is when absent.
   */
  failRequests(worker: number, reason: string, suspectsUpTo?: number): void;
  /** The requester's connection is closed: no answer can be sent. */
  closed(connection: number): void;
  readonly threadPools: Pick<ThreadPools<unknown>, "counts">;
}

/** A request that its worker has not answered yet. */
interface Unanswered {
  readonly worker: number;
  readonly connection: number;
  readonly request: FrameHeader;
  /** The number of shards that it is for. */
  readonly places: number;
  /** Set until it is handed over. */
  frame: Uint8Array | undefined;
  /** The round of the watchdog in which it was handed over. */
  round: number;
}

export function createWorkerRequests(options: WorkerRequestsOptions): WorkerRequests {
  const { post } = options;
  const unanswered = createRequestTable<Unanswered>();

  const handOver = (asked: Unanswered): void => {
    const { worker, connection, frame } = asked;
    // The worker owns the bytes from here on.
    asked.frame = undefined;
    asked.round = options.round();
    if (frame !== undefined) post(worker, { kind: "frame", connection, frame });
  };

  const threadPools = createThreadPools<Unanswered>({
    nodeName: options.nodeName,
    processors: options.processors,
    settings: options.settings,
    start: handOver,
    placesOf: ({ places }) => places,
  });

  const forget = (request: RequestName): void => {
    const asked = unanswered.delete(request);
    if (asked !== undefined) threadPools.of(asked.request.action)?.end(asked);
  };

  const refuse = ({ worker, connection, request }: Unanswered, hasParts: boolean): void => {
    unanswered.delete(request);
    // The worker drops the parts of it that came before.
    const cancel = { ...request, kind: "cancel" } as const;
    if (hasParts)
      post(worker, { kind: "frame", connection, frame: encodeFrame(cancel, emptyBytes) });
  };

  return {
    threadPools,
    forget,
    admit(worker, frame, connection, bytes) {
      // A copy of the header: the frame's own would keep its payload alive until the answer.
      const { kind, correlationId, from, to, endpoint, action, shard, timeoutMs } = frame;
      const request = { kind, correlationId, from, to, endpoint, action, shard, timeoutMs };
      const places = placesOf(shard);
      const asked: Unanswered = { worker, connection, request, places, frame: bytes, round: 0 };
      // A correlation id that is used again stands for the later request.
      forget(request);
      unanswered.set(request, asked);
      const pool = threadPools.of(action);
      if (pool === undefined) handOver(asked);
      else if (!pool.offer(asked)) {
        refuse(asked, frame.part !== undefined && frame.part > 0);
        options.onRejected(request, connection, pool.rejection(correlationId));
      }
    },
    hasRoom({ action, shard }) {
      const pool = threadPools.of(action);
      return pool === undefined || pool.room() >= placesOf(shard);
    },
    noteAnswer({ kind, to, endpoint, correlationId }) {
      if (kind === "response" || kind === "error") forget({ from: to, endpoint, correlationId });
    },
    failRequests(worker, reason, suspectsUpTo = -1) {
      for (const { worker: asked, connection, request, frame, round } of unanswered.values()) {
        if (asked !== worker) continue;
        const wasHandedOver = frame === undefined;
        forget(request);
        const isSuspect = wasHandedOver && round <= suspectsUpTo;
        options.onUnanswered(request, connection, { reason, isSuspect });
      }
    },
    closed(connection) {
      for (const asked of unanswered.values())
        if (asked.connection === connection) forget(asked.request);
    },
  };
}

function placesOf(shard: string): number {
  return isSeveralShards(shard) ? shardsNamed(shard).length : 1;
}
