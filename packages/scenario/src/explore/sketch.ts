/**
 * Sketch: the form of a plan that exploration draws and mutates. Its plan adds preparations at the start, and after the
 * faults the reverting steps and the checkers that its losses do not excuse.
 */
import { greatest } from "@orrery/stdx";
import { coreCheckers, type Checkers } from "../checkers/compose.ts";
import { rowOf } from "../faults/table.ts";
import type {
  Action,
  ClusterPlan,
  IndexPlan,
  Plan,
  TimedFault,
  TimelineEntry,
  Trigger,
} from "../plan.ts";
import type { Workload } from "../workloads/workload.ts";
import { at, attempt, until, type ActionKind } from "./actions/action.ts";
import { REPOSITORY } from "./actions/snapshot.ts";
import { actionKinds, actions } from "./actions/table.ts";
import type { Area, Casualty } from "./scene.ts";

export interface Sketch {
  readonly area: Area;
  readonly clusters: readonly ClusterPlan[];
  readonly indices: readonly IndexPlan[];
  readonly workload: readonly Workload[];
  readonly faults: readonly TimedFault[];
  readonly blocks: readonly Block[];
  /** Time by which faults, clients and administration have ended. */
  readonly disturbMs: number;
}

/** Consecutive steps: the first starts at its trigger, each other one when its predecessor has ended. */
export interface Block {
  /** `fault`: the block only injects a fault at a moment. */
  readonly kind: ActionKind | "fault";
  readonly trigger: Trigger;
  readonly steps: readonly Action[];
}

/**
 * Time after which a request that found no elected cluster manager has ended; until then it may still be carried out.
 */
const ASKED_MS = 32_000;
const QUIET_MS = 1000;
/** Time within which returning copies are back. */
const BACK_MS = 20_000;
const CONVERGE_MS = 180_000;

export interface SketchWords {
  /** Name of the plan. */
  readonly name?: string;
  /** Table of checkers of the program; all that apply judge the plan. */
  readonly checkers?: Checkers;
}

export function planOf(
  sketch: Sketch,
  { name = "explore/plan", checkers = coreCheckers }: SketchWords = {},
): Plan {
  const { area, clusters, indices, workload, faults, disturbMs } = sketch;
  const asked = sketch.blocks.filter(({ kind }) => kind !== "fault");
  const longestMs = Math.max(0, greatest(asked.map(({ steps }) => patienceOf(steps))));
  const healMs = disturbMs + (asked.length === 0 ? QUIET_MS : longestMs + ASKED_MS);
  const gone = casualtiesOf(sketch);
  const heal = [
    ...revertingSteps(sketch, "undo"),
    ...(gone.has("copies") ? shardReplacements(sketch) : []),
    // A repository that lost blobs cannot take a snapshot.
    ...(gone.has("snapshots") ? [] : revertingSteps(sketch, "atLast")),
  ];
  const plan: Plan = {
    name,
    claim: `Whatever happens, what is judged here holds: a plan that exploration drew, about ${area}.`,
    worlds: ["sim"],
    clusters,
    indices,
    workload,
    faults,
    timeline: [
      ...scriptOf({ kind: "at", atMs: 1 }, preparationsOf(sketch)),
      ...sketch.blocks.flatMap(({ trigger, steps }, i) =>
        scriptOf(
          trigger,
          steps.map((step) => named(step, i)),
        ),
      ),
      ...sketch.blocks.flatMap(({ steps }, i) => endsOf(steps, i, disturbMs)),
      ...scriptOf({ kind: "at", atMs: healMs }, heal),
    ],
    checkers: [],
    phases: { faultsMs: healMs + QUIET_MS, convergeMs: CONVERGE_MS },
  };
  return { ...plan, checkers: judgesOf(plan, checkers, gone) };
}

/** Longest time that the steps take; the reverting steps follow after it. */
function patienceOf(steps: readonly Action[]): number {
  const times = steps.map((action) => {
    if (action.kind === "wait") return action.forMs;
    return action.kind === "request" ? (action.step.untilMs ?? 0) + action.step.timeoutMs : 0;
  });
  return times.reduce((sum, ms) => sum + ms, 0);
}

function scriptOf(trigger: Trigger, steps: readonly Action[]): readonly TimelineEntry[] {
  return steps.map((action, i) => ({ trigger: i === 0 ? trigger : { kind: "then" }, action }));
}

/** Fault ids with the number of the block, so that ids of different blocks differ. */
function named(action: Action, block: number): Action {
  if (action.kind === "end") return { ...action, id: `${action.id}-${block}` };
  if (action.kind !== "fault" || action.id === undefined) return action;
  return { ...action, id: `${action.id}-${block}` };
}

