/** A checker: one numbered invariant, judged on the events of a run, or on the cluster once it has healed. */
import type { RecordedEvent } from "@orrery/simulator";
import type { Scenario } from "../scenario.ts";
import type { History } from "../workloads/workload.ts";
import type { World } from "../world.ts";

/** What is wrong, in a sentence; `undefined` when nothing is. */
export type Finding = string | undefined;

export interface Checker {
  readonly name: CheckerName;
  /** As in docs/invariants.md. */
  readonly invariant: string;
  /** Watches the run; called for each event in order. */
  readonly start?: () => (event: RecordedEvent) => Finding;
  /** Looks at the healed cluster. */
  readonly finish?: (world: World, scenario: Scenario, history: History) => Promise<Finding>;
}

export type CheckerName =
  | "one-cluster-manager-per-term"
  | "no-acknowledged-write-lost"
  | "copies-of-a-shard-agree"
  | "converges-to-green";
