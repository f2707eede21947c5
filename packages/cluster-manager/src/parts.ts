/**
 * The parts of the role that live as long as the process: the log and the shown state, connections, discovery, joining,
 * election and checks. They are wired here and nowhere else; each knows of the others only the functions it is given.
 */
import { initialState, type ClusterState } from "@orrery/cluster-state";
import type { Problem, Random } from "@orrery/stdx";
import { tickFor } from "./consensus.ts";
import { createDiscovery, type Discovery } from "./discovery.ts";
import { createElectionScheduler, type ElectionScheduler } from "./election.ts";
import { createHandOver, type HandOver } from "./hand-over.ts";
import { createJoining, type Joining } from "./joining.ts";
import { createLeaderChecks, type LeaderChecks } from "./leader-checks.ts";
import { createLinks, type Links } from "./links.ts";
import { createLocalState, type LocalState } from "./local-state.ts";
import { createMember, type Member, type MemberOptions } from "./member.ts";
import { flatPositions } from "./quarantine.ts";
import { createReads, type Reads } from "./reads.ts";
import { createSettings, type ManagerSettings } from "./settings.ts";
import { createManagerRepositories, type ManagerRepositories } from "./snapshots/repositories.ts";
import { managerNodeOf, type ClusterView } from "./cluster-view.ts";
import { traceStateChanges } from "./state-events.ts";
import { createSubmission, type Submission } from "./submission.ts";
import type { ClusterManagerDeps } from "./types.ts";

/** Callbacks into the composition (`cluster-manager.ts`). */
export interface PartsEvents {
  readonly view: () => ClusterView;
  /** Runs the reconcile loop, after any change. */
  readonly reconcile: () => void;
  readonly applied: MemberOptions["applied"];
  /** Called when an elected cluster manager rejects this node's join request for good. */
  readonly refused: (problem: Problem) => void;
}

/** Parts that hold the log and the state, and those that both need. */
interface LogParts {
  readonly random: Random;
  readonly settings: ManagerSettings;
  readonly repositories: ManagerRepositories;
  readonly reads: Reads;
  readonly local: LocalState;
  readonly links: Links;
  readonly member: Member;
  readonly submission: Submission;
  /** Whether the node with this Raft id is known and connected. */
  readonly isConnected: (raftId: number) => boolean;
}

export interface Parts extends LogParts {
  readonly discovery: Discovery;
  readonly election: ElectionScheduler;
  readonly joining: Joining;
  readonly leaderChecks: LeaderChecks;
  readonly handOver: HandOver;
}

/** Creates and wires the parts; none acts before `start` or the first reconciliation. */
export function createParts(deps: ClusterManagerDeps, events: PartsEvents): Parts {
  const ofLog = createLogParts(deps, events);
  const { member, settings, random, isConnected } = ofLog;
  const { host, transport, localNode } = deps;
  const { clock } = host;
  const discovery = discoveryOf(deps, ofLog, { ...events, joining: () => joining });
  const election = createElectionScheduler({
    clock,
    random,
    settings,
    campaign: () => member.consensus?.campaign(),
  });
  const joining = joiningOf(deps, ofLog, events);
  const leaderChecks = createLeaderChecks({
    clock,
    transport,
    settings,
    localNode,
    // Raft would still follow a cluster manager whose checks fail; without one this node campaigns, or joins anew.
    failed() {
      member.consensus?.forgetElected();
      events.reconcile();
    },
  });
  const handOver = createHandOver({ clock, consensus: () => member.consensus, isConnected });
  return { ...ofLog, discovery, election, joining, leaderChecks, handOver };
}

