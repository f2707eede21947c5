/** A coordinating node without a cluster: a state the test sets, and shard copies that are functions. */
import { composeProcessors, coreProcessors, PipelineTable } from "@orrery/ingest";
import {
  coreRules,
  applyTask,
  completeIndexSettings,
  initialState,
  type AliasMetadata,
  type ClusterState,
  type DiscoveryNode,
  type SettingsChange,
  type ShardRouting,
  type Task,
} from "@orrery/cluster-state";
import { ownWork, shardsNamed, type RequestOptions } from "@orrery/ports";
import {
  actionOfEach,
  CanMatchResponse,
  actions,
  FetchPhaseRequest,
  FetchPhaseRequests,
  ShardResults,
  ShardSearchRequest,
  ShardSearchRequests,
  wireProblem,
} from "@orrery/protocol";
import { createEventQueue } from "@orrery/simulator";
import { coreLanguage, DEFAULT_SCRIPT_SETTINGS, ScriptCompiler } from "@orrery/query";
import {
  createRandom,
  OperationError,
  type AllocationId,
  type IndexUuid,
  type JsonObject,
  type NodeId,
  type Problem,
} from "@orrery/stdx";
import { createCoordinator, type Coordinator } from "../src/coordinator.ts";
import { CoordinatorRequests } from "../src/coordinator-requests.ts";
import type { CoordinatorDeps } from "../src/deps.ts";

export interface Asked {
  readonly to: NodeId;
  readonly action: string;
  readonly payload: Uint8Array;
  readonly options: RequestOptions;
}

export type Answer = (asked: Asked) => Uint8Array | Promise<Uint8Array>;

export interface TestCluster {
  readonly node: Coordinator;
  /** Its operations, as the node's own work. */
  readonly coordinator: CoordinatorRequests;
  readonly deps: CoordinatorDeps;
  /** In the order they were asked: of requests for several shards, each part as the request for that shard. */
  readonly asked: Asked[];
  /** The same as they went. */
  readonly sent: Asked[];
  readonly submitted: Task[];
  state(): ClusterState;
  setState(next: ClusterState): void;
  /** What the promise ends with, as a value. */
  outcome<T>(promise: Promise<T>): Promise<T | Error>;
  /** At this virtual time, counted from now. */
  after(ms: number, action: () => void): void;
  readonly nowMs: number;
}

export interface ClusterOptions {
  readonly state: ClusterState;
  readonly answer: Answer;
  /** What the elected cluster manager does with a task; applies it by default. */
  readonly submit?: (task: Task, cluster: TestCluster) => Promise<void>;
}

export const local = "node-1" as NodeId;

export function createRequests(deps: CoordinatorDeps): Pick<TestCluster, "node" | "coordinator"> {
  const node = createCoordinator({
    ...deps,
    submit: (_context, task, options) => deps.submit(task, options),
  });
  return { node, coordinator: new CoordinatorRequests(node.depsUnder(ownWork), node.shared) };
}

