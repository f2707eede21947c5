/**
 * The entry point of a shard worker: the node's messages in, frames out. Messages are handled one after the other in
 * the order in which they came; work that they start continues beside later ones.
 */
import {
  applySliceChange,
  decodeState,
  type ClusterState,
  type Settings,
  scriptSettingsOf,
} from "@orrery/cluster-state";
import {
  createEndpoint,
  createTracer,
  decodeFrame,
  guardedHandler,
  rareLog,
  tracedHandler,
  type Handler,
  type HandlerContext,
  type Log,
  type Span,
  type Tracer,
  type Work,
  type WorkerHost,
  type WorkerMessage,
} from "@orrery/ports";
import { actionOfEach, actionRows } from "@orrery/protocol";
import { ScriptCompiler, SharedMemory, DEFAULT_SCRIPT_SETTINGS } from "@orrery/query";
import { createNodeRepositories } from "@orrery/repository";
import {
  createRandom,
  defined,
  newUuid,
  parseDuration,
  stackOf,
  wordsOf,
  type NodeId,
} from "@orrery/stdx";
import type { WorkerContext } from "./context.ts";
import { closeCopy } from "./copy/create-copy.ts";
import { closeBatch } from "./engine/operations.ts";
import { flush } from "./engine/flush.ts";
import { addHandlers } from "./handlers.ts";
import { coreShards, partsOf, programDifference, type ShardProduct } from "./product.ts";
import { reconcile } from "./reconcile.ts";
import { createSearchContexts } from "./search/contexts.ts";
import { createWorkerRepositories } from "./snapshot/repositories.ts";
import { createSlots } from "./snapshot/slots.ts";

/** Shards that are written to repositories at a time. */
const SHARDS_AT_A_TIME = 5;

/** The JSON of the message `start`. */
interface StartSettings {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly workerCount: number;
  readonly lastCorrelationId?: number;
  readonly settings: Settings;
  /** The node's parts beside the core, where the worker's program is configured apart from the node's. */
  readonly parts?: readonly string[];
  /** Seed of the ids of spans; absent when the node traces no requests. */
  readonly spanSeed?: string;
}

interface StateWaiter {
  /** Unique in this worker. */
  readonly number: number;
  readonly reached: (state: ClusterState) => boolean;
  readonly resolve: (state: ClusterState | undefined) => void;
}

/** A started shard worker. Its only member is for the search for leaks. */
export interface ShardWorker {
  /** Requests, permits and waits that have begun and not ended. */
  work(): readonly Work[];
}

interface Parts {
  readonly waiters: Set<StateWaiter>;
  readonly product: ShardProduct;
}

/** Starts to handle the node's messages. A worker whose program differs from the node's only answers `unfit`. */
export function startShardWorker(
  host: WorkerHost,
  product: ShardProduct = coreShards,
): ShardWorker {
  let worker: WorkerContext | undefined;
  const waiters = new Set<StateWaiter>();
  host.onMessage((message) => {
    if (message.kind === "start") {
      const start = JSON.parse(message.settings) as StartSettings;
      const reason = start.parts && programDifference(start.parts, partsOf(product, host.blobs));
      if (reason !== undefined) {
        host.post({ kind: "unfit", reason });
        return;
      }
      worker = createWorker(host, message.worker, start, { waiters, product });
      addHandlers(worker);
      return;
    }
    if (worker === undefined || worker.isStopped) return;
    receive(host, worker, waiters, message);
  });
  return { work: () => (worker === undefined ? [] : workOf(worker, waiters)) };
}

function workOf(
  { endpoint, copies }: WorkerContext,
  waiters: ReadonlySet<StateWaiter>,
): readonly Work[] {
  const ofCopies = [...copies.values()].flatMap(({ index, shard, allocationId, permits }) =>
    permits.work().map(({ kind, name }) => ({
      kind,
      name: `${name} of [${index}][${shard}] [${allocationId}]`,
    })),
  );
  const states = [...waiters].map(({ number }) => ({ kind: "state" as const, name: `${number}` }));
  return [...endpoint.work(), ...states, ...ofCopies];
}