/** Ends of the faults of a block that takes too long. */
function endsOf(steps: readonly Action[], block: number, atMs: number): readonly TimelineEntry[] {
  return steps.flatMap((action) =>
    action.kind === "fault" && action.id !== undefined
      ? [{ trigger: { kind: "at", atMs }, action: { kind: "end", id: `${action.id}-${block}` } }]
      : [],
  );
}

/** Recovery time-outs: with the defaults a recovery with a lost message waits for a quarter of an hour. */
const RECOVERY = {
  "indices.recovery.internal_action_timeout": "2s",
  "indices.recovery.recovery_activity_timeout": "4s",
};

/** Preparations of a plan: a repository, and indices that follow. */
function preparationsOf({ clusters, indices }: Sketch): readonly Action[] {
  const [first, second] = clusters;
  const steps = clusters.map(({ name: cluster }) =>
    until("PUT /_cluster/settings", [200], { body: { persistent: RECOVERY }, cluster }),
  );
  if (first?.settings["path.repo"] !== undefined) {
    const body = { type: "fs", settings: { location: REPOSITORY } };
    steps.push(until(`PUT /_snapshot/${REPOSITORY}`, [200], { body }));
  }
  if (first !== undefined && second !== undefined) {
    const seeds = first.nodes.map((node) => `\${transport:${node.name}}`);
    const body = { persistent: { [`cluster.remote.${first.name}.seeds`]: seeds } };
    steps.push(until("PUT /_cluster/settings", [200], { body, cluster: second.name }));
    for (const { name } of indices) {
      const follow = { leader_alias: first.name, leader_index: name };
      const ask = { cluster: second.name, body: follow };
      // An index cannot be followed before its primaries have started; 400 also answers a start that is retried.
      const health = `GET /_cluster/health/${name}?wait_for_status=yellow&timeout=4s`;
      steps.push(until(health, [200], { cluster: first.name }));
      steps.push(until(`PUT /_plugins/_replication/${name}/_start`, [200, 400], ask));
    }
  }
  return steps;
}

/**
 * Steps of the actions in the order of their table. Failed allocations are always retried, as faults alone cause them.
 */
function revertingSteps(sketch: Sketch, when: "undo" | "atLast"): readonly Action[] {
  const asked = new Set<string>(["retry-failed", ...sketch.blocks.map(({ kind }) => kind)]);
  if (sketch.clusters.some(({ settings }) => settings["path.repo"] !== undefined))
    asked.add("snapshot");
  if (sketch.clusters.length > 1) asked.add("pause-following");
  return actionKinds.flatMap((kind) =>
    asked.has(kind) ? (actions[kind][when]?.(sketch) ?? []) : [],
  );
}

/**
 * Steps that replace shards without a good copy by empty ones, and delete the indices whose names the plan does not
 * know.
 */
function shardReplacements({ clusters, indices, workload }: Sketch): readonly Action[] {
  const nodesOf = ({ cluster }: IndexPlan): readonly string[] =>
    (clusters.find(({ name }) => name === cluster)?.nodes ?? []).map(({ name }) => name);
  const forced = indices.flatMap((index) =>
    Array.from({ length: index.shards }, (_, shard) => shard).flatMap((shard) =>
      nodesOf(index).map((node) => {
        const command = { index: index.name, shard, node, accept_data_loss: true };
        const body = { commands: [{ allocate_empty_primary: command }] };
        return attempt("POST /_cluster/reroute", at(index, body));
      }),
    ),
  );
  return [
    { kind: "wait", forMs: BACK_MS },
    ...forced,
    ...workload.flatMap(({ cluster, ...one }) =>
      one.kind === "new-indices"
        ? [until(`DELETE /${one.index}-*`, [200, 404], cluster === undefined ? {} : { cluster })]
        : [],
    ),
    ...(actions["retry-failed"].undo?.({ clusters, indices }) ?? []),
  ];
}

/** Losses that the plan may cause. */
function casualtiesOf({ indices, faults, blocks }: Sketch): ReadonlySet<Casualty> {
  const steps = blocks.flatMap((block) => block.steps);
  const injected = [
    ...faults.map(({ fault }) => fault),
    ...steps.flatMap((step) => (step.kind === "fault" ? [step.fault] : [])),
  ];
  const isAsync = indices.some(({ settings }) => settings["index.translog.durability"] === "async");
  return new Set([
    ...injected.flatMap((fault) => rowOf(fault).casualties ?? []),
    ...blocks.flatMap(({ kind }) => (kind === "fault" ? [] : (actions[kind].casualties ?? []))),
    ...(isAsync ? (["unsynced"] as const) : []),
  ]);
}

function judgesOf(plan: Plan, checkers: Checkers, gone: ReadonlySet<Casualty>): readonly string[] {
  const judges = [...checkers.values()].filter(
    ({ excusedBy, complaint }) =>
      complaint?.(plan) === undefined && !excusedBy.some((casualty) => gone.has(casualty)),
  );
  return judges.map(({ name }) => name);
}
