/**
 * Composition of the cluster-manager role: discovery, joining, election, Raft, and the services of a term while this
 * node is elected (`Coordinator`, the product's class; our package `coordinator` serves client requests).
 *
 * Two paths drive it. An applied entry goes through `applied`, synchronously and in log order. Every other change
 * (connections, Raft's role, discovered peers, check results) runs the reconcile loop, whose steps compare the desired
 * with the actual state of each part. Level-triggered steps in one fixed order replace transitions between explicit
 * modes (`Coordinator.Mode`): a missed or doubled notification cannot leave a part behind.
 */
import { actions, decodeNode, ManagerElected } from "@orrery/protocol";
import type { ConfState } from "@orrery/raft";
import { compareText, type NodeId, type Problem } from "@orrery/stdx";
import { createAppliedReport } from "./applied-report.ts";
import { createAppliedState } from "./applied-state.ts";
import { initialManagerNames, mayBootstrap } from "./bootstrap.ts";
import { candidacyOf } from "./election.ts";
import { warnUntilDiscovered } from "./formation-warning.ts";
import { registerHandlers } from "./handlers.ts";
import { createReconcileLoop } from "./reconcile-loop.ts";
import { createTermLifecycle, type TermLifecycle } from "./term-lifecycle.ts";
import { createParts, type Parts } from "./parts.ts";
import { createManagerRequests } from "./manager-requests.ts";
import { isMember, managerIdOf, managerToAsk, type ClusterView } from "./cluster-view.ts";
import { answerVerification } from "./snapshots/verify.ts";
import type { ClusterManager, ClusterManagerDeps } from "./types.ts";

/** The parts of the role, and the phase of its life cycle. */
interface Role {
  readonly deps: ClusterManagerDeps;
  readonly parts: Parts;
  readonly termLifecycle: TermLifecycle;
  readonly view: () => ClusterView;
  phase: "made" | "started" | "stopped";
}

/** The role in phase `made`: it answers other nodes from now on, and acts by itself from `start`. */
export function createClusterManager(deps: ClusterManagerDeps): ClusterManager {
  const { host, localNode } = deps;
  const refusalListeners = new Set<(problem: Problem) => void>();
  const parts = createParts(deps, {
    view: () => clusterViewOf(deps, parts, termLifecycle),
    reconcile: () => reconcile(),
    applied: (entry) => applied(entry),
    refused: (problem) => refusalListeners.forEach((listener) => listener(problem)),
  });
  const { member, reads, local, submission } = parts;
  const termLifecycle = createTermLifecycle({ ...deps, ...parts });
  const view = (): ClusterView => clusterViewOf(deps, parts, termLifecycle);
  const role: Role = { deps, parts, termLifecycle, view, phase: "made" };
  const showApplied = createAppliedState({
    ...{ trace: host.trace, localNode, links: parts.links, local },
    managerId: () => managerIdOf(view()),
  });

  const applied: Parameters<typeof createParts>[1]["applied"] = (entry) => {
    if (role.phase === "stopped") return;
    // A lost term ends before it sees an entry of its successor: the entry is none of those that its runner has in flight.
    termLifecycle.endIfLost();
    // The shown state precedes the services of the term, which submit tasks and answer clients on its strength, and the
    // waiting reads, which return it.
    showApplied(member.log.state, entry.hasProposal);
    termLifecycle.applied(entry);
    parts.handOver.applied(entry.term);
    reads.applied(entry.index);
  };
  const runSteps = createReconcileLoop(reconcileSteps(role));
  const reconcile = (): void => {
    if (role.phase === "started") runSteps();
  };

  listen(role, reconcile);
  registerHandlers({ ...deps, ...parts, elected: () => termLifecycle.term });
  return {
    ...lifeOf(role, reconcile),
    get isElected() {
      return termLifecycle.term !== undefined;
    },
    state: () => local.current,
    onApplied: local.onApplied,
    stateWhen: local.when,
    stateWork: local.work,
    get stateListeners() {
      return local.listeners;
    },
    votingConfigurations() {
      const confState = member.consensus?.confState;
      const votersAmong = (raftIds: readonly number[] = []): readonly NodeId[] =>
        raftIds.flatMap((id) => member.nodeIdOf(id) ?? []).toSorted(compareText);
      return {
        current: votersAmong(confState?.voters),
        former: votersAmong(confState?.votersOutgoing),
      };
    },
    ...createManagerRequests({ clock: host.clock, local, reads, submission }),
    onJoinRefused(listener) {
      refusalListeners.add(listener);
      return () => refusalListeners.delete(listener);
    },
  };
}

/** The cluster as this node sees it now; a member whose own term has not begun follows no one and is not elected. */
function clusterViewOf(
  { localNode }: ClusterManagerDeps,
  parts: Parts,
  termLifecycle: TermLifecycle,
): ClusterView {
  const { member, links, discovery } = parts;
  const { consensus } = member;
  const isFollowing = consensus !== undefined && !consensus.isElected && consensus.electedId !== 0;
  return {
    localNode,
    isElected: termLifecycle.term !== undefined,
    followedId: isFollowing ? member.nodeIdOf(consensus.electedId) : undefined,
    isHalted: member.isHalted,
    nodes: member.log.state.nodes,
    connected: links.connected,
    peers: discovery.peers,
  };
}

