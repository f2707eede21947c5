/**
 * The node's shard workers: started when the first shard arrives, fed with slices of each applied cluster state, its settings
 * over those of the node, and reported dead with all their copies when they exit.
 */
import {
  copiesOn,
  encodeSliceChange,
  encodeState,
  indicesOn,
  repositoriesOf,
  sliceState,
  withNodeSettings,
  type ClusterState,
  type Settings,
} from "@orrery/cluster-state";
import {
  createRequestTable,
  decodeFrame,
  encodeFrame,
  workerFor,
  type Frame,
  type FrameHeader,
  type Host,
  type RequestName,
  type ShardWorkerChannel,
  type WorkerMessage,
} from "@orrery/ports";
import { defined, emptyBytes, formatDuration, type NodeId, type Problem } from "@orrery/stdx";
import { createThreadPools, type ThreadPools } from "./thread-pools.ts";
import { createWatchdog } from "./watchdog.ts";

export interface ShardPoolOptions {
  readonly host: Host;
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly settings: Settings;
  readonly processors: number;
  /** A worker that takes no turn for so long is stuck, and replaced; 0 or less: never. */
  readonly stallTimeoutMs: number;
  /** A frame a worker wants sent to a node, or back on a connection. */
  readonly onSend: (worker: number, message: WorkerMessage & { readonly kind: "send" }) => void;
  readonly onAnswer: (connection: number, bytes: Uint8Array, frame: Frame) => void;
  /** The worker that had this request ended without an answer to it, or will. */
  readonly onUnanswered: (request: FrameHeader, connection: number, why: Unanswerable) => void;
  /** There are too many of its kind already. */
  readonly onRejected: (request: FrameHeader, connection: number, problem: Problem) => void;
  /** Every worker, if there is one, has made its copies agree with this state. */
  readonly onApplied: (state: ClusterState) => void;
  /** The worker ended unasked; these copies went with it. */
  readonly onDeath: (lost: readonly LostCopy[], reason: string) => void;
}

export interface Unanswerable {
  readonly reason: string;
  /** The worker may have been stuck in this very request: another one would be, too. */
  readonly isSuspect: boolean;
}

export interface LostCopy {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
}

export interface ShardPool {
  apply(state: ClusterState): void;
  /** A frame for the worker of the shard it names. False once the node stops. */
  deliver(frame: FrameHeader, connection: number, bytes: Uint8Array): boolean;
  deliverTo(worker: number, connection: number, frame: Uint8Array): void;
  disconnected(nodeId: NodeId, reason: string): void;
  closed(connection: number, reason: string): void;
  refused(worker: number, correlationId: number, reason: string): void;
  readonly threadPools: Pick<ThreadPools<unknown>, "counts">;
  /** Ends when every worker has closed its shards. */
  stop(): Promise<void>;
}

