/** One phase on one shard: active copies are tried in order until one answers; the last failure is kept for the response. */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Cancellation } from "@orrery/ports";
import { OperationError, problemOf, type NodeId, type Problem } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import { isSkipped } from "../weights.ts";
import type { SearchTarget } from "./targets.ts";

/** A failed shard of a search: the shard, the node that was asked (`undefined`: none), and the problem. */
export interface ShardProblem {
  /** `undefined` on later pages of a scroll, whose id names no index. */
  readonly target: Pick<SearchTarget, "index" | "shard"> | undefined;
  readonly nodeId: NodeId | undefined;
  readonly problem: Problem;
}

/** Outcome of one phase on one shard, after all copies that were worth asking. */
export type ShardOutcome<T> =
  | {
      readonly kind: "answered";
      readonly target: SearchTarget;
      readonly copy: ActiveCopy;
      readonly value: T;
    }
  | { readonly kind: "failed"; readonly failure: ShardProblem }
  /** No active copy, or every attempt lost its copy: counted in `total`, not listed as a failure. */
  | { readonly kind: "unavailable"; readonly target: SearchTarget };

/** A copy that can be asked, as of the search's cluster state. */
export interface ActiveCopy {
  readonly nodeId: NodeId;
  readonly allocationId: string;
}

/** How a phase asks one copy of a shard: sending, decoding of the response, and an observer for replica selection. */
export interface ShardAttempt<T> {
  readonly send: (copy: ActiveCopy) => Promise<Uint8Array>;
  readonly decode: (bytes: Uint8Array) => T;
  readonly cancellation: Cancellation | undefined;
  /**
   * Called before each attempt with neither start time nor value, and after it with both; `value` is `undefined` when
   * the attempt failed.
   */
  readonly observe?: (
    copy: ActiveCopy,
    startedMs: number | undefined,
    value: T | undefined,
  ) => void;
  /** The attempt on the first copy, if it has begun and been observed. */
  readonly begun?: BegunAttempt | undefined;
}

/** An attempt that was sent to a copy before. */
export interface BegunAttempt {
  readonly startedMs: number;
  /** Settles as the answer to this shard alone would. */
  readonly answer: () => Promise<Uint8Array>;
}

/**
 * Asks the copies of a target one after the other. Rejects only on cancellation and for bugs; every operating error
 * becomes part of the outcome.
 */
export async function askCopies<T>(
  deps: CoordinatorDeps,
  target: SearchTarget,
  attempt: ShardAttempt<T>,
): Promise<ShardOutcome<T>> {
  let failure: ShardProblem | undefined = lostContext(deps, target);
  let last: Problem | undefined;
  if (failure !== undefined) return { kind: "failed", failure };
  let { begun } = attempt;
  for (const routing of target.copies) {
    const copy = activeCopy(routing);
    if (copy === undefined || (last !== undefined && isLeftOut(deps, target, routing, last)))
      continue;
    const startedMs = begun?.startedMs ?? deps.clock.monotonicMs();
    if (begun === undefined) attempt.observe?.(copy, undefined, undefined);
    const answer = begun?.answer ?? (() => attempt.send(copy));
    begun = undefined;
    try {
      const value = attempt.decode(await answer());
      attempt.observe?.(copy, startedMs, value);
      return { kind: "answered", target, copy, value };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      attempt.observe?.(copy, startedMs, undefined);
      if (attempt.cancellation?.isCancelled === true) throw error;
      const problem = problemOf(error);
      last = problem;
      // A lost copy is no failure of the search; a copy that rejected the request is.
      if (!isUnavailable(problem)) failure = { target, nodeId: copy.nodeId, problem };
      // A cancelled task was ended on purpose: another copy would be cancelled for the same reason.
      if (problem.type === "task_cancelled_exception") break;
    }
  }
  return failure === undefined ? { kind: "unavailable", target } : { kind: "failed", failure };
}

/** The failure of a target whose context is on a node that has left the cluster: no other copy has that context. */
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

/** Whether the copy, not the request, is at fault. Source: `TransportActions.isShardNotAvailableException`. */
export function isUnavailable(problem: Problem): boolean {
  return UNAVAILABLE.has(problem.type);
}

/** The copy as it can be asked; `undefined`: it is on no node. */
export function activeCopy({ nodeId, allocationId }: ShardRouting): ActiveCopy | undefined {
  return nodeId === undefined || allocationId === undefined ? undefined : { nodeId, allocationId };
}

function isLeftOut(
  deps: CoordinatorDeps,
  { index, shard }: SearchTarget,
  copy: ShardRouting,
  problem: Problem,
): boolean {
  return isSkipped(deps, { index: index.name, shard, copy, problem });
}
