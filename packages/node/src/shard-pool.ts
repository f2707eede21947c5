/**
 * The shard workers of a node: started when the first shard is assigned, fed with slices of each applied cluster
 * state, and replaced when they end; copies of an ended worker are reported as failed.
 */
import { copiesOn, type ClusterState, type Settings } from "@orrery/cluster-state";
import {
  decodeFrame,
  isSeveralShards,
  shardsNamed,
  workerFor,
  type Frame,
  type FrameHeader,
  type Host,
  type ShardWorkerChannel,
  type Tracer,
  type WorkerMessage,
} from "@orrery/ports";
import { formatDuration, type NodeId, type Problem } from "@orrery/stdx";
import { createStateFeed } from "./state-feed.ts";
import type { ThreadPools } from "./thread-pools.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";
import { createWorkerRequests, type Unanswerable, type WorkerRequests } from "./worker-requests.ts";

/** The parts of a node that the pool uses, and its events. */
export interface ShardPoolOptions {
  readonly host: Host;
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly settings: Settings;
  readonly processors: number;
  /** Absent on a node that traces no requests. */
  readonly tracer?: Tracer | undefined;
  /** Parts of the node's product and its openers beside the core (`partsOf`). */
  readonly parts: readonly string[];
  /** Time without a turn after which a worker is stuck and replaced; 0 or less: never. */
  readonly stallTimeoutMs: number;
  /** A frame of a worker for a node. */
  readonly onSend: (worker: number, message: WorkerMessage & { readonly kind: "send" }) => void;
  /** A frame of a worker for the requester on a connection. */
  readonly onAnswer: (connection: number, bytes: Uint8Array, frame: Frame) => void;
  /** The worker of this request has ended, or is being ended, without an answer. */
  readonly onUnanswered: (request: FrameHeader, connection: number, why: Unanswerable) => void;
  /** The thread pool has no room for this request. */
  readonly onRejected: (request: FrameHeader, connection: number, problem: Problem) => void;
  /** Every worker, if there is one, has made its copies agree with this state. */
  readonly onApplied: (state: ClusterState) => void;
  /** A worker has ended otherwise than by `stop`; these copies were lost with it. */
  readonly onDeath: (lost: readonly LostCopy[], reason: string) => void;
}

/** A copy that the applied state assigns to this node, and whose worker has ended. */
export interface LostCopy {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
}

export interface ShardPool {
  apply(state: ClusterState): void;
  /**
   * Delivers a request to the worker of the first shard that it names, any other frame to the workers of all its shards.
   * `false`: the node stops.
   */
  deliver(frame: FrameHeader, connection: number, bytes: Uint8Array): boolean;
  /** Whether one worker has all shards of the request, and its pool room for all of them. */
  canTake(request: FrameHeader): boolean;
  /** The number of the shard's worker, from 1. */
  workerOf(shard: string): number;
  /** Delivers an answer to a request of this worker. */
  deliverTo(worker: number, connection: number, frame: Uint8Array): void;
  disconnected(nodeId: NodeId, reason: string): void;
  closed(connection: number, reason: string): void;
  refused(worker: number, correlationId: number, reason: string): void;
  readonly threadPools: Pick<ThreadPools<unknown>, "counts">;
  /** Resolves when every worker has closed its shards. */
  stop(): Promise<void>;
}

/**
 * A pool without workers. A worker starts with the first applied state that assigns a shard to this node, or with the
 * first frame for a shard.
 */