function createWorker(
  host: WorkerHost,
  number: number,
  start: StartSettings,
  { waiters, product }: Parts,
): WorkerContext {
  const { clock } = host;
  const random = host.random(`shard-worker-${number}`);
  const log: Log = (level, message) => host.post({ kind: "log", level, message });
  const tellUnforeseen = rareLog(log, clock, { level: "error", isStack: true });
  const guards = product.plugins.flatMap((plugin) => plugin.guards ?? []);
  const indicesOf = ({ shard }: HandlerContext): readonly string[] => {
    const copy = worker.copies.get(shard);
    return copy === undefined ? [] : [copy.index];
  };
  const tracer = tracerOf(host, start);
  const attributesOf = (context: HandlerContext): Span["attributes"] => {
    const [index] = indicesOf(context);
    return {
      node_id: start.nodeId,
      ...(index === undefined ? {} : { index, shard_id: context.shard.split("/")[1] ?? "" }),
    };
  };
  const traced = (action: string, handler: Handler): Handler =>
    tracer === undefined ? handler : tracedHandler(tracer, action, attributesOf, handler);
  const guard = (action: string, handler: Handler): Handler =>
    traced(
      action,
      guardedHandler(guards, { action, permission: permissionOf(action), indicesOf }, handler),
    );
  const endpoint = createEndpoint({
    localNodeId: start.nodeId,
    endpoint: number,
    lastCorrelationId: start.lastCorrelationId ?? 0,
    clock,
    post: (to, channel, frame) => {
      host.post({ kind: "send", to, channel, frame });
      return "sent";
    },
    answer: (reply, frame) => host.post({ kind: "frame", connection: reply, frame }),
    // Requests for several shards are guarded part by part.
    guard: (action, handler) =>
      actionOfEach.has(action) ? traced(action, handler) : guard(action, handler),
    tracer,
    onUnread: (request) => worker.contexts.freeUnread(request),
    onUnforeseen: ({ action, from }, thrown) =>
      tellUnforeseen(`failed to answer [${action}] from [${from}]: ${stackOf(thrown)}`),
  });
  const worker: WorkerContext = {
    nodeId: start.nodeId,
    nodeName: start.nodeName,
    worker: number,
    workerCount: start.workerCount,
    clock,
    disk: host.disk,
    random,
    endpoint,
    copies: new Map(),
    indices: new Map(),
    contexts: createSearchContexts({
      clock,
      session: newUuid(random),
      intervalMs: reaperIntervalMs(start.settings),
      state: () => worker.state,
    }),
    memory: new SharedMemory(),
    plugins: product.plugins,
    language: product.language,
    scripts: new ScriptCompiler({
      engines: product.language.scriptEngines,
      settings: () =>
        worker.state === undefined ? DEFAULT_SCRIPT_SETTINGS : scriptSettingsOf(worker.state),
      nowMs: () => clock.monotonicMs(),
    }),
    mappingProposals: new Map(),
    segmentParts: product.segmentParts,
    repositories: createWorkerRepositories(
      clock,
      createNodeRepositories({
        types: product.repositoryTypes,
        settings: start.settings,
        world: {
          blobs: host.blobs,
          transport: endpoint,
          nodes: () => worker.state?.nodes.values() ?? [],
        },
      }),
    ),
    snapshotSlots: createSlots(SHARDS_AT_A_TIME),
    snapshots: new Map(),
    failed: new Map(),
    lastRecoveryId: 0,
    lastStateWaiter: 0,
    isStopped: false,
    state: undefined,
    guard,
    log,
    tellUnforeseen,
    trace: (event) => host.post({ kind: "trace", event }),
    stateWhen: (reached, timeoutMs) => stateWhen(worker, waiters, reached, timeoutMs),
  };
  return worker;
}

