/**
 * One round of the elected cluster manager's judgement: tasks, failed and started copies, then placement. Pure.
 *
 * What comes out is one log entry, or nothing. Rules for reports about copies follow `ShardStateAction`.
 */
import {
  executeCommands,
  replacedNodes,
  reroute,
  type AllocationInputs,
  type CommandsOptions,
  type FailedShard,
  type RerouteCommand,
  type RerouteResult,
  type StaleCopy,
  type StoreFetch,
} from "@orrery/allocation";
import {
  applyTask,
  copyByAllocationId,
  relocationTarget,
  taskProblem,
  type ClusterState,
  type LogEntry,
  type Outcome,
  type ShardRouting,
  type Task,
  type Rules,
} from "@orrery/cluster-state";
import type { ShardFailedRequest, ShardStartedRequest } from "@orrery/protocol";
import { OperationError, type AllocationId, type JsonObject, type Problem } from "@orrery/stdx";
import { concernsRouting } from "./priorities.ts";

export type Work =
  | { readonly kind: "task"; readonly id: string; readonly task: Task }
  | { readonly kind: "shard-started"; readonly report: ShardStartedRequest }
  | {
      readonly kind: "shard-failed";
      readonly report: ShardFailedRequest;
      /** As the report has it. */
      readonly problem: Problem | undefined;
    }
  | { readonly kind: "reroute"; readonly reason: string; readonly retryFailed: boolean }
  /** Alone in its round. */
  | {
      readonly kind: "commands";
      readonly commands: readonly RerouteCommand[];
      readonly options: CommandsOptions;
      readonly dryRun: boolean;
    };

export type Verdict =
  | {
      readonly kind: "accepted";
      readonly state?: ClusterState;
      readonly explanations?: readonly JsonObject[];
    }
  | { readonly kind: "rejected"; readonly problem: Problem };

export interface Decision {
  /** One for each work, in their order. */
  readonly verdicts: readonly Verdict[];
  /** Undefined: nothing changes. */
  readonly entry: LogEntry | undefined;
  readonly taskIds: readonly string[];
  readonly needs: readonly StoreFetch[];
  readonly nextDelayMs: number | undefined;
}

/** What the allocator is told that is the same for every round of its moment. */
export type RoundInputs = Omit<
  AllocationInputs,
  "started" | "failed" | "stale" | "replacedNodeIds" | "retryFailed" | "reason"
>;

interface Reports {
  readonly started: Map<string, ShardRouting>;
  readonly failed: Map<string, FailedShard>;
  readonly stale: StaleCopy[];
}

export function decide(
  before: ClusterState,
  works: readonly Work[],
  inputs: RoundInputs,
  rules: Rules,
): Decision {
  const tasks: Task[] = [];
  const taskIds: string[] = [];
  const reports: Reports = { started: new Map(), failed: new Map(), stale: [] };
  let state = before;
  const verdicts = works.map((work): Verdict => {
    switch (work.kind) {
      case "task": {
        const outcome = outcomeOf(state, work.task, rules);
        if (outcome.kind === "rejected") return { kind: "rejected", problem: outcome.error };
        if (outcome.kind === "updated") {
          state = outcome.state;
          tasks.push(work.task);
          if (work.id !== "") taskIds.push(work.id);
        }
        return { kind: "accepted" };
      }
      case "shard-started":
        return noteStarted(state, work.report, reports);
      case "shard-failed":
        return noteFailed(state, work, reports);
      default:
        return { kind: "accepted" };
    }
  });
  const [first] = works;
  if (first?.kind === "commands") return decideCommands(state, first, inputs);
  const replacedNodeIds = replacedNodes(before, state);
  const placed = works.some(isRouting)
    ? reroute(state, { ...inputs, ...askedOf(works, reports), replacedNodeIds })
    : undefined;
  return {
    verdicts,
    entry: entryOf(tasks, placed),
    taskIds,
    needs: placed?.needs ?? [],
    nextDelayMs: placed?.nextDelayMs,
  };
}

function isRouting(work: Work): boolean {
  return work.kind !== "task" || concernsRouting(work.task);
}

/** A task that no reducer can read, or that one refuses by throwing, is refused like any other. */
function outcomeOf(state: ClusterState, task: Task, rules: Rules): Outcome {
  const malformed = taskProblem(task);
  if (malformed !== undefined) return { kind: "rejected", error: malformed };
  try {
    return applyTask(state, task, rules);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { kind: "rejected", error: error.problem };
  }
}

function askedOf(
  works: readonly Work[],
  reports: Reports,
): Omit<AllocationInputs, keyof RoundInputs> {
  return {
    started: [...reports.started.values()],
    failed: [...reports.failed.values()],
    stale: reports.stale,
    retryFailed: works.some((work) => work.kind === "reroute" && work.retryFailed),
    reason: works.map(reasonOf).find((reason) => reason !== undefined) ?? "cluster_reroute",
  };
}

