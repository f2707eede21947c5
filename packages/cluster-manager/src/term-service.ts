/**
 * What an elected cluster manager does for the length of its term is a list of services: each begins with the term, hears of the same
 * events in the order of the list, and is lost with the term, as delays and fetched shard stores are in the product.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";

export interface AppliedEntry {
  readonly index: number;
  /** False: a configuration change, or the first entry of a term. */
  readonly hasProposal: boolean;
}

export interface TermService {
  /** An entry was applied here, which made this state. */
  applied?(entry: AppliedEntry, state: ClusterState): void;
  /** Raft, or the set of connected nodes, has changed. */
  changed?(): void;
  /** The process behind a node id, or behind an address, may be another one now. */
  connected?(node: DiscoveryNode): void;
  disconnected?(node: DiscoveryNode): void;
  end?(): void;
}

/** A service of another part of the program, made anew for each term. */
export type BeginTermService = (term: number) => TermService;