export function createTestCluster({ state: first, answer, submit }: ClusterOptions): TestCluster {
  const queue = createEventQueue(createRandom("order"));
  const asked: Asked[] = [];
  const sent: Asked[] = [];
  const submitted: Task[] = [];
  const waiters = new Set<(state: ClusterState) => void>();
  let state = first;
  const deps: CoordinatorDeps = {
    language: coreLanguage,
    scripts: new ScriptCompiler({
      engines: coreLanguage.scriptEngines,
      settings: () => DEFAULT_SCRIPT_SETTINGS,
      nowMs: () => 0,
    }),
    pipelines: new PipelineTable(composeProcessors(coreProcessors)),
    context: ownWork,
    transport: {
      localNodeId: local,
      request: async (to, action, payload, options = {}) => {
        const one = { to, action, payload, options };
        sent.push(one);
        const parts = partsOf(one);
        const isFiltered = isPreFiltered(one);
        if (!isFiltered) asked.push(...parts);
        await new Promise<void>((resolve) => {
          queue.schedule(1, resolve);
        });
        if (isFiltered) return await answerMatching(parts, answer, asked);
        return actionOfEach.has(action) ? answerSeveral(parts, answer) : answer(one);
      },
      send: () => undefined,
      handle: () => undefined,
      handleOneWay: () => undefined,
    },
    clock: {
      nowMs: () => Date.UTC(2026, 1, 3) + Math.floor(queue.nowMs),
      monotonicMs: () => queue.nowMs,
      setTimer: (delayMs, callback) => queue.schedule(delayMs, callback),
    },
    random: createRandom("coordinator"),
    state: () => state,
    stateWhen: (reached, timeoutMs) =>
      new Promise((resolve) => {
        if (reached(state)) {
          resolve({ state, timedOut: false });
          return;
        }
        const cancel = queue.schedule(timeoutMs, () => {
          waiters.delete(look);
          resolve({ state, timedOut: true });
        });
        const look = (next: ClusterState): void => {
          if (!reached(next)) return;
          waiters.delete(look);
          cancel();
          resolve({ state: next, timedOut: false });
        };
        waiters.add(look);
      }),
    submit: async (task) => {
      submitted.push(task);
      if (submit !== undefined) await submit(task, cluster);
      else cluster.setState(after(state, task));
      return { acknowledged: true };
    },
  };
  const cluster: TestCluster = {
    ...createRequests(deps),
    deps,
    asked,
    sent,
    submitted,
    state: () => state,
    setState(next) {
      state = { ...next, version: state.version + 1 };
      for (const look of [...waiters]) look(state);
    },
    async outcome(promise) {
      let isOver = false;
      const ended = promise
        .catch((error: unknown) => error as Error)
        .finally(() => {
          isOver = true;
        });
      await queue.run(queue.nowMs + 600_000, () => isOver);
      if (!isOver) throw new Error("did not end within 600 s of virtual time");
      return ended;
    },
    after: (ms, action) => void queue.schedule(ms, action),
    get nowMs() {
      return queue.nowMs;
    },
  };
  return cluster;
}

/** The parts by shard of the requests sent; a request for one shard is its only part. */
function partsOf(asked: Asked): readonly Asked[] {
  const { payload, options } = asked;
  const action = actionOfEach.get(asked.action);
  if (action === undefined) return [asked];
  const shards = shardsNamed(options.shard ?? "");
  const payloads = action === actions.fetchPhase ? fetchesOf(payload) : searchesOf(payload);
  return payloads.map((part, i) => ({
    ...asked,
    action,
    payload: part,
    options: { ...options, shard: shards[i] ?? "" },
  }));
}

function isPreFiltered({ action, payload }: Asked): boolean {
  return action === actions.queryShards && ShardSearchRequests.decode(payload).preFilter;
}

/** Asks each shard whether it can match, then queries those that can. */
async function answerMatching(
  parts: readonly Asked[],
  answer: Answer,
  asked: Asked[],
): Promise<Uint8Array> {
  const matches: boolean[] = [];
  for (const part of parts) {
    const look = { ...part, action: actions.canMatch };
    asked.push(look);
    matches.push(CanMatchResponse.decode(await answer(look)).matches);
  }
  const kept = parts.filter((_, i) => matches[i]);
  asked.push(...kept);
  const { results } = ShardResults.decode(await answerSeveral(kept, answer));
  return ShardResults.encode({
    results: parts.map((part) => {
      const at = kept.indexOf(part);
      return at < 0 ? { skipped: true } : (results[at] ?? {});
    }),
  }).finish();
}

function searchesOf(payload: Uint8Array): readonly Uint8Array[] {
  const { shared, parts } = ShardSearchRequests.decode(payload);
  return parts.map((part) => ShardSearchRequest.encode({ ...shared, ...part }).finish());
}

function fetchesOf(payload: Uint8Array): readonly Uint8Array[] {
  const { body, nowMs, parts } = FetchPhaseRequests.decode(payload);
  return parts.map((part) => FetchPhaseRequest.encode({ body, nowMs, ...part }).finish());
}