/** The node decides which traces there are, and takes the spans. */
function tracerOf(host: WorkerHost, { spanSeed }: StartSettings): Tracer | undefined {
  if (spanSeed === undefined) return undefined;
  const sink = {
    isEnabled: true,
    isSampled: () => false,
    record: (span: Span) => host.post({ kind: "span", span }),
  };
  return createTracer(sink, host.clock, createRandom(spanSeed));
}

function permissionOf(action: string): string {
  return actionRows.get(action)?.permission ?? action;
}

/** `search.keep_alive_interval` of the node, which is fixed while the node runs. */
function reaperIntervalMs(settings: Settings): number {
  const given = settings["search.keep_alive_interval"];
  return (typeof given === "string" ? parseDuration(given) : undefined) ?? 60_000;
}

function stateWhen(
  worker: WorkerContext,
  waiters: Set<StateWaiter>,
  reached: (state: ClusterState) => boolean,
  timeoutMs: number | undefined,
): Promise<ClusterState | undefined> {
  if (worker.state !== undefined && reached(worker.state)) return Promise.resolve(worker.state);
  if (worker.isStopped) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let cancelTimer = (): void => undefined;
    worker.lastStateWaiter += 1;
    const waiter: StateWaiter = {
      number: worker.lastStateWaiter,
      reached,
      resolve: (state) => {
        waiters.delete(waiter);
        cancelTimer();
        resolve(state);
      },
    };
    waiters.add(waiter);
    if (timeoutMs !== undefined) {
      cancelTimer = worker.clock.setTimer(timeoutMs, () => waiter.resolve(undefined));
    }
  });
}

function receive(
  host: WorkerHost,
  worker: WorkerContext,
  waiters: Set<StateWaiter>,
  message: WorkerMessage,
): void {
  switch (message.kind) {
    case "frame":
      worker.endpoint.receive(decodeFrame(message.frame), message.connection);
      break;
    case "disconnected":
      worker.endpoint.disconnected(message.nodeId as NodeId, message.reason);
      break;
    case "closed":
      worker.endpoint.closed(message.connection, message.reason);
      break;
    case "refused":
      worker.endpoint.refused(message.correlationId, message.reason);
      break;
    case "state":
      apply(host, worker, waiters, decodeState(message.slice));
      break;
    case "state-change": {
      const before = defined(worker.state, "the slice that a change is of");
      apply(host, worker, waiters, applySliceChange(before, message.change));
      break;
    }
    case "stop":
      void stop(host, worker, waiters);
      break;
    default:
      break;
  }
}

/** Applies a state, resolves the waits that it ends, and answers `applied`. */
function apply(
  host: WorkerHost,
  worker: WorkerContext,
  waiters: Set<StateWaiter>,
  state: ClusterState,
): void {
  reconcile(worker, state);
  worker.repositories.applied(state);
  for (const waiter of [...waiters]) if (waiter.reached(state)) waiter.resolve(state);
  host.post({ kind: "applied", version: state.version });
}

/** Flushes and closes all copies, then answers `stopped`. A copy that cannot be flushed has its translog. */
async function stop(
  host: WorkerHost,
  worker: WorkerContext,
  waiters: Set<StateWaiter>,
): Promise<void> {
  worker.isStopped = true;
  for (const waiter of [...waiters]) waiter.resolve(undefined);
  const copies = [...worker.copies.values()];
  await Promise.all(
    copies.map(async (copy) => {
      const { engine } = copy;
      if (engine === undefined || engine.isClosed) return;
      try {
        closeBatch(engine);
        await flush(engine, { force: false, waitIfOngoing: true });
      } catch (error) {
        worker.log(
          "warn",
          `[${copy.index}][${copy.shard}] could not be flushed: ${wordsOf(error)}`,
        );
      }
    }),
  );
  for (const copy of copies) closeCopy(copy, "node is stopping");
  host.post({ kind: "stopped" });
}
