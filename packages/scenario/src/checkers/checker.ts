/** A checker: one numbered invariant, judged on the events of a run, on its history, or on the cluster once it has healed. */
import type { Casualty } from "../explore/scene.ts";
import type { History } from "../history.ts";
import type { Plan } from "../plan.ts";
import type { NewsEvent } from "../watchers.ts";
import type { ClientAnswer, ClientRequest, World } from "../world.ts";

/** What is wrong, in a sentence; `undefined` when nothing is. */
export type Finding = string | undefined;

export interface Asked {
  readonly node: string;
  readonly request: ClientRequest;
}

/** Called when the answer is there; time that it takes is the client's. */
export type Answered = (answer: ClientAnswer) => Promise<Finding>;

export interface Checker {
  readonly name: CheckerName;
  /** As in docs/invariants.md. */
  readonly invariant: string;
  /** One line for the reference: what it makes sure of. */
  readonly says: string;
  /** Why this plan gives it nothing to judge, in a sentence: the plan is refused. */
  readonly complaint?: (plan: Plan) => string | undefined;
  /** Losses that a drawn plan may cause for good and that leave this checker nothing to judge. */
  readonly excusedBy: readonly Casualty[];
  /** Judges every plan that it applies to, named or not. */
  readonly isAlways?: true;
  /** Watches the run; called for each piece of news in order, in worlds that `trace`. */
  readonly start?: (world: World, plan: Plan) => (event: NewsEvent) => Finding;
  /** Sees each request of clients and scripts as it is sent; what it returns sees the answer. For worlds in virtual time. */
  readonly onRequest?: (world: World, asked: Asked) => Answered | undefined;
  /** Looks at the healed cluster. */
  readonly finish?: (world: World, plan: Plan, history: History) => Promise<Finding>;
}

export type CheckerName =
  | "one-cluster-manager-per-term"
  | "log-matching"
  | "state-versions-grow"
  | "no-acknowledged-write-lost"
  | "compare-and-set-is-linearizable"
  | "copies-of-a-shard-agree"
  | "checkpoints-agree"
  | "in-sync-rules"
  | "leased-history-is-kept"
  | "searches-see-refreshed-documents"
  | "pages-show-one-moment"
  | "decommissioned-zone-is-empty"
  | "no-dangling-import-overwrites"
  | "snapshot-content-equals-index"
  | "snapshot-status-never-goes-backwards"
  | "follower-equals-leader"
  | "converges-to-green"
  | "documents-exist-once"
  | "gets-see-acknowledged-writes"
  | "unsynced-writes-are-recent"
  | "acknowledged-changes-are-everywhere"
  | "leases-hold-on-every-copy"
  | "reports-tell-the-truth"
  | "operations-end-in-time"
  | "nothing-grows-in-quiet"
  | "copies-share-their-history"
  | "placement-follows-its-rules"
  | "nothing-is-unforeseen";
