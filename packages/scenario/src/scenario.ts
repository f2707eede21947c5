/** A scenario: what a file or a builder describes. Plain data; the same plan runs in every world. */
import type { Checker } from "./checkers/checker.ts";
import type { Fault } from "./faults/fault.ts";
import type { Workload } from "./workloads/workload.ts";

export interface Scenario {
  /** `theme/what-happens`. */
  readonly name: string;
  /** One sentence: what the checkers make sure of. */
  readonly claim: string;
  readonly cluster: {
    readonly nodes: number;
    readonly zones: readonly string[];
    readonly settings: Readonly<Record<string, string>>;
  };
  readonly indices: ReadonlyMap<string, { readonly shards: number; readonly replicas: number }>;
  readonly workload: Workload;
  /** Start and end count from the moment the workload starts. */
  readonly faults: readonly Timed[];
  readonly runForMs: number;
  /** How long the cluster may take to heal once workload and faults have ended. */
  readonly convergeWithinMs: number;
  readonly checkers: readonly Checker["name"][];
}

export interface Timed {
  readonly fromMs: number;
  readonly toMs: number;
  readonly fault: Fault;
}
