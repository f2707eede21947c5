/** One phase on one shard: copies are tried in turn until one answers; what failed is kept for the answer. */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Cancellation } from "@orrery/ports";
import { OperationError, problemOf, type NodeId, type Problem } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import { isPassedOver } from "../weights.ts";
import type { SearchTarget } from "./targets.ts";

export interface ShardProblem {
  /** Unknown on a scroll's later pages. */
  readonly target: Pick<SearchTarget, "index" | "shard"> | undefined;
  readonly nodeId: NodeId | undefined;
  readonly problem: Problem;
}

export type ShardOutcome<T> =
  | {
      readonly kind: "answered";
      readonly target: SearchTarget;
      readonly copy: ActiveCopy;
      readonly value: T;
    }
  | { readonly kind: "failed"; readonly failure: ShardProblem }
  /** No copy is active, or all were lost: counted as failed, not listed. */
  | { readonly kind: "unavailable"; readonly target: SearchTarget };

export interface ActiveCopy {
  readonly nodeId: NodeId;
  readonly allocationId: string;
}

export interface ShardAttempt<T> {
  readonly send: (copy: ActiveCopy) => Promise<Uint8Array>;
  readonly decode: (bytes: Uint8Array) => T;
  readonly cancellation: Cancellation | undefined;
  /** Told before and after each attempt; `value` is missing when it failed. */
  readonly observe?: (
    copy: ActiveCopy,
    startedMs: number | undefined,
    value: T | undefined,
  ) => void;
}

export async function askCopies<T>(
  deps: CoordinatorDeps,
  target: SearchTarget,
  attempt: ShardAttempt<T>,
): Promise<ShardOutcome<T>> {
  let failure: ShardProblem | undefined = lostContext(deps, target);
  let last: Problem | undefined;
  if (failure !== undefined) return { kind: "failed", failure };
  for (const routing of target.copies) {
    const copy = activeCopy(routing);
    if (copy === undefined || (last !== undefined && isLeftOut(deps, target, routing, last)))
      continue;
    const startedMs = deps.clock.monotonicMs();
    attempt.observe?.(copy, undefined, undefined);
    try {
      const value = attempt.decode(await attempt.send(copy));
      attempt.observe?.(copy, startedMs, value);
      return { kind: "answered", target, copy, value };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      attempt.observe?.(copy, startedMs, undefined);
      if (attempt.cancellation?.isCancelled === true) throw error;
      const problem = problemOf(error);
      last = problem;
      // A copy that is gone says nothing about the search; one that refused it does.
      if (!isUnavailable(problem)) failure = { target, nodeId: copy.nodeId, problem };
      // It was ended on purpose, and whatever it did there it would do on the next copy.
      if (problem.type === "task_cancelled_exception") break;
    }
  }
  return failure === undefined ? { kind: "unavailable", target } : { kind: "failed", failure };
}

/** A context is on one node: when that is not in the cluster, nobody else has it. */
function lostContext(deps: CoordinatorDeps, target: SearchTarget): ShardProblem | undefined {
  const nodeId = target.copies[0]?.nodeId;
  if (target.contextId === undefined || nodeId === undefined || deps.state().nodes.has(nodeId))
    return undefined;
  const reason = `no node found for id: ${nodeId}`;
  return { target, nodeId, problem: { type: "illegal_state_exception", reason, status: 500 } };
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  "shard_not_found_exception",
  "index_not_found_exception",
  "illegal_index_shard_state_exception",
  "no_shard_available_action_exception",
  "unavailable_shards_exception",
  "already_closed_exception",
]);

/** Source: `TransportActions.isShardNotAvailableException`. */
export function isUnavailable(problem: Problem): boolean {
  return UNAVAILABLE.has(problem.type);
}

function activeCopy({ nodeId, allocationId }: ShardRouting): ActiveCopy | undefined {
  return nodeId === undefined || allocationId === undefined ? undefined : { nodeId, allocationId };
}

function isLeftOut(
  deps: CoordinatorDeps,
  { index, shard }: SearchTarget,
  copy: ShardRouting,
  problem: Problem,
): boolean {
  return isPassedOver(deps, { index: index.name, shard, copy, problem });
}