/**
 * Steps of the reconcile loop, in their order. A term that was lost ends first, so that no later step acts for it. The
 * shown state follows, since waiting requests are released by it. Election, bootstrap, discovery and joining then move
 * towards a cluster manager; checks and reports go to the one that is known; the services of the own term come last.
 */
function reconcileSteps({ deps, parts, termLifecycle, view }: Role): readonly (() => void)[] {
  const { member, local, discovery, election, joining, leaderChecks, handOver } = parts;
  const { localNode, host } = deps;
  const initialNames = initialManagerNames(parts.settings, localNode);
  const report = createAppliedReport(deps.transport, localNode.id);
  let knownConfState: ConfState | undefined;

  return [
    termLifecycle.endIfLost,
    // A change of the elected cluster manager alone, without an entry, adds or removes the no-cluster-manager block.
    () => local.update(member.log.state, managerIdOf(view())),
    /** Waiters of the local state may wait for nodes to leave the voting configuration, which no entry with a proposal shows. */
    () => {
      const confState = member.consensus?.confState;
      if (confState === knownConfState) return;
      knownConfState = confState;
      local.reconsider();
    },
    // Every voter without a known cluster manager considers itself a candidate; the schedule decides who is first.
    () => {
      const { consensus } = member;
      election.consider(consensus && candidacyOf(consensus, parts.isConnected));
    },
    () => {
      // A node with a log, or one that lost its log, belongs to a cluster and never founds another.
      if (member.raftId !== 0 || member.loss !== undefined) return;
      // Until every seed was tried, a cluster that this node has forgotten may exist unseen.
      if (!discovery.isSurveyed()) return;
      if (!mayBootstrap(initialNames, localNode, discovery.peers.values())) return;
      host.log("info", `setting initial configuration to [${localNode.name}]`);
      member.bootstrap();
    },
    // Discovery runs exactly while this process is no member, or knows no elected cluster manager.
    () => {
      if (isMember(view())) discovery.deactivate();
      else discovery.activate();
    },
    () => joining.consider(managerToAsk(view())),
    // The elected cluster manager does not check itself; it checks the others.
    () => {
      const managerId = managerIdOf(view());
      leaderChecks.watch(managerId === localNode.id ? undefined : managerId);
    },
    // A newly elected cluster manager does not know this node's applied index, so that is reported to it again.
    () => report(managerIdOf(view()), member.log),
    () => termLifecycle.term?.changed(),
    handOver.connectionsChanged,
  ];
}

/** Connection events, in their effect on Raft, the term and the reconcile loop. */
function listen(role: Role, reconcile: () => void): void {
  const { deps, parts, termLifecycle } = role;
  const { links, member } = parts;
  links.onConnected((node) => {
    termLifecycle.term?.connected(node);
    reconcile();
  });
  links.onDisconnected((node) => {
    const { consensus } = member;
    const raftId = member.log.state.metadata.coordination.raftIds.get(node.id);
    // Replication to the node falls back to probing, instead of sending entries that are lost.
    if (raftId !== undefined) consensus?.reportUnreachable(raftId);
    // A lost connection to the elected cluster manager starts the election at once. Raft alone would wait for its
    // election timeout, and until then ignore the pre-votes of other nodes (check-quorum's lease).
    if (raftId !== undefined && consensus?.electedId === raftId) consensus.forgetElected();
    termLifecycle.term?.disconnected(node);
    reconcile();
  });
  deps.transport.handleOneWay(
    actions.managerElected,
    (payload) => decodeNode(ManagerElected.decode(payload).node),
    (node) => {
      if (role.phase !== "stopped") parts.discovery.visit(node);
    },
  );
  answerVerification(deps.transport, deps.host, parts.repositories);
}

/** Start and stop of the role. Stopping transfers the term first, and flushes the log last. */
function lifeOf(role: Role, reconcile: () => void): Pick<ClusterManager, "start" | "stop"> {
  const { deps, parts, termLifecycle, view } = role;
  const { host, localNode } = deps;
  const { member, links, settings, discovery } = parts;
  let stopWarning = (): void => undefined;
  return {
    start() {
      role.phase = "started";
      member.start();
      stopWarning = warnUntilDiscovered({
        ...{ clock: host.clock, log: host.log, settings, links, localNode },
        hasNoManager: () =>
          role.phase === "stopped" ? "stopped" : managerIdOf(view()) === undefined,
        withLostLog: () => [
          ...(member.loss === undefined ? [] : [localNode.name]),
          ...[...discovery.peers.values()].flatMap((peer) =>
            peer.isLogLost ? [peer.node.name] : [],
          ),
        ],
      });
      reconcile();
    },
    async stop() {
      // While everything still runs: the successor needs this node's vote and acknowledgements to begin its term.
      await parts.handOver.run();
      // From here on entries that Raft still applies are not shown, and no step runs.
      role.phase = "stopped";
      stopWarning();
      termLifecycle.end();
      parts.election.stop();
      parts.joining.stop();
      discovery.deactivate();
      parts.leaderChecks.watch(undefined);
      links.stop();
      parts.local.stop();
      await member.stop();
    },
  };
}
