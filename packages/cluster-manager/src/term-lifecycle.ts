/**
 * The office of the elected cluster manager as this node may hold it: a term begins when its first entry is applied here, and ends when
 * Raft elects another node, or its term is over.
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

export interface TermLifecycle {
  /** The term that this node serves as the elected cluster manager. */
  readonly term: ElectedTerm | undefined;
  applied(entry: {
    readonly index: number;
    readonly term: number;
    readonly hasProposal: boolean;
  }): void;
  /** Ends the term when Raft says that it is over. */
  endIfLost(): void;
  end(): void;
}

export function createTermLifecycle(options: TermLifecycleOptions): TermLifecycle {
  const { member, transport } = options;
  let elected: ElectedTerm | undefined;

  /** All that was committed before the first entry of the term is in the state now. */
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
    const news = ManagerElected.encode({ node: encodeNode(options.localNode) }).finish();
    for (const { id } of options.links.connected.values())
      transport.send(id, actions.managerElected, news, "state");
  };

  const end = (): void => {
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
