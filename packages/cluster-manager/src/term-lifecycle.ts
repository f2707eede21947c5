/**
 * Beginning and end of the terms in which this node is the elected cluster manager.
 *
 * A term begins when its first entry, which Raft appends at the election, is applied here, not at the election itself:
 * only then is everything that earlier terms committed in the applied state (Raft section 5.4.2). A cluster manager that
 * decided earlier could undo committed changes that it had not yet applied. A term ends when Raft elects another node,
 * steps down, or stops.
 */
import { actions, encodeNode, ManagerElected } from "@orrery/protocol";
import { beginTerm, type ElectedOptions, type ElectedTerm } from "./elected.ts";
import type { Member } from "./member.ts";
import type { Reads } from "./reads.ts";

export interface TermLifecycleOptions extends Pick<
  ElectedOptions,
  | "host"
  | "random"
  | "transport"
  | "localNode"
  | "settings"
  | "links"
  | "rules"
  | "repositories"
  | "termServices"
> {
  readonly member: Member;
  readonly reads: Reads;
}

/** The term of this node, if it has one. */
export interface TermLifecycle {
  /** The running term; undefined while this node is not the elected cluster manager. */
  readonly term: ElectedTerm | undefined;
  /** Begins the term at its first entry, or passes the entry to the services of the running one. */
  applied(entry: {
    readonly index: number;
    readonly term: number;
    readonly hasProposal: boolean;
  }): void;
  /** Ends the running term unless Raft still has this node elected in it. */
  endIfLost(): void;
  /** Ends the running term, and rejects reads that are not confirmed. */
  end(): void;
}

/** The lifecycle of a node that has no term running. */
export function createTermLifecycle(options: TermLifecycleOptions): TermLifecycle {
  const { member, transport } = options;
  let elected: ElectedTerm | undefined;

  /** Begins the term if the entry is of the term in which Raft has this node elected; entries of earlier terms come first. */
  const beginIfWon = (entry: { readonly index: number; readonly term: number }): void => {
    const { consensus } = member;
    if (consensus?.isElected !== true || consensus.term !== entry.term) return;
    elected = beginTerm({
      ...options,
      consensus,
      applied: () => member.log.state,
      beginIndex: entry.index,
      findTask: (id) => member.log.find(id),
      passedOver: () => member.passedOver,
    });
    // Connected nodes are told at once: those without a cluster manager send their join requests without waiting for
    // their next round of discovery.
    const news = ManagerElected.encode({ node: encodeNode(options.localNode) }).finish();
    for (const { id } of options.links.connected.values())
      transport.send(id, actions.managerElected, news, "state");
  };

  const end = (): void => {
    // Cleared first: services that end reject requests, whose handlers must find no term any more.
    const ended = elected;
    elected = undefined;
    ended?.end();
    options.reads.lose();
  };

  return {
    get term() {
      return elected;
    },
    applied(entry) {
      if (elected === undefined) beginIfWon(entry);
      else elected.applied(entry, member.log.state);
    },
    endIfLost() {
      const { consensus } = member;
      if (elected === undefined) return;
      if (consensus?.isElected === true && consensus.term === elected.term) return;
      end();
    },
    end,
  };
}
