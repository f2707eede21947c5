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
  readonly name: string;
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
  /** Holds the cluster to what clients wrote: not asked by itself where a plan deletes or restores documents. */
  readonly isOfDocuments?: true;
  /** Watches the run; called for each piece of news in order, in worlds that `trace`. */
  readonly start?: (world: World, plan: Plan) => (event: NewsEvent) => Finding;
  /** Sees each request of clients and scripts as it is sent; what it returns sees the answer. For worlds in virtual time. */
  readonly onRequest?: (world: World, asked: Asked) => Answered | undefined;
  /** Looks at the healed cluster. */
  readonly finish?: (world: World, plan: Plan, history: History) => Promise<Finding>;
  /** Name of the checker behind which a plugin's stands in the table; without it, at the end. Checkers judge in the order of the table. */
  readonly after?: string;
}
