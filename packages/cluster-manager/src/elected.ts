/**
 * One term of being the elected cluster manager: everything that only it does, as a list of services (`term-service.ts`) that is lost
 * with the term.
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
  /** The applied state, now. */
  readonly applied: () => ClusterState;
  /** Of the applied entry with which the term begins. */
  readonly beginIndex: number;
  /** The applied task of this id, as long as the log remembers it. */
  readonly findTask: (id: string) => AppliedTask | undefined;
  readonly passedOver: () => PassedOver;
  readonly termServices?: readonly BeginTermService[];
}

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
  submit(task: Task): Promise<Answer>;
  decommission(request: DecommissionRequest): Promise<void>;
  /** Asks for a reroute round; several share one. */
  reroute(reason: string): void;
}

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
  takeOver(ofMembership);
  const driver = createSnapshotDriver(snapshotDeps);

  /** Those that decide for the cluster wait until the state says that this node does. */
  const whenManager = ({ applied, ...rest }: TermService): TermService => ({
    ...rest,
    applied(entry, state) {
      if (state.managerNodeId === localNode.id) applied?.(entry, state);
    },
  });
  const services: readonly TermService[] = [
    disks.service,
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
      isEnded = true;
      trace({ kind: "cluster-manager-stepped-down", nodeId: localNode.id, term });
      for (const service of services) service.end?.();
    },
  };
}

function gatewayOf({ host, settings }: ElectedOptions, tasks: TermTasks): TermService {
  const { clock } = host;
  const recover = (): void => tasks.ask({ kind: "recover-state", nowMs: clock.nowMs() });
  const gateway = createGateway({ clock, settings, recover });
  return { applied: (_entry, state) => gateway.consider(state), end: gateway.end };
}

function decommissionOfTerm(options: ElectedOptions, tasks: TermTasks): DecommissionService {
  const { host, consensus, settings } = options;
  return createDecommissionService({
    clock: host.clock,
    log: host.log,
    localNode: options.localNode,
    applied: options.applied,
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
