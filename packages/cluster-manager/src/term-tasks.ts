/**
 * The task runner of a term with what its rounds look at: delays, fetched shard stores, and reroutes that are asked for, now or after
 * the delay of a copy.
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

export interface TermTasks {
  readonly runner: TaskRunner;
  readonly stores: ShardStoreCache;
  readonly waitedMs: Delays["waitedMs"];
  readonly service: TermService;
  submit(task: Task): Promise<Answer>;
  /** INV-SNAP-9: at most once under this id, in this term and those before it. */
  submitOnce(id: string, task: Task): Promise<void>;
  /** For a task that is proposed again when its reason still holds in the next term: its answer is dropped. */
  ask(task: Task): void;
  /** The same for several that share a round. */
  askAll(tasks: readonly Task[], batch?: string): void;
  /** Several reroutes share a round. */
  reroute(reason: string): void;
  /** Takes a node out of the state, if it is in it. */
  leave(nodeId: NodeId, reason: string): void;
}

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
    propose: (data) => !consensus.isTransferring() && consensus.propose(data),
    roundInputs: () => ({
      nowMs: clock.nowMs(),
      newAllocationId: () => newUuid(options.random) as AllocationId,
      nodeSettings: options.settings.ofNode,
      shardStores: stores.known,
      info: options.info(),
      waitedMs: delays.waitedMs,
    }),
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
      const grouped = batch === undefined ? works : works.map((work) => ({ ...work, batch }));
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
        // What was asked for a state that is proposed is not useless because one before it is applied.
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

function createSubmitOnce(
  runner: TaskRunner,
  findTask: TermTasksOptions["findTask"],
): TermTasks["submitOnce"] {
  const underWay = new Map<string, Promise<Answer>>();
  return async (id, task) => {
    if (findTask(id) !== undefined) return;
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

interface Rerouting {
  reroute(reason: string): void;
  /** When the shortest delay of a copy is over: of several, the earliest counts. */
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
