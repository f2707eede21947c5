/**
 * Alternation of the two configurations, one step at a time (INV-COORD-5, `Reconfigurator`): Raft's configuration
 * follows the voting configuration of the applied state, and once it has, the state's own is adapted to the live nodes
 * by the task `reconfigure-voters`. A service of the term.
 *
 * The state decides and Raft follows, never the other way: the state is what clients read and what exclusions and
 * decommissions change. At most one Raft change and one task are under way, as Raft allows one change at a time.
 */
import {
  desiredVoters,
  withNodeSettings,
  type ClusterState,
  type Settings,
  type Task,
} from "@orrery/cluster-state";
import type { NodeId, Random } from "@orrery/stdx";
import type { Consensus } from "./consensus.ts";
import { isSameSet, nextStep, type ConfigurationInput } from "./voters.ts";

export interface FollowConfigurationOptions {
  readonly consensus: Consensus;
  readonly random: Random;
  readonly localId: NodeId;
  /** Settings of this node, which apply where the cluster settings have no value. */
  readonly nodeSettings: Settings;
  readonly applied: () => ClusterState;
  /** The last proposed state; it is ahead of the applied one while entries are in flight. */
  readonly proposed: () => ClusterState;
  /** Raft ids of nodes that are fed the log and are not members yet. */
  readonly joining: () => Iterable<number>;
  readonly isLive: (nodeId: NodeId) => boolean;
  readonly isCaughtUp: (raftId: number) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
}

/** The follower of one term. */
export interface ConfigurationFollower {
  /** Takes the next step, if one is due and possible. */
  follow(): void;
  /** Forgets that nothing is left to do, after a change of connections or of the joining nodes. */
  invalidate(): void;
  /** An entry without a proposal was applied: a configuration change, or the empty entry that Raft put in its place. */
  changeApplied(): void;
}

/** A follower that has taken no step. */
export function createConfigurationFollower(
  options: FollowConfigurationOptions,
): ConfigurationFollower {
  const { consensus, applied, proposed, localId } = options;
  /** A task `reconfigure-voters` is under way. */
  let isReconfiguring = false;
  /** A change of Raft's configuration is proposed and not applied. */
  let isChanging = false;
  /** The state for which both configurations were as they should be: `follow` runs after every change of any kind. */
  let settledFor: ClusterState | undefined;

  const inputFor = ({ nodes, metadata }: ClusterState): ConfigurationInput => {
    const { raftIds, votingConfiguration } = metadata.coordination;
    const idsOf = (nodeIds: Iterable<NodeId>): number[] =>
      [...nodeIds].flatMap((nodeId) => raftIds.get(nodeId) ?? []);
    return {
      configuration: consensus.configuration(),
      selfId: consensus.raftId,
      voters: new Set(idsOf(votingConfiguration)),
      members: new Set([...idsOf(nodes.keys()), ...options.joining()]),
      isCaughtUp: options.isCaughtUp,
    };
  };

  /** Proposes the desired voters. True when the state has them already. */
  const reconfigure = (): boolean => {
    const state = proposed();
    // Before `become-cluster-manager` is proposed, the state's nodes are those of the former term, some of them dead.
    if (isReconfiguring || state.managerNodeId !== localId) return false;
    const current = state.metadata.coordination.votingConfiguration;
    const live = new Set([...state.nodes.keys()].filter(options.isLive));
    const voters = desiredVoters(withNodeSettings(state, options.nodeSettings), live, localId);
    if (isSameSet(voters, current)) return true;
    isReconfiguring = true;
    const end = (): void => {
      isReconfiguring = false;
    };
    options.submit({ kind: "reconfigure-voters", voters }).then(end, end);
    return false;
  };

  return {
    follow() {
      // The applied state, since what Raft follows must be committed: a voting configuration that is lost with this term
      // would have changed the quorum of the next.
      const state = applied();
      if (settledFor === state || isChanging || consensus.isTransferring()) return;
      const input = inputFor(state);
      const step = nextStep(input);
      if (step.kind === "change") {
        isChanging = true;
        if (!consensus.changeConfiguration(step.changes)) isChanging = false;
      } else if (step.kind === "hand-over") {
        consensus.transferTo(options.random.pick(step.to));
      } else {
        // Only when Raft has caught up with the applied state may the state ask for other voters, else a fast sequence of
        // joins and departures would make the state run ahead of Raft without bound.
        const { incoming, outgoing } = input.configuration;
        const hasFollowed = outgoing.size === 0 && isSameSet([...incoming], [...input.voters]);
        if (reconfigure() && hasFollowed && proposed() === state) settledFor = state;
      }
    },
    invalidate() {
      settledFor = undefined;
    },
    changeApplied() {
      isChanging = false;
      settledFor = undefined;
    },
  };
}