async function answerSeveral(parts: readonly Asked[], answer: Answer): Promise<Uint8Array> {
  const results = parts.map(async (part) => {
    try {
      return { answer: await answer(part) };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return { problem: wireProblem(error.problem) };
    }
  });
  return ShardResults.encode({ results: await Promise.all(results) }).finish();
}

export function after(state: ClusterState, task: Task): ClusterState {
  const outcome = applyTask(state, task, coreRules);
  if (outcome.kind === "rejected") throw new OperationError(outcome.error);
  return outcome.kind === "updated" ? outcome.state : state;
}

/** A recovered cluster of so many nodes; the first one is elected. */
export function clusterOf(nodes: number): ClusterState {
  const [first, ...others] = Array.from({ length: nodes }, (_, i) => discoveryNode(i + 1));
  if (first === undefined) throw new Error("a cluster has a node");
  let state = after(initialState("orrery"), {
    kind: "become-cluster-manager",
    node: first,
    joined: [],
    clusterUuid: "cluster-uuid",
  });
  for (const node of others) state = after(state, { kind: "node-join", node });
  return after(state, { kind: "recover-state", nowMs: 1 });
}

function discoveryNode(number: number): DiscoveryNode {
  return {
    id: nodeId(number),
    name: `node-${number}`,
    ephemeralId: `ephemeral-${number}`,
    hostName: "127.0.0.1",
    hostAddress: "127.0.0.1",
    transportAddress: `127.0.0.1:${9299 + number}`,
    httpAddress: undefined,
    roles: ["cluster_manager", "data"],
    attributes: {},
    version: "3.8.0",
  };
}

export const nodeId = (number: number): NodeId => `node-${number}` as NodeId;

export interface IndexOptions {
  readonly settings?: SettingsChange;
  readonly mapping?: JsonObject;
  readonly aliases?: Readonly<Record<string, AliasMetadata>>;
  /** By shard number, the nodes of its copies, the primary first; started on node 1 when not given. */
  readonly copies?: readonly (readonly (number | undefined)[])[];
}

export function withIndex(
  state: ClusterState,
  name: string,
  { settings = {}, mapping = {}, aliases = {}, copies = [[1]] }: IndexOptions = {},
): ClusterState {
  const uuid = `${name}-uuid` as IndexUuid;
  const index = { name, uuid, creationDateMs: 1000 };
  const requested = {
    "index.number_of_shards": String(copies.length),
    "index.number_of_replicas": String(Math.max(...copies.map((nodes) => nodes.length)) - 1),
    ...settings,
  };
  const created = after(state, {
    kind: "create-index",
    ...index,
    settings: completeIndexSettings(state, { ...index, requested }),
    mapping,
    aliases,
  });
  return place(created, name, copies);
}

/** Puts copies where they are said to be; `undefined` is a copy without a node. */
export function place(
  state: ClusterState,
  index: string,
  copies: readonly (readonly (number | undefined)[])[],
): ClusterState {
  const uuid = `${index}-uuid` as IndexUuid;
  const shards = copies.map((nodes, shard) =>
    nodes.map((node, copy): ShardRouting => ({
      index,
      shard,
      primary: copy === 0,
      state: node === undefined ? "UNASSIGNED" : "STARTED",
      nodeId: node === undefined ? undefined : nodeId(node),
      relocatingNodeId: undefined,
      allocationId:
        node === undefined ? undefined : (`${index}-${shard}-on-${node}` as AllocationId),
      relocationId: undefined,
      recoverySource: undefined,
      unassignedInfo: undefined,
    })),
  );
  const routingTable = new Map(state.routingTable).set(index, { index, uuid, shards });
  return { ...state, routingTable };
}

export function problemOf(outcome: unknown): Problem {
  if (!(outcome instanceof OperationError))
    throw new Error(`no problem: ${JSON.stringify(outcome)}`);
  return outcome.problem;
}

export function lost(): OperationError {
  const problem = { type: "node_disconnected_exception", reason: "lost", status: 500 };
  return new OperationError({ ...problem, isRetryable: true });
}
