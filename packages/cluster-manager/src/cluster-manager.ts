/**
 * Composes the role: discovery, joining, elections, Raft, and while this node is elected a term of deciding.
 *
 * Everything reacts in one place, the reconcile loop: whatever changed, the same questions are asked again in the same order. Not to
 * be confused with the package `coordinator`; OpenSearch's *class* `Coordinator` is what is here.
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

/** What the role is made of, and how far its life has come. */
interface Role {
  readonly deps: ClusterManagerDeps;
  readonly parts: Parts;
  readonly termLifecycle: TermLifecycle;
  readonly view: () => ClusterView;
  phase: "made" | "started" | "stopped";
}

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
    termLifecycle.endIfLost();
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

/** In the order in which they are asked whenever something has changed. */
function reconcileSteps({ deps, parts, termLifecycle, view }: Role): readonly (() => void)[] {
  const { member, local, discovery, election, joining, leaderChecks, handOver } = parts;
  const { localNode, host } = deps;
  const initialNames = initialManagerNames(parts.settings, localNode);
  const report = createAppliedReport(deps.transport, localNode.id);
  let knownConfState: ConfState | undefined;

  return [
    termLifecycle.endIfLost,
    () => local.update(member.log.state, managerIdOf(view())),
    /** Those who wait may wait for nodes to lose their vote. */
    () => {
      const confState = member.consensus?.confState;
      if (confState === knownConfState) return;
      knownConfState = confState;
      local.reconsider();
    },
    () => {
      const { consensus } = member;
      election.consider(consensus && candidacyOf(consensus, parts.isConnected));
    },
    () => {
      if (member.raftId !== 0 || member.loss !== undefined) return;
      // Before that a cluster this node has forgotten could be there without its knowledge.
      if (!discovery.isSurveyed()) return;
      if (!mayBootstrap(initialNames, localNode, discovery.peers.values())) return;
      host.log("info", `setting initial configuration to [${localNode.name}]`);
      member.bootstrap();
    },
    () => {
      if (isMember(view())) discovery.deactivate();
      else discovery.activate();
    },
    () => joining.consider(managerToAsk(view())),
    () => {
      const managerId = managerIdOf(view());
      leaderChecks.watch(managerId === localNode.id ? undefined : managerId);
    },
    () => report(managerIdOf(view()), member.log),
    () => termLifecycle.term?.changed(),
    handOver.connectionsChanged,
  ];
}

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
    if (raftId !== undefined) consensus?.reportUnreachable(raftId);
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
      await parts.handOver.run();
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
