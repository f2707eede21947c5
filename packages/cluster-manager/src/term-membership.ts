/**
 * Membership services of a term: admission, health checks and removal of nodes, the voting configuration, and the
 * acknowledgements of applied states.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";
import { newUuid, type NodeId, type Random } from "@orrery/stdx";
import type { DiskUsage } from "@orrery/allocation";
import { createAcknowledgedLogs } from "./acknowledged-logs.ts";
import { createAcknowledgements, type Acknowledgements } from "./acknowledgements.ts";
import { createAdmission, type Admission } from "./admission.ts";
import type { Consensus } from "./consensus.ts";
import { createConfigurationFollower } from "./follow-configuration.ts";
import { createFollowerChecks } from "./follower-checks.ts";
import type { Links } from "./links.ts";
import type { PassedOver } from "./quarantine.ts";
import type { ManagerSettings } from "./settings.ts";
import type { TermService } from "./term-service.ts";
import type { TermTasks } from "./term-tasks.ts";
import type { Clock, Transport } from "@orrery/ports";
import { hasMajority } from "./voters.ts";

/** A member whose match index is at most this far behind the commit index counts as caught up, and may become a voter. */
const caughtUpEntries = 64;

export interface MembershipOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly settings: ManagerSettings;
  readonly links: Links;
  readonly consensus: Consensus;
  readonly applied: () => ClusterState;
  readonly beginIndex: number;
  readonly passedOver: () => PassedOver;
  readonly tasks: TermTasks;
  readonly reportDiskUsage: (nodeId: NodeId, usage: DiskUsage) => void;
  /** Calls `changed` of all services of the term. */
  readonly changed: () => void;
}

/** Membership services of one term. */
export interface TermMembership {
  readonly acknowledgements: Acknowledgements;
  readonly admission: Admission;
  /** In the order in which they handle events. */
  readonly services: readonly TermService[];
}

/**
 * The membership services. The order of their list matters: acknowledged log positions are recorded before admission
 * and removal react to the same lost connection, and admission precedes the configuration, which adds learners for it.
 */
export function createTermMembership(options: MembershipOptions): TermMembership {
  const { settings, consensus, tasks, localNode } = options;
  const acknowledgements = createAcknowledgements({
    begin: { index: options.beginIndex, nodes: options.applied().nodes },
    clock: options.clock,
    localId: localNode.id,
    lagTimeoutMs: () => settings.duration("cluster.follower_lag.timeout"),
    lagging: (nodeId) => tasks.leave(nodeId, "lagging"),
  });
  const configuration = createConfigurationFollower({
    consensus,
    random: options.random,
    localId: localNode.id,
    nodeSettings: settings.ofNode,
    applied: options.applied,
    proposed: () => tasks.runner.state,
    joining: () => admission.joining.values(),
    isLive: (nodeId) => isLive(options, nodeId),
    isCaughtUp: (raftId) => isCaughtUp(consensus, raftId),
    submit: tasks.submit,
  });
  const acknowledged = createAcknowledgedLogs(consensus.term, consensus);
  const admission = createAdmission({
    clock: options.clock,
    passedOver: options.passedOver,
    isRolledBack: acknowledged.isRolledBack,
    links: options.links,
    runner: tasks.runner,
    selfRaftId: consensus.raftId,
    applied: options.applied,
    joinTimeoutMs: settings.duration("cluster.join.timeout"),
    committedIndex: () => consensus.committedIndex,
    holds: (raftId, index) => (consensus.progressOf(raftId)?.match ?? 0) >= index,
    // The snapshot that was sent is lost: Raft sends another one when it counts as failed.
    foundEmpty: (raftId) => consensus.reportSnapshot(raftId, "failed"),
    joiningChanged() {
      // The joining node becomes a learner in the next change, and answers the heartbeats of `wake` without waiting for one.
      configuration.invalidate();
      consensus.wake();
      options.changed();
    },
  });
  return {
    acknowledgements,
    admission,
    services: [
      // The applied index of this node and the nodes to wait for; before services that may remove lagging nodes.
      {
        applied: ({ index }, state) => acknowledgements.applied(index, state),
        end: acknowledgements.end,
      },
      // The match index of the lost process, while Raft still tracks it.
      {
        disconnected(node) {
          const raftId = raftIdOf(options, node.id);
          if (raftId !== undefined) acknowledged.lost(node, raftId);
        },
      },
      { changed: admission.progressed, disconnected: admission.disconnected, end: admission.end },
      replacements(options),
      // Entries without a proposal end the configuration change under way; any other event may make the next one possible.
      {
        applied(entry) {
          if (!entry.hasProposal) configuration.changeApplied();
        },
        changed: configuration.follow,
        connected() {
          configuration.invalidate();
          consensus.wake();
        },
        disconnected: configuration.invalidate,
      },
      departures(options),
      followerChecks(options, acknowledgements),
    ],
  };
}

