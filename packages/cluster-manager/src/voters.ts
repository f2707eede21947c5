/**
 * How Raft's configuration gets to where the applied state wants it. Pure.
 *
 * INV-COORD-5: it follows the applied voting configuration and never leads it; the elected cluster manager never
 * removes itself, it hands over first.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import type { ConfChangeSingle, Configuration } from "@orrery/raft";

export function isEligible(node: DiscoveryNode): boolean {
  return node.roles.includes("cluster_manager");
}

export function hasMajority(voters: Iterable<unknown>, among: ReadonlySet<unknown>): boolean {
  const all = [...voters];
  return all.filter((voter) => among.has(voter)).length * 2 > all.length;
}

export function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  const members = new Set(a);
  return members.size === new Set(b).size && b.every((item) => members.has(item));
}

export interface ConfigurationInput {
  readonly configuration: Configuration;
  readonly selfId: number;
  /** Raft ids of the applied voting configuration. */
  readonly voters: ReadonlySet<number>;
  /** Raft ids of all nodes that are to be fed the log: members of the state, and nodes that join. */
  readonly members: ReadonlySet<number>;
  /** Connected, and close to the end of the log. */
  readonly isCaughtUp: (raftId: number) => boolean;
}

export type ConfigurationStep =
  | { readonly kind: "none" }
  | { readonly kind: "change"; readonly changes: readonly ConfChangeSingle[] }
  /** Another voter must become elected, since this one is to leave the configuration. */
  | { readonly kind: "hand-over"; readonly to: readonly number[] };

/** The next step from Raft's configuration towards what the applied state asks for. */
export function nextStep(input: ConfigurationInput): ConfigurationStep {
  const { configuration, selfId, voters, members, isCaughtUp } = input;
  if (configuration.outgoing.size > 0) return { kind: "none" };
  const { incoming, learners } = configuration;
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
  // A voter goes only together with, or after, those that come, and never while those that stay could elect nobody.
  const mayLeave = isComplete && hasMajority(staying, alive);
  const changes = [...added, ...fed, ...promoted, ...(mayLeave ? demoted : []), ...removed];
  if (changes.length > 0) return { kind: "change", changes };
  if (voters.has(selfId) || !incoming.has(selfId)) return { kind: "none" };
  const successors = [...voters].filter((id) => incoming.has(id) && isCaughtUp(id));
  return successors.length > 0 ? { kind: "hand-over", to: successors } : { kind: "none" };
}

function leave(nodeId: number, isMember: boolean): ConfChangeSingle {
  return { type: isMember ? "ConfChangeAddLearnerNode" : "ConfChangeRemoveNode", nodeId };
}
