/**
 * A term of the elected cluster manager: the services (`term-service.ts`) that run only on it, created when the term
 * begins and discarded when it ends. Their order is the order in which they handle events.
 *
 * No service keeps what must survive a failover: that is in the replicated state, from which the services of the next
 * term start. Timers, waits, fetched shard stores and delays are volatile, as in the product.
 */
import type { ClusterInfo } from "@orrery/allocation";
import type { ClusterState, DiscoveryNode, Rules, Settings, Task } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import type { AppliedTask } from "@orrery/protocol";
import type { NodeId, Random } from "@orrery/stdx";
import type { Acknowledgements } from "./acknowledgements.ts";
import type { Admission } from "./admission.ts";
import { completeTask } from "./complete-task.ts";
import type { Consensus } from "./consensus.ts";
import { createDecommissionService, type DecommissionService } from "./decommission.ts";
import type { Delays } from "./delays.ts";
import { createGateway } from "./gateway.ts";
import type { Links } from "./links.ts";
import type { PassedOver } from "./quarantine.ts";
import type { ManagerSettings } from "./settings.ts";
import type { ShardStoreCache } from "./shard-stores.ts";
import type { SnapshotDeps } from "./snapshots/deps.ts";
import { createSnapshotDriver } from "./snapshots/driver.ts";
import type { ManagerRepositories } from "./snapshots/repositories.ts";
import type { SnapshotTerm } from "./snapshots/service.ts";
import type { Answer, TaskRunner } from "./task-runner.ts";
import { createTermDisks } from "./term-disks.ts";
import { createTermMembership, takeOver } from "./term-membership.ts";
import type { BeginTermService, TermService } from "./term-service.ts";
import { createTermTasks, type TermTasks } from "./term-tasks.ts";
import type { DecommissionRequest } from "./types.ts";

export interface ElectedOptions {
  readonly host: Host;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly settings: ManagerSettings;
  readonly links: Links;
  readonly consensus: Consensus;
  readonly rules: Rules;
  readonly repositories: ManagerRepositories;
  /** The applied state of this moment. */
  readonly applied: () => ClusterState;
  /** Index of the term's first entry, just applied: all that earlier terms committed is in the state. */
  readonly beginIndex: number;
  /** The applied task of this id; undefined when none was applied, or the log has forgotten it. */
  readonly findTask: (id: string) => AppliedTask | undefined;
  /** Entries that this node skips or will skip. */
  readonly passedOver: () => PassedOver;
  /** Services of plugins and of the node; they follow the role's own. */
  readonly termServices?: readonly BeginTermService[];
}

/** The running term, as handlers of requests use it. */
export interface ElectedTerm extends Required<TermService> {
  readonly term: number;
  readonly runner: TaskRunner;
  readonly acknowledgements: Acknowledgements;
  readonly admission: Admission;
  readonly stores: ShardStoreCache;
  readonly info: ClusterInfo;
  readonly waitedMs: Delays["waitedMs"];
  readonly snapshots: SnapshotTerm;
  readonly nodeSettings: Settings;
  /** Enqueues a task of this node's own; resolves when it is committed and applied here. */
  submit(task: Task): Promise<Answer>;
  decommission(request: DecommissionRequest): Promise<void>;
  /** Enqueues a reroute; several that wait share one round. */
  reroute(reason: string): void;
}

/**
 * Begins the term that `consensus` has won and whose first entry is applied. Until the task
 * `become-cluster-manager`, which it proposes at once, is applied, the state still names the former cluster manager.
 */
