/**
 * One term of being the elected cluster manager: everything that only it does, and that is lost with the term, as
 * delays and fetched shard stores are in the product.
 */
import type { ClusterInfo, DiskUsage } from "@orrery/allocation";
import {
  withNodeSettings,
  type ClusterState,
  type DiscoveryNode,
  type Settings,
  type Task,
  type Rules,
} from "@orrery/cluster-state";
import type { CancelTimer, Host, Transport } from "@orrery/ports";
import type { AppliedTask } from "@orrery/protocol";
import { newUuid, type AllocationId, type NodeId, type Random } from "@orrery/stdx";
import { createAcknowledgements, type Acknowledgements } from "./acknowledgements.ts";
import { createAcknowledgedLogs } from "./acknowledged-logs.ts";
import { createAdmission, type Admission } from "./admission.ts";
import { completeTask } from "./complete-task.ts";
import type { Consensus } from "./consensus.ts";
import { createDecommissionService } from "./decommission.ts";
import { createDelays, type Delays } from "./delays.ts";
import { createDiskMonitor } from "./disk-monitor.ts";
import { createConfigurationFollower } from "./follow-configuration.ts";
import { createFollowerChecks } from "./follower-checks.ts";
import { createGateway } from "./gateway.ts";
import type { Links } from "./links.ts";
import { batchOf, priorityOf, sourceOf } from "./priorities.ts";
import { ignoreProblem } from "./problems.ts";
import type { ManagerSettings } from "./settings.ts";
import { createShardStoreCache, type ShardStoreCache } from "./shard-stores.ts";
import type { PassedOver } from "./quarantine.ts";
import type { SnapshotDeps } from "./snapshots/deps.ts";
import { createSnapshotDriver } from "./snapshots/driver.ts";
import type { ManagerRepositories } from "./snapshots/repositories.ts";
import type { SnapshotTerm } from "./snapshots/service.ts";
import { createTaskRunner, type Answer, type NewWork, type TaskRunner } from "./task-runner.ts";
import type { DecommissionRequest } from "./types.ts";
import { hasMajority } from "./voters.ts";

/** A member this far from the end of the log, or nearer, counts as caught up. */
const caughtUpEntries = 64;

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
}

export interface ElectedTerm {
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
  applied(
    entry: { readonly index: number; readonly hasProposal: boolean },
    state: ClusterState,
  ): void;
  /** Raft, or who is connected, has changed. */
  changed(): void;
  /** The process behind a node id, or behind an address, may be another one now. */
  connected(node: DiscoveryNode): void;
  disconnected(node: DiscoveryNode): void;
  end(): void;
}