function createLogParts(deps: ClusterManagerDeps, events: PartsEvents): LogParts {
  const { host, transport, peers, localNode } = deps;
  const { clock } = host;
  const random = host.random("cluster-manager");
  /** The applied state; settings are read from it before the member that applies it exists. */
  let current = (): ClusterState => initialState("");
  const settings = createSettings(deps.settings, () => current());
  const clusterName = settings.text("cluster.name");
  const repositories = createManagerRepositories(deps, () => current());
  const reads = createReads(clock);
  const local = createLocalState({
    clock,
    localNode,
    clusterName,
    blockedLevels: () => settings.text("cluster.no_cluster_manager_block"),
  });
  local.onApplied(traceStateChanges(host.trace, localNode.id));
  const links = createLinks({
    clock,
    localId: localNode.id,
    peers,
    reconnectMs: () => settings.duration("cluster.nodes.reconnect_interval"),
  });
  const member = createMember({
    host,
    transport,
    localNode,
    clusterName,
    rules: deps.rules,
    tickMs: tickFor(settings.duration("cluster.fault_detection.leader_check.interval")),
    isLost: links.isLost,
    applied: events.applied,
    readable: reads.readable,
    changed: events.reconcile,
  });
  current = () => member.log.state;
  const submission = createSubmission({
    clock,
    random,
    transport,
    local,
    appliedHere: reads.appliedHere,
  });
  const isConnected = (raftId: number): boolean => {
    const nodeId = member.nodeIdOf(raftId);
    return nodeId !== undefined && links.connected.has(nodeId);
  };
  return {
    ...{ random, settings, repositories, reads, local, links, member, submission },
    isConnected,
  };
}

function discoveryOf(
  { host, transport, localNode }: ClusterManagerDeps,
  { member, settings, links }: LogParts,
  events: PartsEvents & { readonly joining: () => Joining },
): Discovery {
  const findPeersIntervalMs = settings.duration("discovery.find_peers_interval");
  return createDiscovery({
    clock: host.clock,
    transport,
    links,
    localNode,
    seedAddresses: settings.list("discovery.seed_hosts"),
    // A node that the cluster will not let in looks for it less often, as in the product.
    findPeersIntervalMs: () =>
      events.joining().isDecommissioned ? decommissionedPauseMs(settings) : findPeersIntervalMs,
    requestTimeoutMs: settings.duration("discovery.request_peers_timeout"),
    lastKnown: () => [...member.log.state.nodes.values()],
    describe: () => ({
      managerNode: managerNodeOf(events.view()),
      // Also with a lost log: the cluster that it belonged to must not be founded a second time beside it.
      hasCluster: member.raftId !== 0 || member.loss !== undefined,
      isLogLost: member.loss !== undefined,
      clusterUuid: clusterUuidOf(member),
      term: member.consensus?.term ?? 0,
    }),
    found: events.reconcile,
    surveyed: events.reconcile,
  });
}

function joiningOf(
  { host, transport, localNode }: ClusterManagerDeps,
  { member, settings }: LogParts,
  events: PartsEvents,
): Joining {
  return createJoining({
    clock: host.clock,
    transport,
    log: host.log,
    localNode,
    identity: () => ({
      clusterUuid: clusterUuidOf(member),
      raftId: member.raftId,
      hasLog: member.log.index > 0,
      isLogLost: member.loss !== undefined,
      skipped: flatPositions(member.passedOver.skipped),
      appliedIndex: member.passedOver.appliedIndex,
      startedIndex: member.started.index,
      startedTerm: member.started.term,
    }),
    accepted(managerId, { raftId, managerRaftId, isRolledBack }) {
      member.join(raftId, { id: managerId, raftId: managerRaftId }, isRolledBack);
      events.reconcile();
    },
    decommissionedPauseMs: () => decommissionedPauseMs(settings),
    refused: events.refused,
  });
}

function decommissionedPauseMs(settings: ManagerSettings): number {
  return settings.duration("discovery.find_peers_interval_during_decommission");
}

/** The cluster uuid; empty until it is committed, since an uncommitted one may be replaced by another. */
function clusterUuidOf({ log }: Member): string {
  const { metadata } = log.state;
  return metadata.isClusterUuidCommitted ? metadata.clusterUuid : "";
}
