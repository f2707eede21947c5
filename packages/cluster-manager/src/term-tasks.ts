/**
 * The task runner of a term with the inputs of its rounds: waiting times of delayed copies, fetched shard stores, disk
 * usages; and reroutes, at once or when the delay of a copy expires (`RerouteService`, `DelayedAllocationService`).
 */
import type { ClusterInfo } from "@orrery/allocation";
import type { ClusterState, DiscoveryNode, Rules, Task } from "@orrery/cluster-state";
import type { CancelTimer, Clock, Trace, Transport } from "@orrery/ports";
import type { AppliedTask } from "@orrery/protocol";
import { newUuid, type AllocationId, type NodeId, type Random } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { createDelays, type Delays } from "./delays.ts";
import { batchOf, priorityOf, sourceOf } from "./priorities.ts";
import { ignoreProblem } from "./problems.ts";
import type { ManagerSettings } from "./settings.ts";
import { createShardStoreCache, type ShardStoreCache } from "./shard-stores.ts";
import { createTaskRunner, type Answer, type NewWork, type TaskRunner } from "./task-runner.ts";
import type { TermService } from "./term-service.ts";

export interface TermTasksOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly trace: Trace;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly settings: ManagerSettings;
  readonly consensus: Consensus;
  readonly rules: Rules;
  readonly applied: () => ClusterState;
  readonly findTask: (id: string) => AppliedTask | undefined;
  readonly info: () => ClusterInfo;
}

/** Tasks of one term. */
export interface TermTasks {
  readonly runner: TaskRunner;
  readonly stores: ShardStoreCache;
  readonly waitedMs: Delays["waitedMs"];
  readonly service: TermService;
  /** Enqueues a task without an id; resolves when it is committed and applied here. */
  submit(task: Task): Promise<Answer>;
  /** INV-SNAP-9: enqueues a task under an id, unless one was applied under it in this or an earlier term. */
  submitOnce(id: string, task: Task): Promise<void>;
  /** Enqueues a task whose answer is dropped, since it is proposed again while its reason holds, in the next term too. */
  ask(task: Task): void;
  /** Asks for several tasks; with a batch they share a round, in this order. */
  askAll(tasks: readonly Task[], batch?: string): void;
  /** Enqueues a reroute; several share a round. */
  reroute(reason: string): void;
  /** Removes a node from the state, if the last proposed state has it. */
  leave(nodeId: NodeId, reason: string): void;
}

/** The runner and its inputs, for the term of `consensus`. */
export function createTermTasks(options: TermTasksOptions): TermTasks {
  const { clock, localNode, consensus } = options;
  const { term } = consensus;
  const delays = createDelays(clock);
  const stores = createShardStoreCache({
    clock,
    transport: options.transport,
    complete: () => rerouting.reroute("async_shard_fetch"),
  });
  const runner = createTaskRunner({
    clock,
    term,
    state: options.applied(),
    rules: options.rules,
    // Raft drops proposals during a transfer; they wait in the queue, and are rejected as retryable if the term ends.
    propose: (data) => !consensus.isTransferring() && consensus.propose(data),
    roundInputs: () => ({
      nowMs: clock.nowMs(),
      newAllocationId: () => newUuid(options.random) as AllocationId,
      nodeSettings: options.settings.ofNode,
      shardStores: stores.known,
      info: options.info(),
      waitedMs: delays.waitedMs,
    }),
    // By the last proposed state: the needs are of shards that the round has just created or unassigned.
    placed(needs, nextDelayMs) {
      stores.fetch(needs, runner.state);
      if (nextDelayMs !== undefined) rerouting.rerouteAfter(nextDelayMs);
    },
    proposed: ({ version }) =>
      options.trace({ kind: "cluster-state-published", nodeId: localNode.id, term, version }),
  });
  const rerouting = createRerouting(clock, runner);
  const submit = (task: Task): Promise<Answer> => runner.enqueue(workOf(task));
  const ask = (task: Task): void => void submit(task).catch(ignoreProblem);

  return {
    runner,
    stores,
    waitedMs: delays.waitedMs,
    submit,
    submitOnce: createSubmitOnce(runner, options.findTask),
    ask,
    askAll(tasks, batch) {
      const works = tasks.map(workOf);
      // One priority for a batch that is asked for together: its order is part of what is asked.
      const shared = { batch, priority: works[0]?.priority ?? "NORMAL" };
      const grouped = batch === undefined ? works : works.map((work) => ({ ...work, ...shared }));
      for (const done of runner.enqueueAll(grouped)) done.catch(ignoreProblem);
    },
    reroute: rerouting.reroute,
    leave(nodeId, reason) {
      if (!runner.state.nodes.has(nodeId)) return;
      ask({ kind: "node-left", nodeId, reason, nowMs: clock.nowMs() });
    },
    service: {
      applied(entry, state) {
        runner.applied(entry, state);
        // Pruned by the last proposed state: an answer may have been requested for a shard that exists only there.
        stores.prune(runner.state);
        delays.prune(runner.state);
      },
      changed: runner.run,
      end() {
        rerouting.end();
        runner.end();
        stores.end();
      },
    },
  };
}

function workOf(task: Task): NewWork {
  return {
    work: { kind: "task", id: "", task },
    priority: priorityOf(task),
    source: sourceOf(task),
    batch: batchOf(task),
  };
}

/** `submitOnce`: concurrent calls under one id share one item, and calls after its application return at once. */
function createSubmitOnce(
  runner: TaskRunner,
  findTask: TermTasksOptions["findTask"],
): TermTasks["submitOnce"] {
  const underWay = new Map<string, Promise<Answer>>();
  return async (id, task) => {
    if (findTask(id) !== undefined) return;
    // Waiting or in flight: a second proposal under the id would be in the log twice, which `AppliedLog` asserts against.
    const answer =
      underWay.get(id) ?? runner.enqueue({ ...workOf(task), work: { kind: "task", id, task } });
    underWay.set(id, answer);
    try {
      await answer;
    } finally {
      underWay.delete(id);
    }
  };
}

/** Reroutes of a term. */
interface Rerouting {
  reroute(reason: string): void;
  /** Reroutes when the shortest delay of a copy expires. Of several calls the earliest time counts. */
  rerouteAfter(delayMs: number): void;
  end(): void;
}

function createRerouting(clock: Clock, runner: TaskRunner): Rerouting {
  let delayed: { readonly cancel: CancelTimer; readonly atMs: number } | undefined;
  let isEnded = false;

  const reroute = (reason: string): void => {
    if (isEnded) return;
    const work = { kind: "reroute", reason, retryFailed: false } as const;
    const source = `cluster_reroute(${reason})`;
    runner.enqueue({ work, priority: "HIGH", source, batch: "routing" }).catch(ignoreProblem);
  };

  return {
    reroute,
    rerouteAfter(delayMs) {
      // Each round reports the shortest remaining delay; an earlier timer covers it, and its reroute reports the next.
      const atMs = clock.monotonicMs() + delayMs;
      if (delayed !== undefined && delayed.atMs <= atMs) return;
      delayed?.cancel();
      const cancel = clock.setTimer(delayMs, () => {
        delayed = undefined;
        reroute("delayed_allocation_reroute");
      });
      delayed = { cancel, atMs };
    },
    end() {
      isEnded = true;
      delayed?.cancel();
    },
  };
}