export function createShardPool(options: ShardPoolOptions): ShardPool {
  const { host, nodeId } = options;
  const channels = new Map<number, ShardWorkerChannel>();
  const post = (worker: number, message: WorkerMessage): void =>
    channels.get(worker)?.post(message);
  const watchdog = createWatchdog(host.clock, options.stallTimeoutMs);
  const requests = createWorkerRequests({ ...options, post, round: () => watchdog.round });
  const life: PoolLife = {
    ...{ options, channels, watchdog, requests },
    isStopped: false,
    started: new Map(),
    stopping: new Map(),
    ended: new Map(),
    died: (worker, reason) => died(worker, reason),
    receive: (worker, message) => receive(worker, message),
  };
  const feed = createStateFeed({
    ...{ nodeId, settings: options.settings, post, onApplied: options.onApplied },
    running: () => new Set(channels.keys()),
    count: host.workers.count,
    startMissing() {
      for (let worker = 1; worker <= host.workers.count; worker += 1)
        if (!channels.has(worker)) start(life, worker);
    },
  });

  const receive = (worker: number, message: WorkerMessage): void => {
    switch (message.kind) {
      case "send":
        options.onSend(worker, message);
        break;
      case "frame": {
        const frame = decodeFrame(message.frame);
        requests.noteAnswer(frame);
        options.onAnswer(message.connection, message.frame, frame);
        break;
      }
      case "log":
        host.log(message.level, message.message);
        break;
      case "trace":
        host.trace(message.event);
        break;
      case "span":
        options.tracer?.record(message.span);
        break;
      case "unfit":
        life.ended.set(worker, message.reason);
        channels.get(worker)?.terminate();
        break;
      case "applied":
        feed.noteApplied(worker, message.version);
        break;
      case "stopped":
        life.stopping.get(worker)?.();
        break;
      default:
        break;
    }
  };

  const died = (worker: number, exitReason: string): void => {
    const reason = life.ended.get(worker) ?? exitReason;
    life.ended.delete(worker);
    watchdog.forget(worker);
    channels.delete(worker);
    feed.forget(worker);
    life.stopping.get(worker)?.();
    if (life.isStopped || reason === "") return;
    requests.failRequests(worker, reason);
    host.log("error", `shard worker [${worker}] ended: ${reason}`);
    options.onDeath(lostCopies(options, feed.applied, worker), reason);
    host.clock.setTimer(RESTART_AFTER_MS, () => {
      if (feed.applied !== undefined && !channels.has(worker)) apply(feed.applied);
    });
  };

  const apply = (state: ClusterState): void => {
    if (!life.isStopped) feed.follow(state);
  };

  return {
    apply,
    deliver: (frame, connection, bytes) => {
      if (life.isStopped) return false;
      const [first, ...others] = workersOf(frame.shard, host.workers.count);
      if (first === undefined) return false;
      // Stores on disk are asked for before the first shard is assigned here.
      if (!channels.has(first)) start(life, first);
      if (frame.kind === "request") {
        requests.admit(first, frame, connection, bytes);
        return true;
      }
      if (frame.kind === "cancel") requests.forget(frame);
      // A worker owns the bytes that it is sent (they are transferred to its thread), so each gets its own.
      for (const worker of others)
        post(worker, { kind: "frame", connection, frame: bytes.slice() });
      post(first, { kind: "frame", connection, frame: bytes });
      return true;
    },
    canTake: (request) =>
      workersOf(request.shard, host.workers.count).length === 1 && requests.hasRoom(request),
    workerOf: (shard) => workerFor(shard, host.workers.count),
    deliverTo: (worker, connection, frame) => post(worker, { kind: "frame", connection, frame }),
    // The node's own requests are not affected: they came on connections of its own, and are answered there.
    disconnected: (lostNode, reason) => {
      for (const worker of channels.keys())
        post(worker, { kind: "disconnected", nodeId: lostNode, reason });
    },
    closed: (connection, reason) => {
      requests.closed(connection);
      for (const worker of channels.keys()) post(worker, { kind: "closed", connection, reason });
    },
    refused: (worker, correlationId, reason) =>
      post(worker, { kind: "refused", correlationId, reason }),
    threadPools: requests.threadPools,
    stop: () => stopAll(life),
  };
}

