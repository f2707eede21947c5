/**
 * Services of a term: the work of an elected cluster manager is a list of them. Each is created when the term begins,
 * receives every event in the order of the list, and is discarded when the term ends. All calls are synchronous.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";

/** An entry that was applied during the term. */
export interface AppliedEntry {
  readonly index: number;
  /** False for configuration changes, and for skipped entries. */
  readonly hasProposal: boolean;
}

/** The events of a term; a service implements those that concern it. */
export interface TermService {
  /** An entry was applied here, and produced this state. */
  applied?(entry: AppliedEntry, state: ClusterState): void;
  /** Something in Raft, or in the set of connected nodes, has changed. Called often, also without effect. */
  changed?(): void;
  /** A node was connected: a new one, or a new process of a known one. */
  connected?(node: DiscoveryNode): void;
  disconnected?(node: DiscoveryNode): void;
  /** The term has ended: timers are cancelled, waits rejected. No other event follows. */
  end?(): void;
}

/** Creates a service of a plugin or of another package, for each term anew. */
export type BeginTermService = (term: number) => TermService;