export function createShardPool(options: ShardPoolOptions): ShardPool {
  const { host, nodeId } = options;
  const channels = new Map<number, ShardWorkerChannel>();
  const stopping = new Map<number, () => void>();
  const unanswered = createRequestTable<Unanswered>();
  /** How often each was. */
  const started = new Map<number, number>();
  let applied: ClusterState | undefined;
  /** The slice that workers were sent last; each change is one of it. */
  let sent: { readonly key: SliceKey; readonly slice: ClusterState } | undefined;
  /** Workers that have got it: one that is new gets the next slice whole. */
  const following = new Set<number>();
  /** Workers that have not applied it yet. */
  const waitingFor = new Set<number>();
  let isStopped = false;
  const watchdog = createWatchdog(host.clock, options.stallTimeoutMs);
  /** Workers that are being ended because they were stuck, and how that is told. */
  const stuck = new Map<number, string>();

  const post = (worker: number, message: WorkerMessage): void =>
    channels.get(worker)?.post(message);

  const handOver = (asked: Unanswered): void => {
    const { worker, connection, frame } = asked;
    // From here on it is the worker's to keep.
    asked.frame = undefined;
    asked.look = watchdog.look;
    if (frame !== undefined) post(worker, { kind: "frame", connection, frame });
  };

  const threadPools = createThreadPools<Unanswered>({
    nodeName: options.nodeName,
    processors: options.processors,
    settings: options.settings,
    start: handOver,
  });

  const receive = (worker: number, message: WorkerMessage): void => {
    switch (message.kind) {
      case "send":
        options.onSend(worker, message);
        break;
      case "frame": {
        const frame = decodeFrame(message.frame);
        noteAnswer(frame);
        options.onAnswer(message.connection, message.frame, frame);
        break;
      }
      case "log":
        host.log(message.level, message.message);
        break;
      case "trace":
        host.trace(message.event);
        break;
      case "applied":
        if (message.version === sent?.slice.version) waitingFor.delete(worker);
        if (applied !== undefined && waitingFor.size === 0) options.onApplied(applied);
        break;
      case "stopped":
        stopping.get(worker)?.();
        break;
      default:
        break;
    }
  };

  /** Named as the request was: answers go to whom it came from. */
  const noteAnswer = ({ kind, to, endpoint, correlationId }: Frame): void => {
    if (kind === "response" || kind === "error") forget({ from: to, endpoint, correlationId });
  };

  /** Nothing of it is expected any more: another takes its place. */
  const forget = (request: RequestName): void => {
    const asked = unanswered.delete(request);
    if (asked !== undefined) threadPools.of(asked.request.action)?.end(asked);
  };

  /** Hands a request over to its worker, now or when its turn comes, or refuses it. */
  const admit = (worker: number, asked: Unanswered, hasParts: boolean): void => {
    const { request, connection } = asked;
    // A number that comes twice stands for the later request.
    forget(request);
    unanswered.set(request, asked);
    const pool = threadPools.of(request.action);
    if (pool === undefined) handOver(asked);
    else if (!pool.offer(asked)) {
      unanswered.delete(request);
      // Parts of it that came before are the worker's to drop.
      const cancel = { ...request, kind: "cancel" } as const;
      if (hasParts)
        post(worker, { kind: "frame", connection, frame: encodeFrame(cancel, emptyBytes) });
      options.onRejected(request, connection, pool.rejection(request.correlationId));
    }
  };

  /** Requests that came up to this look of the watchdog are suspects; default: none is. */
  const giveUp = (worker: number, reason: string, suspectsUpTo = -1): void => {
    for (const { worker: asked, connection, request, frame, look } of unanswered.values()) {
      if (asked !== worker) continue;
      const wasHandedOver = frame === undefined;
      forget(request);
      const isSuspect = wasHandedOver && look <= suspectsUpTo;
      options.onUnanswered(request, connection, { reason, isSuspect });
    }
  };

  /** Its successor starts when it has ended: two would write to the same files. */
  const endStuck = (worker: number, lastSeen: number): void => {
    const reason = `took no turn for [${formatDuration(options.stallTimeoutMs)}]`;
    host.log("error", `shard worker [${worker}] ${reason}: it is replaced`);
    stuck.set(worker, reason);
    giveUp(worker, reason, lastSeen);
    channels.get(worker)?.terminate();
  };

  const died = (worker: number, exitReason: string): void => {
    const reason = stuck.get(worker) ?? exitReason;
    stuck.delete(worker);
    watchdog.forget(worker);
    channels.delete(worker);
    following.delete(worker);
    waitingFor.delete(worker);
    stopping.get(worker)?.();
    if (isStopped || reason === "") return;
    giveUp(worker, reason);
    host.log("error", `shard worker [${worker}] ended: ${reason}`);
    const copies = applied === undefined ? [] : copiesOn(applied, nodeId);
    options.onDeath(
      copies.flatMap((copy) => {
        const uuid = applied?.metadata.indices.get(copy.index)?.uuid;
        if (uuid === undefined || copy.allocationId === undefined) return [];
        if (workerFor(`${uuid}/${copy.shard}`, host.workers.count) !== worker) return [];
        return [
          {
            index: copy.index,
            indexUuid: uuid,
            shard: copy.shard,
            allocationId: copy.allocationId,
          },
        ];
      }),
      reason,
    );
    host.clock.setTimer(RESTART_AFTER_MS, () => {
      if (applied !== undefined && !isStopped && !channels.has(worker)) apply(applied);
    });
  };

  const start = (worker: number): void => {
    const channel = host.workers.start(worker, {
      onMessage: (message) => receive(worker, message),
      onExit: (reason) => died(worker, reason),
    });
    channels.set(worker, channel);
    const { beats } = channel;
    if (beats !== undefined)
      watchdog.watch(worker, { beats, onStuck: (lastSeen) => endStuck(worker, lastSeen) });
    const starts = started.get(worker) ?? 0;
    started.set(worker, starts + 1);
    const settings = {
      nodeId,
      lastCorrelationId: starts * REQUESTS_A_LIFE,
      nodeName: options.nodeName,
      workerCount: host.workers.count,
      settings: options.settings,
    };
    channel.post({ kind: "start", worker, settings: JSON.stringify(settings) });
  };

  const apply = (state: ClusterState): void => {
    applied = state;
    if (isStopped) return;
    const names = indicesOn(state, nodeId);
    if (names.size === 0 && channels.size === 0) {
      options.onApplied(state);
      return;
    }
    const key = sliceKey(state, names);
    const isComplete = channels.size === host.workers.count;
    if (isComplete && sent !== undefined && isSameSlice(sent.key, key)) {
      if (waitingFor.size === 0) options.onApplied(state);
      return;
    }
    for (let worker = 1; worker <= host.workers.count; worker += 1) {
      if (!channels.has(worker)) start(worker);
    }
    const before = sent?.slice;
    const slice = sliceState(withNodeSettings(state, options.settings), names);
    sent = { key, slice };
    const whole = once(() => encodeState(slice));
    const change = once(() => encodeSliceChange(defined(before, "a slice before"), slice));
    for (const worker of channels.keys()) {
      waitingFor.add(worker);
      if (following.has(worker)) post(worker, { kind: "state-change", change: change() });
      else post(worker, { kind: "state", slice: whole() });
      following.add(worker);
    }
  };

  return {
    apply,
    deliver: (frame, connection, bytes) => {
      if (isStopped) return false;
      const worker = workerFor(frame.shard, host.workers.count);
      // What a stopped copy left on disk is asked for before the first shard is assigned here.
      if (!channels.has(worker)) start(worker);
      if (frame.kind === "request") {
        // Not the frame's own header: its payload would be held for as long as the worker is at it.
        const { kind, correlationId, from, to, endpoint, action, shard, timeoutMs } = frame;
        const request = { kind, correlationId, from, to, endpoint, action, shard, timeoutMs };
        const hasParts = frame.part !== undefined && frame.part > 0;
        admit(worker, { worker, connection, request, frame: bytes, look: 0 }, hasParts);
        return true;
      }
      if (frame.kind === "cancel") forget(frame);
      post(worker, { kind: "frame", connection, frame: bytes });
      return true;
    },
    deliverTo: (worker, connection, frame) => post(worker, { kind: "frame", connection, frame }),
    // What that node has asked for came on a connection of its own, and is answered on it.
    disconnected: (lostNode, reason) => {
      for (const worker of channels.keys())
        post(worker, { kind: "disconnected", nodeId: lostNode, reason });
    },
    closed: (connection, reason) => {
      for (const asked of unanswered.values())
        if (asked.connection === connection) forget(asked.request);
      for (const worker of channels.keys()) post(worker, { kind: "closed", connection, reason });
    },
    refused: (worker, correlationId, reason) =>
      post(worker, { kind: "refused", correlationId, reason }),
    threadPools,
    stop: async () => {
      isStopped = true;
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
    },
  };
}

