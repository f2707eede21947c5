/**
 * Keeps Raft's configuration and the state's voting configuration moving, one step at a time: first Raft follows the applied
 * state, and when it has, the state may ask for other voters. Part of a term of being elected.
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
  /** They hold where the cluster's say nothing. */
  readonly nodeSettings: Settings;
  readonly applied: () => ClusterState;
  readonly proposed: () => ClusterState;
  /** Raft ids of nodes that are fed the log and not members yet. */
  readonly joining: () => Iterable<number>;
  readonly isLive: (nodeId: NodeId) => boolean;
  readonly isCaughtUp: (raftId: number) => boolean;
  readonly submit: (task: Task) => Promise<unknown>;
}

export interface ConfigurationFollower {
  /** Takes the next step, if there is one. */
  follow(): void;
  /** Who is connected, or who joins, has changed. */
  invalidate(): void;
  /** An entry without a proposal was applied: a configuration change, or what became of one. */
  changeApplied(): void;
}

export function createConfigurationFollower(
  options: FollowConfigurationOptions,
): ConfigurationFollower {
  const { consensus, applied, proposed, localId } = options;
  let isReconfiguring = false;
  let isChanging = false;
  /** The state for which there was nothing left to do. */
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

  /** True when the voters are as they should be. */
  const reconfigure = (): boolean => {
    const state = proposed();
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
