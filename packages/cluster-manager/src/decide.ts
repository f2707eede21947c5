/**
 * One round of the elected cluster manager: tasks through their reducers, reports about failed and started copies, then
 * one reroute. Its outcome is one log entry, hence one version, or none. Pure.
 *
 * In this order, because reports and placement must see what the tasks of the round changed: a copy of an index that
 * was deleted in it is not placed, and a node that left in it receives none. Rules for reports follow
 * `ShardStateAction` (`ShardStartedClusterStateTaskExecutor`, `ShardFailedClusterStateTaskExecutor`).
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

/** One item of a round; all items of a round belong to one batch. */
export type Work =
  | { readonly kind: "task"; readonly id: string; readonly task: Task }
  | { readonly kind: "shard-started"; readonly report: ShardStartedRequest }
  | {
      readonly kind: "shard-failed";
      readonly report: ShardFailedRequest;
      /** The failure that the report names, decoded. */
      readonly problem: Problem | undefined;
    }
  | { readonly kind: "reroute"; readonly reason: string; readonly retryFailed: boolean }
  /** Reroute commands of a client; always alone in a round, since they have a reroute and explanations of their own. */
  | {
      readonly kind: "commands";
      readonly commands: readonly RerouteCommand[];
      readonly options: CommandsOptions;
      readonly dryRun: boolean;
    };

/** Outcome of one item; given to its sender once the state it rests on is applied (INV-COORD-6). */
export type Verdict =
  | {
      readonly kind: "accepted";
      readonly state?: ClusterState;
      readonly explanations?: readonly JsonObject[];
    }
  | { readonly kind: "rejected"; readonly problem: Problem };

export interface Decision {
  /** One for each item, in their order. */
  readonly verdicts: readonly Verdict[];
  /** The entry to propose; undefined when the round changes nothing. */
  readonly entry: LogEntry | undefined;
  /** Ids of the submitted tasks in the entry; rejected tasks, and those without effect, are not among them. */
  readonly taskIds: readonly string[];
  /** Stored copies that the allocator must know of before it can place some shards. */
  readonly needs: readonly StoreFetch[];
  /** Time until the shortest delay of an unassigned copy expires; undefined without delayed copies. */
  readonly nextDelayMs: number | undefined;
}

/** Inputs of the allocator that do not depend on the items of the round: settings, stored copies, disk usage, clock. */
export type RoundInputs = Omit<
  AllocationInputs,
  "started" | "failed" | "stale" | "replacedNodeIds" | "retryFailed" | "reason"
>;

/** Reports of the round so far, by allocation id. A copy is in `started` or in `failed`, never in both. */
interface Reports {
  readonly started: Map<string, ShardRouting>;
  readonly failed: Map<string, FailedShard>;
  readonly stale: StaleCopy[];
}

/** The decision on `works`, in their order, from the last proposed state `before`. */
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
        // A task without effect is left out of the entry: every node would compute the same state again. Its sender
        // is answered as if it had been applied.
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
  // Nodes whose process changed within the round: their copies are lost although the node id is still in the state.
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

/**
 * Outcome of a task on `state`. A task that does not have the shape its reducer reads, or whose reducer throws an
 * `OperationError`, is rejected as by a returned problem: it never reaches the log.
 */
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

/** Inputs of the allocator that come from the items of the round. */
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

/** The decision on reroute commands. A dry run answers with the resulting state and proposes nothing. */
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

/** The copy a report is about; undefined when its index was deleted (another uuid) or the copy was assigned anew (another allocation id). */
function copyOf(state: ClusterState, report: Report): ShardRouting | undefined {
  if (state.metadata.indices.get(report.index)?.uuid !== report.indexUuid) return undefined;
  const { index, shard, allocationId } = report;
  return copyByAllocationId(state, index, shard, allocationId as AllocationId);
}

function primaryTermOf(state: ClusterState, report: Report): number | undefined {
  return state.metadata.indices.get(report.index)?.primaryTerms[report.shard];
}

/**
 * Notes that a copy recovered. A report about a copy that is gone, already started, or primary in another primary term
 * is acknowledged without effect: the data node repeats its report until it is acknowledged.
 */
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

/**
 * Notes that a copy failed, as reported by its own node (primary term 0) or by its primary (its primary term). The
 * rules of the primary's report carry the safety of replication: once it is acknowledged, the primary acknowledges
 * writes to clients that the failed copy does not hold, so the copy must leave the in-sync set in the same version, and
 * a primary that has been replaced must get a rejection (`no_longer_primary_shard_exception`) instead.
 */
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
  // The reporting primary itself fails in this round. An acknowledgement would let it acknowledge writes to clients that
  // the copy promoted in its place may not hold.
  if (report.primaryTerm > 0 && isPrimaryFailed(report, reports)) {
    return { kind: "rejected", problem: noLongerPrimary(report, currentTerm) };
  }
  const copy = copyOf(state, report);
  const allocationId = report.allocationId as AllocationId;
  if (copy !== undefined) {
    const target = relocationTarget(copy);
    // The relocation ends in this round, and the source is removed with it: its failure does not concern the target.
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
    // The copy is no longer assigned but still in sync: without this removal it could later become primary without the
    // writes that its primary is about to acknowledge.
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
