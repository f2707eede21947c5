/**
 * Next change of Raft's configuration towards the voting configuration of the applied state. Pure.
 *
 * INV-COORD-5: Raft's configuration follows the applied one and never leads it. In the order of steps: nodes to be fed
 * become learners; learners that are to vote and have caught up become voters, together with the demotion of voters that
 * are to leave (joint consensus, Raft section 6); nodes that left the state are removed. An elected cluster manager that
 * is to leave the configuration transfers its term first and never removes itself: its successor removes it.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { ConfChangeSingle, Configuration } from "@orrery/raft";

/** Whether the node may vote and be elected. */
export function isEligible(node: DiscoveryNode): boolean {
  return node.roles.includes("cluster_manager");
}

/** Whether more than half of `voters` are in `among`; never true for no voters. */
export function hasMajority(voters: Iterable<unknown>, among: ReadonlySet<unknown>): boolean {
  const all = [...voters];
  return all.filter((voter) => among.has(voter)).length * 2 > all.length;
}

/** Whether both lists have the same elements, regardless of order and repetition. */
export function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  const members = new Set(a);
  return members.size === new Set(b).size && b.every((item) => members.has(item));
}

/**
 * Input of `nextStep`, by Raft id: Raft's current configuration, the voters and members that it is to have, and which of
 * them are caught up. Members that are no voters are to be learners.
 */
export interface ConfigurationInput {
  readonly configuration: Configuration;
  /** Raft id of the local node, the elected cluster manager. */
  readonly selfId: number;
  /** The voting configuration of the applied state. */
  readonly voters: ReadonlySet<number>;
  /** All nodes that are to receive the log: members of the state, and joining nodes. */
  readonly members: ReadonlySet<number>;
  /** Whether the node answers, and its match index is near the commit index. */
  readonly isCaughtUp: (raftId: number) => boolean;
}

/** The next action towards the desired configuration. */
export type ConfigurationStep =
  | { readonly kind: "none" }
  | { readonly kind: "change"; readonly changes: readonly ConfChangeSingle[] }
  /** Transfer of the term to one of these voters, since this node is to leave the configuration. */
  | { readonly kind: "hand-over"; readonly to: readonly number[] };

/** The next step. `none` while a joint configuration is being left, and when nothing is left to do or possible now. */
export function nextStep(input: ConfigurationInput): ConfigurationStep {
  const { configuration, selfId, voters, members, isCaughtUp } = input;
  if (configuration.outgoing.size > 0) return { kind: "none" };
  const { incoming, learners } = configuration;
  // A new voter starts as a learner: a voter with an empty log would raise the quorum without being able to acknowledge
  // (Raft thesis section 4.2.1).
  const added = [...members]
    .filter((id) => !incoming.has(id) && !learners.has(id) && !voters.has(id))
    .map((nodeId): ConfChangeSingle => ({ type: "ConfChangeAddLearnerNode", nodeId }));
  const fed = [...voters]
    .filter((id) => members.has(id) && !incoming.has(id) && !learners.has(id))
    .map((nodeId): ConfChangeSingle => ({ type: "ConfChangeAddLearnerNode", nodeId }));
  const promoted = [...voters]
    .filter((id) => learners.has(id) && isCaughtUp(id))
    .map((nodeId): ConfChangeSingle => ({ type: "ConfChangeAddNode", nodeId }));
  const ready = new Set([...incoming, ...promoted.map(({ nodeId }) => nodeId)]);
  const isComplete = [...voters].every((id) => ready.has(id) || !members.has(id));
  const staying = [...ready].filter((id) => voters.has(id) || id === selfId);
  const alive = new Set(staying.filter((id) => id === selfId || isCaughtUp(id)));
  const demoted = [...incoming]
    .filter((id) => !voters.has(id) && id !== selfId)
    .map((nodeId) => leave(nodeId, members.has(nodeId)));
  const removed = [...learners]
    .filter((id) => !members.has(id) && !voters.has(id))
    .map((nodeId) => leave(nodeId, false));
  // A voter is demoted only together with, or after, the promotion of those that replace it, and only while a majority of
  // the remaining voters is caught up; otherwise the cluster could lose its quorum with the next failure, or at once.
  const mayLeave = isComplete && hasMajority(staying, alive);
  const changes = [...added, ...fed, ...promoted, ...(mayLeave ? demoted : []), ...removed];
  if (changes.length > 0) return { kind: "change", changes };
  if (voters.has(selfId) || !incoming.has(selfId)) return { kind: "none" };
  const successors = [...voters].filter((id) => incoming.has(id) && isCaughtUp(id));
  return successors.length > 0 ? { kind: "hand-over", to: successors } : { kind: "none" };
}

/** The change for a voter or learner that leaves: a member of the state stays as a learner, another node is removed. */
function leave(nodeId: number, isMember: boolean): ConfChangeSingle {
  return { type: isMember ? "ConfChangeAddLearnerNode" : "ConfChangeRemoveNode", nodeId };
}
