/** Checker: one numbered invariant, judged on the events of a run, on its history, or on the healed cluster. */
import type { Casualty } from "../explore/scene.ts";
import type { History } from "../history.ts";
import type { Plan } from "../plan.ts";
import type { Subject } from "../verdict.ts";
import type { NewsEvent } from "../watchers.ts";
import type { ClientAnswer, ClientRequest, World } from "../world.ts";

/** Violation of the invariant, in a sentence, with the things that it concerns; `undefined` if there is none. */
export type Finding = string | Violation | undefined;

export interface Violation {
  readonly says: string;
  readonly subjects: readonly Subject[];
}

/** Violation that concerns these subjects. */
export function concerning(says: string, subjects: Subject | readonly Subject[]): Violation {
  return { says, subjects: "length" in subjects ? subjects : [subjects] };
}

/** Sentence of a finding. */
export function sentenceOf(finding: Finding): string | undefined {
  return typeof finding === "object" ? finding.says : finding;
}

/** Sentence and subjects of a finding as the verdict has them. */
export function partsOf(finding: string | Violation): Violation | Pick<Violation, "says"> {
  return typeof finding === "string" ? { says: finding } : finding;
}

/** Request of a client or script, with the node it is sent to. */
export interface Asked {
  readonly node: string;
  readonly request: ClientRequest;
}

/** Receives the answer to a request; the client waits for the returned promise. */
export type Answered = (answer: ClientAnswer) => Promise<Finding>;

/** Row of the table of checkers. Each hook is optional; a checker uses those that its invariant needs. */
export interface Checker {
  readonly name: string;
  /** Number of the invariant in docs/invariants.md. */
  readonly invariant: string;
  /** One line for the reference: what the checker verifies. */
  readonly says: string;
  /**
   * Reason why the checker has nothing to judge in this plan, in a sentence; a plan that names it anyway is rejected.
   */
  readonly complaint?: (plan: Plan) => string | undefined;
  /** Permanent losses that a generated plan may cause and that leave this checker nothing to judge. */
  readonly excusedBy: readonly Casualty[];
  /** The checker judges every plan that it applies to, named or not. */
  readonly isAlways?: true;
  /**
   * The checker compares the cluster with the writes of clients: it is not added to plans that delete or restore
   * documents.
   */
  readonly isOfDocuments?: true;
  /**
   * Returns the watcher of the run's events, called for each event except traffic, in order, in worlds with the
   * capability `trace`.
   */
  readonly start?: (world: World, plan: Plan) => (event: NewsEvent) => Finding;
  /**
   * Called for each request of clients and scripts as it is sent; the returned function receives the answer. Only in
   * virtual time.
   */
  readonly onRequest?: (world: World, asked: Asked) => Answered | undefined;
  /** Inspects the healed cluster at the end of the run. */
  readonly finish?: (world: World, plan: Plan, history: History) => Promise<Finding>;
  /**
   * Name of the checker that a plugin's checker follows in the table; `undefined`: at the end. Checkers judge in the
   * order of the table.
   */
  readonly after?: string;
}