/** Removes nodes whose id, or whose address, belongs to another process now; that process can join only after this. */
function replacements({ tasks, localNode }: MembershipOptions): TermService {
  return {
    connected(node) {
      for (const other of tasks.runner.state.nodes.values()) {
        const isSame = other.id === node.id && other.ephemeralId === node.ephemeralId;
        const isReplaced = other.id === node.id || other.transportAddress === node.transportAddress;
        if (isReplaced && !isSame && other.id !== localNode.id)
          tasks.leave(other.id, "disconnected");
      }
    },
  };
}

/** Removes nodes whose connection is lost, at once and without waiting for a check to fail, as in the product. */
function departures(options: MembershipOptions): TermService {
  return {
    disconnected({ id }) {
      options.tasks.leave(id, "disconnected");
      giveUpWithoutMajority(options);
    },
  };
}

/** Health checks of the state's nodes, whose answers also report applied indices and disk usages. */
function followerChecks(
  options: MembershipOptions,
  acknowledgements: Acknowledgements,
): TermService {
  const { clock, transport, settings, consensus, localNode } = options;
  const checks = createFollowerChecks({
    clock,
    transport,
    settings,
    term: consensus.term,
    answered(nodeId, { appliedIndex, dataPath, diskTotalBytes, diskFreeBytes }) {
      acknowledgements.report(nodeId, appliedIndex);
      const usage = { path: dataPath, totalBytes: diskTotalBytes, freeBytes: diskFreeBytes };
      options.reportDiskUsage(nodeId, usage);
    },
    failed: options.tasks.leave,
  });
  return {
    applied: (_entry, { nodes }) =>
      checks.watch([...nodes.values()].filter(({ id }) => id !== localNode.id)),
    end: checks.end,
  };
}

/** Steps down when the connected voters are no majority: clients then get an error at once, not after check-quorum's timeout. */
function giveUpWithoutMajority(options: MembershipOptions): void {
  const { consensus } = options;
  const { incoming, outgoing } = consensus.configuration();
  const { raftIds } = options.applied().metadata.coordination;
  const live = new Set([...raftIds].flatMap(([id, raftId]) => (isLive(options, id) ? raftId : [])));
  const canDecide =
    hasMajority(incoming, live) && (outgoing.size === 0 || hasMajority(outgoing, live));
  if (!canDecide) consensus.stepDown();
}

/**
 * Proposes the first round of a term: the state names this node, takes over the connected members as the processes they
 * are now, and loses the others. One batch, hence one version: no state exists in which the new cluster manager has
 * members that are known to be gone.
 */
export function takeOver(options: MembershipOptions): void {
  const { clock, links, localNode, random } = options;
  const { nodes } = options.applied();
  const others = [...nodes.keys()].filter((nodeId) => nodeId !== localNode.id);
  const nowMs = clock.nowMs();
  // Members without a connection here would be found by health checks only after several intervals.
  const gone = others.filter((nodeId) => !links.connected.has(nodeId));
  options.tasks.askAll(
    [
      {
        kind: "become-cluster-manager",
        nowMs,
        node: localNode,
        joined: others.flatMap((nodeId) => links.connected.get(nodeId) ?? []),
        clusterUuid: newUuid(random),
      },
      ...gone.map((nodeId) => {
        return { kind: "node-left", nodeId, reason: "disconnected", nowMs } as const;
      }),
    ],
    "membership",
  );
}

function isLive({ localNode, links }: MembershipOptions, nodeId: NodeId): boolean {
  return nodeId === localNode.id || links.connected.has(nodeId);
}

/** Whether the member answered lately (`recentActive`), and is near the commit index. */
function isCaughtUp(consensus: Consensus, raftId: number): boolean {
  const progress = consensus.progressOf(raftId);
  if (progress === undefined || !progress.recentActive) return false;
  return progress.match > 0 && progress.match + caughtUpEntries >= consensus.committedIndex;
}

function raftIdOf({ applied }: MembershipOptions, nodeId: NodeId): number | undefined {
  return applied().metadata.coordination.raftIds.get(nodeId);
}
