/**
 * Composes the role: discovery, joining, elections, Raft, and while this node is elected a term of deciding.
 *
 * Everything reacts in one place, the look loop: whatever changed, the same questions are asked again in the same order. Not to
 * be confused with the package `coordinator`; OpenSearch's *class* `Coordinator` is what is here.
 */
import { actions, decodeNode, ManagerElected } from "@orrery/protocol";
import type { ConfState } from "@orrery/raft";
import { compareText, type NodeId, type Problem } from "@orrery/stdx";
import { createAppliedReport } from "./applied-report.ts";
import { createAppliedState } from "./applied-state.ts";
import { initialManagerNames, mayBootstrap } from "./bootstrap.ts";
import { candidacyOf } from "./election.ts";
import { warnWhileAlone } from "./formation-warning.ts";
import { registerHandlers } from "./handlers.ts";
import { createLookLoop } from "./look-loop.ts";
import { createOffice, type Office } from "./office.ts";
import { createParts, type Parts } from "./parts.ts";
import { createQuestions } from "./questions.ts";
import { isMember, managerIdOf, managerToAsk, type Standing } from "./standing.ts";
import { answerVerification } from "./snapshots/verify.ts";
import type { ClusterManager, ClusterManagerDeps } from "./types.ts";

/** What the role is made of, and how far its life has come. */
interface Role {
  readonly deps: ClusterManagerDeps;
  readonly parts: Parts;
  readonly office: Office;
  readonly standing: () => Standing;
  phase: "made" | "started" | "stopped";
}

export function createClusterManager(deps: ClusterManagerDeps): ClusterManager {
  const { host, localNode } = deps;
  const refusalListeners = new Set<(problem: Problem) => void>();
  const parts = createParts(deps, {
    standing: () => standingOf(deps, parts, office),
    look: () => look(),
    applied: (entry) => applied(entry),
    refused: (problem) => refusalListeners.forEach((listener) => listener(problem)),
  });
  const { member, reads, local, submission } = parts;
  const office = createOffice({ ...deps, ...parts });
  const standing = (): Standing => standingOf(deps, parts, office);
  const role: Role = { deps, parts, office, standing, phase: "made" };
  const showApplied = createAppliedState({
    ...{ trace: host.trace, localNode, links: parts.links, local },
    managerId: () => managerIdOf(standing()),
  });

  const applied: Parameters<typeof createParts>[1]["applied"] = (entry) => {
    if (role.phase === "stopped") return;
    office.endIfLost();
    showApplied(member.log.state, entry.hasProposal);
    office.applied(entry);
    parts.handOver.applied(entry.term);
    reads.applied(entry.index);
  };
  const lookAgain = createLookLoop(questionsOf(role));
  const look = (): void => {
    if (role.phase === "started") lookAgain();
  };

  listen(role, look);
  registerHandlers({ ...deps, ...parts, elected: () => office.term });
  return {
    ...lifeOf(role, look),
    get isElected() {
      return office.term !== undefined;
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
    ...createQuestions({ clock: host.clock, local, reads, submission }),
    onJoinRefused(listener) {
      refusalListeners.add(listener);
      return () => refusalListeners.delete(listener);
    },
  };
}

function standingOf({ localNode }: ClusterManagerDeps, parts: Parts, office: Office): Standing {
  const { member, links, discovery } = parts;
  const { consensus } = member;
  const isFollowing = consensus !== undefined && !consensus.isElected && consensus.electedId !== 0;
  return {
    localNode,
    isElected: office.term !== undefined,
    followedId: isFollowing ? member.nodeIdOf(consensus.electedId) : undefined,
    isHalted: member.isHalted,
    nodes: member.log.state.nodes,
    connected: links.connected,
    peers: discovery.peers,
  };
}

/** In the order in which they are asked whenever something has changed. */
function questionsOf({ deps, parts, office, standing }: Role): readonly (() => void)[] {
  const { member, local, discovery, election, joining, leaderChecks, handOver } = parts;
  const { localNode, host } = deps;
  const initialNames = initialManagerNames(parts.settings, localNode);
  const report = createAppliedReport(deps.transport, localNode.id);
  let knownConfState: ConfState | undefined;

  return [
    office.endIfLost,
    () => local.update(member.log.state, managerIdOf(standing())),
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
      if (isMember(standing())) discovery.rest();
      else discovery.seek();
    },
    () => joining.consider(managerToAsk(standing())),
    () => {
      const managerId = managerIdOf(standing());
      leaderChecks.watch(managerId === localNode.id ? undefined : managerId);
    },
    () => report(managerIdOf(standing()), member.log),
    () => office.term?.changed(),
    handOver.look,
  ];
}

function listen(role: Role, look: () => void): void {
  const { deps, parts, office } = role;
  const { links, member } = parts;
  links.onConnected((node) => {
    office.term?.connected(node);
    look();
  });
  links.onDisconnected((node) => {
    const { consensus } = member;
    const raftId = member.log.state.metadata.coordination.raftIds.get(node.id);
    if (raftId !== undefined) consensus?.reportUnreachable(raftId);
    if (raftId !== undefined && consensus?.electedId === raftId) consensus.forgetElected();
    office.term?.disconnected(node);
    look();
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

function lifeOf(role: Role, look: () => void): Pick<ClusterManager, "start" | "stop"> {
  const { deps, parts, office, standing } = role;
  const { host, localNode } = deps;
  const { member, links, settings, discovery } = parts;
  let stopWarning = (): void => undefined;
  return {
    start() {
      role.phase = "started";
      member.start();
      stopWarning = warnWhileAlone({
        ...{ clock: host.clock, log: host.log, settings, links, localNode },
        isAlone: () =>
          role.phase === "stopped" ? "stopped" : managerIdOf(standing()) === undefined,
        withLostLog: () => [
          ...(member.loss === undefined ? [] : [localNode.name]),
          ...[...discovery.peers.values()].flatMap((peer) =>
            peer.isLogLost ? [peer.node.name] : [],
          ),
        ],
      });
      look();
    },
    async stop() {
      await parts.handOver.run();
      role.phase = "stopped";
      stopWarning();
      office.end();
      parts.election.stop();
      parts.joining.stop();
      discovery.rest();
      parts.leaderChecks.watch(undefined);
      links.stop();
      parts.local.stop();
      await member.stop();
    },
  };
}
