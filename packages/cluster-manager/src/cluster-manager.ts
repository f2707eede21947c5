/**
 * Composes the role: discovery, joining, elections, Raft, and while this node is elected a term of deciding.
 *
 * Everything reacts in one place, `look`: whatever changed, the same questions are asked again in the same order. Not to
 * be confused with the package `coordinator`; OpenSearch's *class* `Coordinator` is what is here.
 */
import { initialState, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import { actions, decodeNode, encodeNode, ManagerElected, StateApplied } from "@orrery/protocol";
import type { ConfState } from "@orrery/raft";
import { compareText, type NodeId, type Problem } from "@orrery/stdx";
import { initialManagerNames, mayBootstrap } from "./bootstrap.ts";
import { changedCopies } from "./changed-copies.ts";
import { tickFor } from "./consensus.ts";
import { createDiscovery } from "./discovery.ts";
import { beginTerm, type ElectedTerm } from "./elected.ts";
import { candidacyOf, createElectionScheduler, type Candidacy } from "./election.ts";
import { warnWhileAlone } from "./formation-warning.ts";
import { registerHandlers } from "./handlers.ts";
import { createHandOver } from "./hand-over.ts";
import { createJoining } from "./joining.ts";
import { createLeaderChecks } from "./leader-checks.ts";
import { createLinks } from "./links.ts";
import { createLocalState } from "./local-state.ts";
import { createMember } from "./member.ts";
import { flatPositions } from "./quarantine.ts";
import { createQuestions } from "./questions.ts";
import { createReads } from "./reads.ts";
import { traceStateChanges } from "./state-events.ts";
import { createSettings } from "./settings.ts";
import { createManagerRepositories } from "./snapshots/repositories.ts";
import { answerVerification } from "./snapshots/verify.ts";
import { createSubmission } from "./submission.ts";
import type { ClusterManager, ClusterManagerDeps } from "./types.ts";

export function createClusterManager(deps: ClusterManagerDeps): ClusterManager {
  const { host, transport, peers, localNode } = deps;
  const { clock } = host;
  const random = host.random("cluster-manager");
  const refusalListeners = new Set<(problem: Problem) => void>();
  let elected: ElectedTerm | undefined;
  let stopWarning = (): void => undefined;
  let isStarted = false;
  let isStopped = false;
  let isLooking = false;
  let mustLookAgain = false;
  let keptNodes: ClusterState["nodes"] | undefined;
  let knownConfState: ConfState | undefined;
  let reported = { managerId: "" as NodeId, index: 0 };

  /** The applied state, once there is somebody who applies. */
  let current = (): ClusterState => initialState("");
  const settings = createSettings(deps.settings, () => current());
  const clusterName = settings.text("cluster.name");
  const initialNames = initialManagerNames(settings, localNode);
  const findPeersIntervalMs = settings.duration("discovery.find_peers_interval");
  const decommissionedPauseMs = (): number =>
    settings.duration("discovery.find_peers_interval_during_decommission");

  const repositories = createManagerRepositories(host.blobs, deps.settings);
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
    applied: (entry) => applied(entry),
    readable: reads.readable,
    changed: () => look(),
  });
  current = () => member.log.state;
  const submission = createSubmission({
    clock,
    random,
    transport,
    local,
    appliedHere: reads.appliedHere,
  });
  const discovery = createDiscovery({
    clock,
    transport,
    links,
    localNode,
    seedAddresses: settings.list("discovery.seed_hosts"),
    findPeersIntervalMs: () =>
      joining.isDecommissioned ? decommissionedPauseMs() : findPeersIntervalMs,
    requestTimeoutMs: settings.duration("discovery.request_peers_timeout"),
    lastKnown: () => [...member.log.state.nodes.values()],
    describe: () => ({
      managerNode: managerNode(),
      hasCluster: member.raftId !== 0 || member.loss !== undefined,
      isLogLost: member.loss !== undefined,
      clusterUuid: clusterUuid(),
      term: member.consensus?.term ?? 0,
    }),
    found: () => look(),
    surveyed: () => look(),
  });
  const election = createElectionScheduler({
    clock,
    random,
    settings,
    campaign: () => member.consensus?.campaign(),
  });
  const joining = createJoining({
    clock,
    transport,
    log: host.log,
    localNode,
    identity: () => ({
      clusterUuid: clusterUuid(),
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
      look();
    },
    decommissionedPauseMs,
    refused: (problem) => refusalListeners.forEach((listener) => listener(problem)),
  });
  const leaderChecks = createLeaderChecks({
    clock,
    transport,
    settings,
    localNode,
    failed() {
      member.consensus?.forgetElected();
      look();
    },
  });

  const clusterUuid = (): string => {
    const { metadata } = member.log.state;
    return metadata.isClusterUuidCommitted ? metadata.clusterUuid : "";
  };

  /** The elected cluster manager as far as Raft tells; undefined while it has not taken up its term. */
  const managerId = (): NodeId | undefined => {
    const { consensus } = member;
    if (elected !== undefined) return localNode.id;
    if (consensus === undefined || consensus.isElected || consensus.electedId === 0)
      return undefined;
    return member.nodeIdOf(consensus.electedId);
  };

  const nodeOf = (nodeId: NodeId | undefined): DiscoveryNode | undefined => {
    if (nodeId === undefined || nodeId === localNode.id) {
      return nodeId === undefined ? undefined : localNode;
    }
    return links.connected.get(nodeId) ?? member.log.state.nodes.get(nodeId);
  };

  const managerNode = (): DiscoveryNode | undefined => nodeOf(managerId());

  const isIn = ({ nodes }: ClusterState): boolean =>
    nodes.get(localNode.id)?.ephemeralId === localNode.ephemeralId;

  const isMember = (): boolean => managerId() !== undefined && isIn(member.log.state);

  /** Whom to ask for membership: the one Raft names, else the one of the highest term that others name. */
  const managerToAsk = (): DiscoveryNode | undefined => {
    if (elected !== undefined || isMember() || member.isHalted) return undefined;
    const known = managerNode();
    if (known !== undefined && links.connected.has(known.id)) return known;
    const named = [...discovery.peers.values()]
      .filter(({ managerNode: node }) => node !== undefined && links.connected.has(node.id))
      .toSorted((a, b) => b.term - a.term);
    const id = named[0]?.managerNode?.id;
    return id === undefined ? undefined : links.connected.get(id);
  };

  const isConnected = (raftId: number): boolean => {
    const nodeId = member.nodeIdOf(raftId);
    return nodeId !== undefined && links.connected.has(nodeId);
  };

  const candidacy = (): Candidacy | undefined => {
    const { consensus } = member;
    return consensus === undefined ? undefined : candidacyOf(consensus, isConnected);
  };

  const handOver = createHandOver({ clock, consensus: () => member.consensus, isConnected });

  const isAlone = (): boolean | "stopped" => (isStopped ? "stopped" : managerId() === undefined);

  const endTerm = (): void => {
    const ended = elected;
    elected = undefined;
    ended?.end();
    reads.lose();
  };

  const endTermIfLost = (): void => {
    const { consensus } = member;
    if (elected === undefined) return;
    if (consensus?.isElected === true && consensus.term === elected.term) return;
    endTerm();
  };

  /** A term begins when its first entry is applied: all that was committed before is in the state now. */
  const beginTermIfWon = (entry: { readonly index: number; readonly term: number }): void => {
    const { consensus } = member;
    if (elected !== undefined || consensus?.isElected !== true || consensus.term !== entry.term) {
      return;
    }
    elected = beginTerm({
      host,
      random,
      transport,
      localNode,
      settings,
      links,
      consensus,
      rules: deps.rules,
      repositories,
      applied: () => member.log.state,
      beginIndex: entry.index,
      findTask: (id) => member.log.find(id),
      passedOver: () => member.passedOver,
    });
    const news = ManagerElected.encode({ node: encodeNode(localNode) }).finish();
    for (const { id } of links.connected.values())
      transport.send(id, actions.managerElected, news, "state");
  };

  /** As the trace knows it. */
  let tracedState: ClusterState | undefined;

  const applied = (entry: {
    readonly index: number;
    readonly term: number;
    readonly hasProposal: boolean;
  }): void => {
    if (isStopped) return;
    endTermIfLost();
    const { state } = member.log;
    if (state.nodes !== keptNodes) {
      keptNodes = state.nodes;
      links.keep(state.nodes.values());
    }
    if (entry.hasProposal) {
      const { version, stateUuid, term } = state;
      host.trace({
        kind: "cluster-state-applied",
        nodeId: localNode.id,
        ...{ term, version, stateUuid },
        isMember: isIn(state),
      });
      for (const change of changedCopies(tracedState, state, localNode.id)) host.trace(change);
      tracedState = state;
    }
    local.update(state, managerId());
    if (elected === undefined) beginTermIfWon(entry);
    else elected.applied(entry, state);
    handOver.applied(entry.term);
    reads.applied(entry.index);
  };

  const reportApplied = (): void => {
    const to = managerId();
    const { index, state } = member.log;
    if (to === undefined || to === localNode.id) return;
    if (to === reported.managerId && index === reported.index) return;
    reported = { managerId: to, index };
    const report = StateApplied.encode({ index, version: state.version }).finish();
    transport.send(to, actions.stateApplied, report, "state");
  };

  const bootstrapIfFirst = (): void => {
    if (member.raftId !== 0 || member.loss !== undefined || !isStarted) return;
    // Before that a cluster this node has forgotten could be there without its knowledge.
    if (!discovery.isSurveyed()) return;
    if (!mayBootstrap(initialNames, localNode, discovery.peers.values())) return;
    host.log("info", `setting initial configuration to [${localNode.name}]`);
    member.bootstrap();
  };

  const votersAmong = (raftIds: readonly number[] = []): readonly NodeId[] =>
    raftIds.flatMap((id) => member.nodeIdOf(id) ?? []).toSorted(compareText);

  /** Those who wait may wait for nodes to lose their vote. */
  const reconsiderVoters = (): void => {
    const confState = member.consensus?.confState;
    if (confState === knownConfState) return;
    knownConfState = confState;
    local.reconsider();
  };

  const lookOnce = (): void => {
    endTermIfLost();
    local.update(member.log.state, managerId());
    reconsiderVoters();
    election.consider(candidacy());
    bootstrapIfFirst();
    if (isMember()) discovery.rest();
    else discovery.seek();
    joining.consider(managerToAsk());
    const manager = managerId();
    leaderChecks.watch(manager === localNode.id ? undefined : manager);
    reportApplied();
    elected?.changed();
    handOver.look();
  };

  const look = (): void => {
    if (!isStarted || isStopped) return;
    mustLookAgain = true;
    if (isLooking) return;
    isLooking = true;
    try {
      while (mustLookAgain) {
        mustLookAgain = false;
        lookOnce();
      }
    } finally {
      isLooking = false;
    }
  };

  links.onConnected((node) => {
    elected?.connected(node);
    look();
  });
  links.onDisconnected((node) => {
    const { consensus } = member;
    const raftId = member.log.state.metadata.coordination.raftIds.get(node.id);
    if (raftId !== undefined) consensus?.reportUnreachable(raftId);
    if (raftId !== undefined && consensus?.electedId === raftId) consensus.forgetElected();
    elected?.disconnected(node);
    look();
  });
  transport.handleOneWay(
    actions.managerElected,
    (payload) => decodeNode(ManagerElected.decode(payload).node),
    (node) => {
      if (!isStopped) discovery.visit(node);
    },
  );
  answerVerification(transport, host, repositories);
  registerHandlers({
    host,
    random,
    transport,
    localNode,
    member,
    reads,
    submission,
    elected: () => elected,
  });

  return {
    start() {
      isStarted = true;
      member.start();
      stopWarning = warnWhileAlone({
        clock,
        log: host.log,
        settings,
        links,
        localNode,
        isAlone,
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
      await handOver.run();
      isStopped = true;
      stopWarning();
      endTerm();
      election.stop();
      joining.stop();
      discovery.rest();
      leaderChecks.watch(undefined);
      links.stop();
      local.stop();
      await member.stop();
    },
    get isElected() {
      return elected !== undefined;
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
      return {
        current: votersAmong(confState?.voters),
        former: votersAmong(confState?.votersOutgoing),
      };
    },
    ...createQuestions({ clock, local, reads, submission }),
    onJoinRefused(listener) {
      refusalListeners.add(listener);
      return () => refusalListeners.delete(listener);
    },
  };
}