export function beginTerm(options: ElectedOptions): ElectedTerm {
  const { host, localNode, settings, consensus, termServices = [] } = options;
  const { clock, trace } = host;
  const { term } = consensus;
  let isEnded = false;

  const disks = createTermDisks({ ...options, tasks: () => tasks });
  const tasks = createTermTasks({ ...options, clock, trace, info: () => disks.info });
  const ofMembership = {
    ...options,
    clock,
    tasks,
    reportDiskUsage: disks.report,
    changed: () => changed(),
  };
  const membership = createTermMembership(ofMembership);
  const decommission = decommissionOfTerm(options, tasks);
  const snapshotDeps = snapshotDepsOf(options, tasks);
  trace({ kind: "cluster-manager-elected", nodeId: localNode.id, term });
  // The first round of the term, ahead of any task of a service: it makes this node the cluster manager of the state.
  takeOver(ofMembership);
  const driver = createSnapshotDriver(snapshotDeps);

  /**
   * A service that acts on the state's content sees no state that still names another cluster manager: it could act on
   * a state that the first round of this term is about to change (nodes that left, a restarted cluster).
   */
  const whenManager = ({ applied, ...rest }: TermService): TermService => ({
    ...rest,
    applied(entry, state) {
      if (state.managerNodeId === localNode.id) applied?.(entry, state);
    },
  });
  const services: readonly TermService[] = [
    // Disk usages of departed nodes go before the runner's next round reads them.
    disks.service,
    // The runner settles the round of an applied entry before any other service reacts to the state with a new task.
    tasks.service,
    ...membership.services,
    whenManager(gatewayOf(options, tasks)),
    { applied: decommission.changed, changed: decommission.changed, end: decommission.end },
    whenManager({ applied: (_entry, state) => driver.applied(state), end: driver.end }),
    ...termServices.map((begin) => whenManager(begin(term))),
  ];
  const changed = (): void => {
    if (isEnded) return;
    for (const service of services) service.changed?.();
  };

  return {
    term,
    runner: tasks.runner,
    acknowledgements: membership.acknowledgements,
    admission: membership.admission,
    stores: tasks.stores,
    get info() {
      return disks.info;
    },
    waitedMs: tasks.waitedMs,
    snapshots: { ...snapshotDeps, driver },
    nodeSettings: settings.ofNode,
    submit: tasks.submit,
    decommission: decommission.start,
    reroute: tasks.reroute,
    applied(entry, state) {
      for (const service of services) service.applied?.(entry, state);
    },
    changed,
    connected(node) {
      for (const service of services) service.connected?.(node);
      changed();
    },
    disconnected(node) {
      for (const service of services) service.disconnected?.(node);
    },
    end() {
      // First, so that services which end do not start the others again through `changed`.
      isEnded = true;
      trace({ kind: "cluster-manager-stepped-down", nodeId: localNode.id, term });
      for (const service of services) service.end?.();
    },
  };
}

/** The gateway as a service: it proposes the recovery of the state after a restart of the whole cluster. */
function gatewayOf({ host, settings }: ElectedOptions, tasks: TermTasks): TermService {
  const { clock } = host;
  const recover = (): void => tasks.ask({ kind: "recover-state", nowMs: clock.nowMs() });
  const gateway = createGateway({ clock, settings, recover });
  return { applied: (_entry, state) => gateway.consider(state), end: gateway.end };
}

/** The decommission service, over Raft's configuration and the task runner. */
function decommissionOfTerm(options: ElectedOptions, tasks: TermTasks): DecommissionService {
  const { host, consensus, settings } = options;
  return createDecommissionService({
    clock: host.clock,
    log: host.log,
    localNode: options.localNode,
    applied: options.applied,
    // Both halves of a joint configuration: an outgoing voter is still needed for its majority.
    votes(nodeIds) {
      const { raftIds } = options.applied().metadata.coordination;
      const { incoming, outgoing } = consensus.configuration();
      const ids = [...nodeIds].flatMap((nodeId) => raftIds.get(nodeId) ?? []);
      return ids.some((id) => incoming.has(id) || outgoing.has(id));
    },
    submit: (task) => tasks.submit(completeTask(task, settings.ofNode)),
    remove(nodeIds: readonly NodeId[]) {
      const reason = "nodes-decommissioned";
      const nowMs = host.clock.nowMs();
      tasks.askAll(nodeIds.map((nodeId) => ({ kind: "node-left", nodeId, reason, nowMs })));
    },
  });
}

function snapshotDepsOf(options: ElectedOptions, tasks: TermTasks): SnapshotDeps {
  return {
    host: options.host,
    random: options.random,
    transport: options.transport,
    localNode: options.localNode,
    nodeSettings: options.settings.ofNode,
    rules: options.rules,
    repositories: options.repositories,
    applied: options.applied,
    submit: tasks.submit,
    submitOnce: tasks.submitOnce,
    wasApplied: (id) => options.findTask(id) !== undefined,
  };
}
