/** A plan: what a scenario file or a builder describes. Plain JSON data with times in milliseconds; the same in every world. */
import type { Json, JsonObject } from "@orrery/stdx";
import type { FileDocument } from "./data-file.ts";
import type { DatasetName } from "./datasets.ts";
import type { Fault } from "./faults/fault.ts";
import type { Workload } from "./workloads/workload.ts";
import type { NodeSelector, WorldName } from "./world.ts";

export interface Plan {
  /** `family/what-happens`. */
  readonly name: string;
  /** One sentence: what the checkers make sure of. */
  readonly claim: string;
  /** What a reader should notice in the run. */
  readonly notice?: string;
  /** Something to think about. */
  readonly question?: string;
  readonly worlds: readonly WorldName[];
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
  /** All of them run at the same time. */
  readonly workload: readonly Workload[];
  /** In the order of the file: an entry of the trigger `then` starts when the one before it has ended. */
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
  /** `node-1` … in the only cluster, `CLUSTER-1` … in one of several. */
  readonly name: string;
  readonly zone?: string;
  readonly roles?: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

export interface IndexPlan {
  readonly name: string;
  /** The first cluster when it is not said. */
  readonly cluster: string;
  readonly shards: number;
  readonly replicas: number;
  readonly settings: JsonObject;
  readonly mappings: JsonObject;
  readonly aliases: JsonObject;
  /** What it holds before the workload starts. */
  readonly data?: DataPlan;
}

export type DataPlan = GeneratedData | FileData;

export interface GeneratedData {
  readonly dataset: DatasetName;
  readonly documents: number;
}

/** What a file held when the plan was read. */
export interface FileData {
  readonly file: string;
  readonly contents: readonly FileDocument[];
}

export interface Phases {
  /** Workload, faults and timeline; faults that still last are ended after it. */
  readonly faultsMs: number;
  /** How long the cluster may take to heal then. */
  readonly convergeMs: number;
  /** After that nobody asks for anything for so long. */
  readonly quietMs?: number;
}

/** A fault of the list `faults`: times count from the start of the faults' phase. */
export interface TimedFault {
  readonly trigger: Trigger;
  /** Until the end of the phase when it is not said. */
  readonly forMs?: number;
  readonly fault: Fault;
}

export interface TimelineEntry {
  readonly trigger: Trigger;
  readonly action: Action;
}

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
  /** Once, as soon as it holds. Not holding by then, or before the end of the phase, is an entry that never took effect. */
  | {
      readonly kind: "when";
      readonly condition: Condition;
      readonly fromMs: number;
      readonly toMs?: number;
    }
  /** When the entry before it has ended; the first one at the start of the phase. */
  | { readonly kind: "then" };

/** All that is said must hold at once. */
export interface Condition {
  readonly cluster?: string;
  readonly health?: "green" | "yellow" | "red";
  /** So many nodes are in the cluster. */
  readonly nodes?: number;
  /** A copy of this index is in this state. */
  readonly index?: string;
  readonly shard?: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /** An event of the trace: its fields are these; texts may end in `*`. `count`: the so-manieth such event. */
  readonly event?: Readonly<Record<string, string | number>>;
  readonly count?: number;
  /** An answer to this request has these fields. */
  readonly request?: string;
  readonly body?: Readonly<Record<string, Json>>;
}

export type Action =
  /** `id`: what an `end` names. */
  | { readonly kind: "fault"; readonly fault: Fault; readonly forMs?: number; readonly id?: string }
  | { readonly kind: "end"; readonly id: string }
  | { readonly kind: "wait"; readonly forMs: number }
  | { readonly kind: "request"; readonly step: RestStep }
  | { readonly kind: "start"; readonly node: NodeSelector }
  | { readonly kind: "stop"; readonly node: NodeSelector };

/** A REST request of a person or script, and what it must answer. */
export interface RestStep {
  readonly method: string;
  readonly uri: string;
  readonly body?: Json;
  /** Who is asked; any running node when it is not said. */
  readonly node?: NodeSelector;
  readonly expect: Expectation;
  /** Values of the answer, by path, that later entries name as `{name}` in paths, bodies and expectations. */
  readonly save?: Readonly<Record<string, string>>;
  /** Asked again and again until the expectation holds, for as long as this; asked once when it is not said. */
  readonly untilMs?: number;
  /** Whatever it answers is no finding, nor is no answer. */
  readonly attempt?: boolean;
  readonly timeoutMs: number;
}

export interface Expectation {
  /** Any below 300 when it is not said; a text compares, as `>= 400`, and of a list any one is as expected. */
  readonly status?: number | string | readonly number[];
  /** By path, as `hits.total.value` or `snapshots.0.state`; a text between slashes is a regular expression. */
  readonly body?: Readonly<Record<string, Json>>;
}
