/**
 * Plan: the content of a scenario file or of a builder's value. Plain JSON data with times in milliseconds, the same in
 * every world.
 */
import type { Json, JsonObject } from "@orrery/stdx";
import type { FileDocument } from "./data-file.ts";
import type { DatasetName } from "./datasets.ts";
import type { Fault } from "./faults/fault.ts";
import type { Workload } from "./workloads/workload.ts";
import type { NodeSelector, WorldName } from "./world.ts";

export interface Plan {
  /** Name of the form `family/what-happens`. */
  readonly name: string;
  /** One sentence: the property that the checkers verify. */
  readonly claim: string;
  /** Observation that a reader should make in the run. */
  readonly notice?: string;
  /** Question for the reader. */
  readonly question?: string;
  readonly worlds: readonly WorldName[];
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
  /** Workloads, all of which run at the same time. */
  readonly workload: readonly Workload[];
  /** Timeline in the order of the file: an entry with the trigger `then` starts when the entry before it has ended. */
  readonly timeline: readonly TimelineEntry[];
  readonly faults: readonly TimedFault[];
  readonly checkers: readonly string[];
  readonly phases: Phases;
}

export interface ClusterPlan {
  readonly name: string;
  readonly nodes: readonly NodePlan[];
  /** Node settings of all its nodes. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface NodePlan {
  /** Name: `node-1` … if there is one cluster, `CLUSTER-1` … if there are several. */
  readonly name: string;
  readonly zone?: string;
  readonly roles?: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

export interface IndexPlan {
  readonly name: string;
  /** Name of the cluster; default: the first. */
  readonly cluster: string;
  readonly shards: number;
  readonly replicas: number;
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: JsonObject;
  /** Initial data, loaded before the workload starts. */
  readonly data?: DataPlan;
}

export type DataPlan = GeneratedData | FileData;

export interface GeneratedData {
  readonly dataset: DatasetName;
  readonly documents: number;
}

/** Contents of a file, as read with the plan. */
export interface FileData {
  readonly file: string;
  readonly contents: readonly FileDocument[];
}

export interface Phases {
  /** Duration of workload, faults and timeline; faults that still last are ended after it. */
  readonly faultsMs: number;
  /** Longest time that the cluster may take to heal afterwards. */
  readonly convergeMs: number;
  /** Quiet time after healing, in which no client sends requests. */
  readonly quietMs?: number;
}

/** Fault of the list `faults`: times count from the start of the fault phase. */
export interface TimedFault {
  readonly trigger: Trigger;
  /** Duration; `undefined`: until the end of the phase. */
  readonly forMs?: number;
  readonly fault: Fault;
}

export interface TimelineEntry {
  readonly trigger: Trigger;
  readonly action: Action;
}

/** Trigger of a fault or an entry. */
export type Trigger =
  | { readonly kind: "at"; readonly atMs: number }
  /** Once, at a time drawn from the window. */
  | { readonly kind: "within"; readonly fromMs: number; readonly toMs: number }
  | {
      readonly kind: "every";
      readonly everyMs: number;
      readonly fromMs: number;
      readonly toMs?: number;
    }
  /**
   * Once, when the condition first holds. An entry whose condition does not hold in time never takes effect, and the
   * run is inconclusive.
   */
  | {
      readonly kind: "when";
      readonly condition: Condition;
      readonly fromMs: number;
      readonly toMs?: number;
    }
  /** After the end of the previous entry; the first entry at the start of the phase. */
  | { readonly kind: "then" };

/** Condition of a trigger; all members must hold at the same time. */
export interface Condition {
  readonly cluster?: string;
  readonly health?: "green" | "yellow" | "red";
  /** Number of nodes in the cluster. */
  readonly nodes?: number;
  /** Index with a copy in the given state. */
  readonly index?: string;
  readonly shard?: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /**
   * Pattern of an event of the trace: values of fields; a text may end in `*`. `count`: ordinal of the matching event.
   */
  readonly event?: Readonly<Record<string, string | number>>;
  readonly count?: number;
  /** Request whose answer must have the given fields. */
  readonly request?: string;
  readonly body?: Readonly<Record<string, Json>>;
}

/** Action of a timeline entry. */
export type Action =
  /** `id`: name for an `end` entry. */
  | { readonly kind: "fault"; readonly fault: Fault; readonly forMs?: number; readonly id?: string }
  | { readonly kind: "end"; readonly id: string }
  | { readonly kind: "wait"; readonly forMs: number }
  | { readonly kind: "request"; readonly step: RestStep }
  | { readonly kind: "start"; readonly node: NodeSelector }
  | { readonly kind: "stop"; readonly node: NodeSelector };

/** REST request of a person or script, and its expected answer. */
export interface RestStep {
  readonly method: string;
  readonly uri: string;
  readonly body?: Json;
  /** Node that is asked; any running node if `undefined`. */
  readonly node?: NodeSelector;
  readonly expect: Expectation;
  /** Values of the answer, by path, that later entries use as `{name}` in paths, bodies and expectations. */
  readonly save?: Readonly<Record<string, string>>;
  /** Time for which the request is repeated until the expectation holds; `undefined`: it is sent once. */
  readonly untilMs?: number;
  /** The request may fail or remain unanswered without a finding. */
  readonly attempt?: boolean;
  readonly timeoutMs: number;
}

export interface Expectation {
  /** Expected status; default: any below 300. A text compares, as `>= 400`; a list gives alternatives. */
  readonly status?: number | string | readonly number[];
  /**
   * Expected values by path, such as `hits.total.value` or `snapshots.0.state`; a text between slashes is a regular
   * expression.
   */
  readonly body?: Readonly<Record<string, Json>>;
}