export function beginTerm(options: ElectedOptions): ElectedTerm {
  const { host, localNode, settings, links, consensus, transport } = options;
  const { clock } = host;
  const { term } = consensus;
  const diskUsages = new Map<NodeId, DiskUsage>();
  /** Another object whenever disks are a reason to look anew at copies that were left where they are. */
  let info: ClusterInfo = { diskUsages, shardSizes: new Map() };
  let delayed: { readonly cancel: CancelTimer; readonly atMs: number } | undefined;
  let isEnded = false;

  const stores = createShardStoreCache({
    clock,
    transport,
    complete: () => reroute("async_shard_fetch"),
  });

  const delays = createDelays(clock);

  const runner = createTaskRunner({
    clock,
    term,
    state: options.applied(),
    rules: options.rules,
    propose: (data) => !consensus.isTransferring() && consensus.propose(data),
    roundInputs: () => ({
      nowMs: clock.nowMs(),
      newAllocationId: () => newUuid(options.random) as AllocationId,
      nodeSettings: settings.ofNode,
      shardStores: stores.known,
      info,
      waitedMs: delays.waitedMs,
    }),
    placed(needs, nextDelayMs) {
      stores.fetch(needs, runner.state);
      if (nextDelayMs !== undefined) rerouteAfter(nextDelayMs);
    },
    proposed: ({ version }) =>
      host.trace({ kind: "cluster-state-published", nodeId: localNode.id, term, version }),
  });

  const workOf = (task: Task): NewWork => ({
    work: { kind: "task", id: "", task },
    priority: priorityOf(task),
    source: sourceOf(task),
    batch: batchOf(task),
  });
  const submit = (task: Task): Promise<Answer> => runner.enqueue(workOf(task));
  const once = new Map<string, Promise<Answer>>();
  const submitOnce = async (id: string, task: Task): Promise<void> => {
    if (options.findTask(id) !== undefined) return;
    const answer =
      once.get(id) ?? runner.enqueue({ ...workOf(task), work: { kind: "task", id, task } });
    once.set(id, answer);
    try {
      await answer;
    } finally {
      once.delete(id);
    }
  };
  /** For what is tried again when it is still true in the next term. */
  const ask = (task: Task): void => void submit(task).catch(ignoreProblem);

  const reroute = (reason: string): void => {
    if (isEnded) return;
    const work = { kind: "reroute", reason, retryFailed: false } as const;
    const source = `cluster_reroute(${reason})`;
    runner.enqueue({ work, priority: "HIGH", source, batch: "routing" }).catch(ignoreProblem);
  };

  const rerouteAfter = (delayMs: number): void => {
    const atMs = clock.monotonicMs() + delayMs;
    if (delayed !== undefined && delayed.atMs <= atMs) return;
    delayed?.cancel();
    const cancel = clock.setTimer(delayMs, () => {
      delayed = undefined;
      reroute("delayed_allocation_reroute");
    });
    delayed = { cancel, atMs };
  };

  const leave = (nodeId: NodeId, reason: string): void => {
    if (!runner.state.nodes.has(nodeId)) return;
    ask({ kind: "node-left", nodeId, reason, nowMs: clock.nowMs() });
  };

  const acknowledgements = createAcknowledgements({
    begin: { index: options.beginIndex, nodes: options.applied().nodes },
    clock,
    localId: localNode.id,
    lagTimeoutMs: () => settings.duration("cluster.follower_lag.timeout"),
    lagging: (nodeId) => leave(nodeId, "lagging"),
  });

  const isCaughtUp = (raftId: number): boolean => {
    const progress = consensus.progressOf(raftId);
    if (progress === undefined || !progress.recentActive) return false;
    return progress.match > 0 && progress.match + caughtUpEntries >= consensus.committedIndex;
  };

  const acknowledged = createAcknowledgedLogs(term, consensus);
  const admission = createAdmission({
    clock,
    passedOver: options.passedOver,
    isRolledBack: acknowledged.isRolledBack,
    links,
    runner,
    selfRaftId: consensus.raftId,
    applied: options.applied,
    joinTimeoutMs: settings.duration("cluster.join.timeout"),
    committedIndex: () => consensus.committedIndex,
    holds: (raftId, index) => (consensus.progressOf(raftId)?.match ?? 0) >= index,
    // What it was sent to begin with is lost, or late: it gets another one.
    foundEmpty: (raftId) => consensus.reportSnapshot(raftId, "failed"),
    joiningChanged() {
      configuration.disturb();
      consensus.wake();
      changed();
    },
  });

  const checks = createFollowerChecks({
    clock,
    transport,
    settings,
    term,
    answered(nodeId, { appliedIndex, dataPath, diskTotalBytes, diskFreeBytes }) {
      acknowledgements.report(nodeId, appliedIndex);
      const usage = { path: dataPath, totalBytes: diskTotalBytes, freeBytes: diskFreeBytes };
      diskUsages.set(nodeId, usage);
      disks.heard(nodeId, usage);
    },
    failed: leave,
  });

  const gateway = createGateway({
    clock,
    settings,
    recover: () => ask({ kind: "recover-state", nowMs: clock.nowMs() }),
  });

  const isLive = (nodeId: NodeId): boolean =>
    nodeId === localNode.id || links.connected.has(nodeId);

  const configuration = createConfigurationFollower({
    consensus,
    random: options.random,
    localId: localNode.id,
    nodeSettings: settings.ofNode,
    applied: options.applied,
    proposed: () => runner.state,
    joining: () => admission.joining.values(),
    isLive,
    isCaughtUp,
    submit,
  });

  const decommission = createDecommissionService({
    clock,
    log: host.log,
    localNode,
    applied: options.applied,
    votes(nodeIds) {
      const { raftIds } = options.applied().metadata.coordination;
      const { incoming, outgoing } = consensus.configuration();
      const ids = [...nodeIds].flatMap((nodeId) => raftIds.get(nodeId) ?? []);
      return ids.some((id) => incoming.has(id) || outgoing.has(id));
    },
    submit: (task) => submit(completeTask(task, settings.ofNode)),
    remove(nodeIds) {
      const reason = "nodes-decommissioned";
      const works = nodeIds.map((nodeId) =>
        workOf({ kind: "node-left", nodeId, reason, nowMs: clock.nowMs() }),
      );
      for (const done of runner.enqueueAll(works)) done.catch(ignoreProblem);
    },
  });

  const disks = createDiskMonitor({
    clock,
    intervalMs: () => settings.duration("cluster.info.update.interval"),
    applied: () => withNodeSettings(options.applied(), settings.ofNode),
    usages() {
      const { totalBytes, availableBytes: freeBytes } = host.disk.usage();
      return diskUsages.set(localNode.id, { path: host.process.dataPath, totalBytes, freeBytes });
    },
    submit: ask,
    reroute(reason) {
      info = { ...info };
      reroute(reason);
    },
  });

  const changed = (): void => {
    if (isEnded) return;
    runner.run();
    admission.progressed();
    configuration.follow();
    decommission.changed();
  };

  /** Without a majority it can decide nothing: better to say so at once than when check-quorum looks. */
  const giveUpWithoutMajority = (): void => {
    const { incoming, outgoing } = consensus.configuration();
    const { raftIds } = options.applied().metadata.coordination;
    const live = new Set([...raftIds].flatMap(([nodeId, id]) => (isLive(nodeId) ? [id] : [])));
    const canDecide =
      hasMajority(incoming, live) && (outgoing.size === 0 || hasMajority(outgoing, live));
    if (!canDecide) consensus.stepDown();
  };

  const takeOver = (): void => {
    const { nodes } = options.applied();
    const others = [...nodes.keys()].filter((nodeId) => nodeId !== localNode.id);
    const nowMs = clock.nowMs();
    const become: Task = {
      kind: "become-cluster-manager",
      nowMs,
      node: localNode,
      joined: others.flatMap((nodeId) => links.connected.get(nodeId) ?? []),
      clusterUuid: newUuid(options.random),
    };
    const gone = others
      .filter((nodeId) => !links.connected.has(nodeId))
      .map((nodeId): Task => ({ kind: "node-left", nodeId, reason: "disconnected", nowMs }));
    const works = [become, ...gone].map((task) => ({ ...workOf(task), batch: "membership" }));
    for (const done of runner.enqueueAll(works)) done.catch(ignoreProblem);
  };

  const snapshotDeps: SnapshotDeps = {
    host,
    random: options.random,
    transport,
    localNode,
    nodeSettings: settings.ofNode,
    rules: options.rules,
    repositories: options.repositories,
    applied: options.applied,
    submit,
    submitOnce,
    wasApplied: (id) => options.findTask(id) !== undefined,
  };

  host.trace({ kind: "cluster-manager-elected", nodeId: localNode.id, term });
  takeOver();
  const driver = createSnapshotDriver(snapshotDeps);

  return {
    term,
    runner,
    acknowledgements,
    admission,
    stores,
    get info() {
      return info;
    },
    waitedMs: delays.waitedMs,
    snapshots: { ...snapshotDeps, driver },
    nodeSettings: settings.ofNode,
    submit,
    decommission: decommission.start,
    reroute,
    applied(entry, state) {
      if (!entry.hasProposal) configuration.changeApplied();
      for (const nodeId of [...diskUsages.keys()]) {
        if (!state.nodes.has(nodeId)) diskUsages.delete(nodeId);
      }
      runner.applied(entry, state);
      // What was asked for a state that is proposed is not useless because one before it is applied.
      stores.prune(runner.state);
      delays.prune(runner.state);
      acknowledgements.applied(entry.index, state);
      checks.watch([...state.nodes.values()].filter(({ id }) => id !== localNode.id));
      if (state.managerNodeId === localNode.id) gateway.consider(state);
      decommission.changed();
      if (state.managerNodeId === localNode.id) driver.applied(state);
    },
    changed,
    connected(node) {
      for (const other of runner.state.nodes.values()) {
        const isSame = other.id === node.id && other.ephemeralId === node.ephemeralId;
        const isReplaced = other.id === node.id || other.transportAddress === node.transportAddress;
        if (isReplaced && !isSame && other.id !== localNode.id) leave(other.id, "disconnected");
      }
      configuration.disturb();
      consensus.wake();
      changed();
    },
    disconnected(node) {
      const { id } = node;
      const raftId = options.applied().metadata.coordination.raftIds.get(id);
      if (raftId !== undefined) acknowledged.lost(node, raftId);
      admission.disconnected(node);
      configuration.disturb();
      leave(id, "disconnected");
      giveUpWithoutMajority();
    },
    end() {
      isEnded = true;
      host.trace({ kind: "cluster-manager-stepped-down", nodeId: localNode.id, term });
      runner.end();
      acknowledgements.end();
      admission.end();
      checks.end();
      gateway.end();
      decommission.end();
      driver.end();
      disks.end();
      stores.end();
      delayed?.cancel();
    },
  };
}