/**
 * As a rule a new state comes before, which no longer has the copies that went with the worker. When word of them was lost, the worker that
 * takes its place finds that they are not there, and tells of them until it is heard.
 */
const RESTART_AFTER_MS = 1000;

/** A worker that takes another's place numbers its requests above those: answers to the dead one's are still on their way. */
const REQUESTS_A_LIFE = 2 ** 32;

/** A request that its worker has not answered yet. */
interface Unanswered {
  readonly worker: number;
  readonly connection: number;
  readonly request: FrameHeader;
  /** Until it is handed over. */
  frame: Uint8Array | undefined;
  /** Of the watchdog, when it was handed over. */
  look: number;
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The parts of a state that a slice is made of: equal by identity means an equal slice. */
type SliceKey = readonly unknown[];

function sliceKey(state: ClusterState, names: ReadonlySet<string>): SliceKey {
  const parts: unknown[] = [
    state.nodes,
    state.managerNodeId,
    state.term,
    state.metadata.persistentSettings,
  ];
  parts.push(state.metadata.transientSettings, state.blocks.global);
  // Their generations are no shard's business, and change with every snapshot.
  for (const [name, { type, settings }] of repositoriesOf(state)) parts.push(name, type, settings);
  for (const name of names) {
    parts.push(
      state.metadata.indices.get(name),
      state.routingTable.get(name),
      state.blocks.indices.get(name),
    );
  }
  return parts;
}

function isSameSlice(a: SliceKey, b: SliceKey): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}