function reasonOf(work: Work): string | undefined {
  return work.kind === "reroute" ? work.reason : undefined;
}

function decideCommands(
  state: ClusterState,
  work: Work & { readonly kind: "commands" },
  inputs: RoundInputs,
): Decision {
  const nothing = { entry: undefined, taskIds: [], needs: [], nextDelayMs: undefined };
  try {
    const result = executeCommands(state, inputs, work.commands, work.options);
    const { explanations, needs, nextDelayMs } = result;
    const verdicts: Verdict[] = [{ kind: "accepted", state: result.state, explanations }];
    if (work.dryRun) return { ...nothing, verdicts };
    return { verdicts, entry: entryOf([], result), taskIds: [], needs, nextDelayMs };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { ...nothing, verdicts: [{ kind: "rejected", problem: error.problem }] };
  }
}

function entryOf(tasks: readonly Task[], placed: RerouteResult | undefined): LogEntry | undefined {
  const routing = placed?.delta;
  if (routing !== undefined) return { tasks, routing };
  return tasks.length > 0 ? { tasks } : undefined;
}

type Report = Pick<
  ShardStartedRequest,
  "index" | "indexUuid" | "shard" | "allocationId" | "primaryTerm"
>;

function copyOf(state: ClusterState, report: Report): ShardRouting | undefined {
  if (state.metadata.indices.get(report.index)?.uuid !== report.indexUuid) return undefined;
  const { index, shard, allocationId } = report;
  return copyByAllocationId(state, index, shard, allocationId as AllocationId);
}

function primaryTermOf(state: ClusterState, report: Report): number | undefined {
  return state.metadata.indices.get(report.index)?.primaryTerms[report.shard];
}

/** A report about a copy that is gone, or that was about an earlier life of it, is answered and changes nothing. */
function noteStarted(state: ClusterState, report: ShardStartedRequest, reports: Reports): Verdict {
  const copy = copyOf(state, report);
  const isFenced =
    copy?.primary === true &&
    report.primaryTerm > 0 &&
    report.primaryTerm !== primaryTermOf(state, report);
  if (copy?.state === "INITIALIZING" && !isFenced && !reports.failed.has(report.allocationId)) {
    reports.started.set(report.allocationId, copy);
  }
  return { kind: "accepted" };
}

function noteFailed(
  state: ClusterState,
  { report, problem }: Work & { readonly kind: "shard-failed" },
  reports: Reports,
): Verdict {
  const metadata = state.metadata.indices.get(report.index);
  if (metadata === undefined || metadata.uuid !== report.indexUuid) return { kind: "accepted" };
  const currentTerm = primaryTermOf(state, report);
  if (report.primaryTerm > 0 && report.primaryTerm !== currentTerm) {
    return { kind: "rejected", problem: noLongerPrimary(report, currentTerm) };
  }
  // The primary that reports ends with this version: what it acknowledged on the strength of an answer would be lost with it.
  if (report.primaryTerm > 0 && isPrimaryFailed(report, reports)) {
    return { kind: "rejected", problem: noLongerPrimary(report, currentTerm) };
  }
  const copy = copyOf(state, report);
  const allocationId = report.allocationId as AllocationId;
  if (copy !== undefined) {
    const target = relocationTarget(copy);
    // The relocation is over with this version, and its source gone: a failure of the source is none of the target.
    if (target !== undefined && reports.started.has(target.allocationId ?? ""))
      return { kind: "accepted" };
    const { markAsStale } = report;
    reports.started.delete(allocationId);
    reports.failed.set(allocationId, {
      routing: copy,
      message: messageOf(report.message, problem),
      markAsStale,
    });
  } else if (
    report.primaryTerm > 0 &&
    metadata.inSyncAllocationIds[report.shard]?.includes(allocationId) === true
  ) {
    reports.stale.push({ index: report.index, shard: report.shard, allocationId });
  }
  return { kind: "accepted" };
}

function isPrimaryFailed({ index, shard }: Report, { failed }: Reports): boolean {
  return [...failed.values()].some(
    ({ routing }) => routing.primary && routing.index === index && routing.shard === shard,
  );
}

function messageOf(message: string, problem: Problem | undefined): string {
  if (problem === undefined) return message;
  const { type, reason } = problem;
  return `${message}, failure ${type}[${reason}]`;
}

function noLongerPrimary(report: ShardFailedRequest, currentTerm: number | undefined): Problem {
  return {
    type: "no_longer_primary_shard_exception",
    reason: `primary term [${report.primaryTerm}] did not match current primary term [${currentTerm}]`,
    status: 500,
    metadata: { index: report.index, shard: String(report.shard), index_uuid: report.indexUuid },
  };
}
