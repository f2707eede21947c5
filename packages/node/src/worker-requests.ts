/**
 * Requests for shard workers: each waits for its place in a thread pool, is handed over, and is kept until it is answered, so that
 * requests of a worker that ends are answered by the node.
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

export interface Unanswerable {
  readonly reason: string;
  /** The worker may have been stuck in this very request: another one would be, too. */
  readonly isSuspect: boolean;
}

export interface WorkerRequestsOptions {
  readonly nodeName: string;
  readonly processors: number;
  readonly settings: Settings;
  readonly post: (worker: number, message: WorkerMessage) => void;
  /** The current look of the watchdog. */
  readonly look: () => number;
  /** The worker that had this request ended without an answer to it, or will. */
  readonly onUnanswered: (request: FrameHeader, connection: number, why: Unanswerable) => void;
  /** There are too many of its kind already. */
  readonly onRejected: (request: FrameHeader, connection: number, problem: Problem) => void;
}

export interface WorkerRequests {
  /** Hands a request over to its worker, now or when its turn comes, or refuses it. */
  admit(worker: number, frame: FrameHeader, connection: number, bytes: Uint8Array): void;
  /** Whether nothing of this request would be refused now. */
  hasRoom(frame: FrameHeader): boolean;
  /** Nothing of it is expected any more: another takes its place. */
  forget(request: RequestName): void;
  /** A worker answers; named as the request was: answers go to whom it came from. */
  noteAnswer(answer: Frame): void;
  /** Those of a worker that ends. Requests that came up to this look of the watchdog are suspects; default: none is. */
  giveUp(worker: number, reason: string, suspectsUpTo?: number): void;
  /** No answer can go back on that connection. */
  closed(connection: number): void;
  readonly threadPools: Pick<ThreadPools<unknown>, "counts">;
}

/** A request that its worker has not answered yet. */
interface Unanswered {
  readonly worker: number;
  readonly connection: number;
  readonly request: FrameHeader;
  /** How many shards it is for. */
  readonly places: number;
  /** Until it is handed over. */
  frame: Uint8Array | undefined;
  /** Of the watchdog, when it was handed over. */
  look: number;
}

export function createWorkerRequests(options: WorkerRequestsOptions): WorkerRequests {
  const { post } = options;
  const unanswered = createRequestTable<Unanswered>();

  const handOver = (asked: Unanswered): void => {
    const { worker, connection, frame } = asked;
    // From here on it is the worker's to keep.
    asked.frame = undefined;
    asked.look = options.look();
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
    // Parts of it that came before are the worker's to drop.
    const cancel = { ...request, kind: "cancel" } as const;
    if (hasParts)
      post(worker, { kind: "frame", connection, frame: encodeFrame(cancel, emptyBytes) });
  };

  return {
    threadPools,
    forget,
    admit(worker, frame, connection, bytes) {
      // Not the frame's own header: its payload would be held for as long as the worker is at it.
      const { kind, correlationId, from, to, endpoint, action, shard, timeoutMs } = frame;
      const request = { kind, correlationId, from, to, endpoint, action, shard, timeoutMs };
      const places = placesOf(shard);
      const asked: Unanswered = { worker, connection, request, places, frame: bytes, look: 0 };
      // A number that comes twice stands for the later request.
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
    giveUp(worker, reason, suspectsUpTo = -1) {
      for (const { worker: asked, connection, request, frame, look } of unanswered.values()) {
        if (asked !== worker) continue;
        const wasHandedOver = frame === undefined;
        forget(request);
        const isSuspect = wasHandedOver && look <= suspectsUpTo;
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