/** The workers of a pool, from the start of each to its end. */
interface PoolLife {
  readonly options: ShardPoolOptions;
  readonly channels: Map<number, ShardWorkerChannel>;
  readonly watchdog: Watchdog;
  readonly requests: WorkerRequests;
  isStopped: boolean;
  /** How often each worker was started. */
  readonly started: Map<number, number>;
  /** Workers that were asked to stop, with the function to call when they have. */
  readonly stopping: Map<number, () => void>;
  /** Workers that the pool is ending, with the reason. */
  readonly ended: Map<number, string>;
  readonly receive: (worker: number, message: WorkerMessage) => void;
  readonly died: (worker: number, reason: string) => void;
}

/** Starts a worker and the watch over it. */
function start(life: PoolLife, worker: number): void {
  const { options, channels, started, watchdog } = life;
  const { host, nodeId, nodeName } = options;
  const channel = host.workers.start(worker, {
    onMessage: (message) => life.receive(worker, message),
    onExit: (reason) => life.died(worker, reason),
  });
  channels.set(worker, channel);
  const { beats } = channel;
  if (beats !== undefined)
    watchdog.watch(worker, { beats, onStuck: (lastSeen) => endStuck(life, worker, lastSeen) });
  const starts = started.get(worker) ?? 0;
  started.set(worker, starts + 1);
  const settings = {
    nodeId,
    lastCorrelationId: starts * REQUESTS_PER_START,
    nodeName,
    workerCount: host.workers.count,
    settings: options.settings,
    parts: host.workers.isProgramNamedApart === true ? options.parts : undefined,
    spanSeed: options.tracer?.newId(16),
  };
  channel.post({ kind: "start", worker, settings: JSON.stringify(settings) });
}

/** The workers of one shard, or of several. */
function workersOf(shard: string, count: number): readonly number[] {
  if (count === 1) return [1];
  if (!isSeveralShards(shard)) return [workerFor(shard, count)];
  return [...new Set(shardsNamed(shard).map((one) => workerFor(one, count)))];
}

/** Ends a stuck worker. Its successor starts only when it has ended: two would write to the same files. */
function endStuck(life: PoolLife, worker: number, lastSeen: number): void {
  const { host, stallTimeoutMs } = life.options;
  const reason = `took no turn for [${formatDuration(stallTimeoutMs)}]`;
  host.log("error", `shard worker [${worker}] ${reason}: it is replaced`);
  life.ended.set(worker, reason);
  life.requests.failRequests(worker, reason, lastSeen);
  life.channels.get(worker)?.terminate();
}

/** The copies on this node that were the worker's. */
function lostCopies(
  { host, nodeId }: ShardPoolOptions,
  applied: ClusterState | undefined,
  worker: number,
): readonly LostCopy[] {
  if (applied === undefined) return [];
  return copiesOn(applied, nodeId).flatMap(({ index, shard, allocationId }) => {
    const indexUuid = applied.metadata.indices.get(index)?.uuid;
    if (indexUuid === undefined || allocationId === undefined) return [];
    if (workerFor(`${indexUuid}/${shard}`, host.workers.count) !== worker) return [];
    return [{ index, indexUuid, shard, allocationId }];
  });
}

async function stopAll(life: PoolLife): Promise<void> {
  const { channels, stopping, watchdog } = life;
  life.isStopped = true;
  const ends = [...channels].map(
    ([worker, channel]) =>
      new Promise<void>((resolve) => {
        stopping.set(worker, resolve);
        channel.post({ kind: "stop" });
      }),
  );
  await Promise.all(ends);
  for (const [worker, channel] of channels) {
    watchdog.forget(worker);
    channel.terminate();
  }
  channels.clear();
}

/**
 * Usually a state without the lost copies comes before. If the report was lost, the new worker finds the copies
 * missing and reports them itself.
 */
const RESTART_AFTER_MS = 1000;

/**
 * A worker that replaces another numbers its requests above those: answers to the other's may still be on their way.
 */
const REQUESTS_PER_START = 2 ** 32;
