/**
 * Decisions of a joining node, as a step function over plain data (`JoinHelper`): when it sends a join request, and
 * what an answer means. Time arrives with the events; timers, requests and log lines are effects, carried out in their
 * order.
 *
 * One request is under way at a time. A rejected request is repeated after 20 ms, doubled up to a second. An accepted
 * one is repeated after two seconds while the node is not a member, because acceptance says only that the log will be
 * sent. A node of a decommissioned zone waits for its pause, whichever cluster manager is elected meanwhile.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { unreachable, type Problem } from "@orrery/stdx";
import { isLostWithManager } from "./problems.ts";

const firstRetryMs = 20;
const retryMsMost = 1000;
/** Pause after an accepted request, before it is repeated by a node that is still no member. */
const acceptedRetryMs = 2000;

/** The progress of a node towards joining a cluster. */
export interface JoiningState {
  /** The cluster manager to send requests to; undefined for a member, and while none is known. */
  readonly manager: DiscoveryNode | undefined;
  /** Whether a request is under way. */
  readonly isAsking: boolean;
  /** Pause before the next request, in case that the one under way is rejected. */
  readonly delayMs: number;
  /** The last logged rejection, which is not logged twice in a row. */
  readonly lastRefusal: string;
  /** Whether the last answer was that the zone of this node is decommissioned. */
  readonly isDecommissioned: boolean;
  /** Monotonic time before which no request is sent. */
  readonly notBeforeMs: number;
}

/** Inputs of joining. */
export type JoiningEvent =
  | {
      readonly kind: "manager-known";
      readonly manager: DiscoveryNode | undefined;
      readonly nowMs: number;
    }
  | { readonly kind: "retry-due" }
  /** The request was accepted. */
  | { readonly kind: "answered" }
  /** This node has adopted the Raft id of the answer. */
  | { readonly kind: "accepted"; readonly nowMs: number }
  | {
      readonly kind: "refused";
      readonly problem: Problem;
      readonly nowMs: number;
      /** Pause of a node whose zone is decommissioned. */
      readonly decommissionedPauseMs: number;
    }
  | { readonly kind: "stopped" };

/** Outputs of joining. */
export type JoiningEffect =
  | { readonly kind: "ask"; readonly manager: DiscoveryNode }
  /** Cancels the request under way, if there is one. */
  | { readonly kind: "cancel-request"; readonly reason: string }
  /** Sets the timer of the next request, and cancels one that was set before. */
  | { readonly kind: "set-retry"; readonly delayMs: number }
  | { readonly kind: "cancel-retry" }
  | { readonly kind: "warn"; readonly message: string }
  | { readonly kind: "report-refusal"; readonly problem: Problem };

/** The next state, and the effects to carry out in their order. */
export interface JoiningStep {
  readonly state: JoiningState;
  readonly effects: readonly JoiningEffect[];
}

export const notJoining: JoiningState = {
  manager: undefined,
  isAsking: false,
  delayMs: firstRetryMs,
  lastRefusal: "",
  isDecommissioned: false,
  notBeforeMs: 0,
};

/** Handles one event. */
export function joiningStep(state: JoiningState, event: JoiningEvent): JoiningStep {
  switch (event.kind) {
    case "manager-known":
      return consider(state, event.manager, event.nowMs);
    case "retry-due":
      if (state.manager === undefined || state.isAsking) return { state, effects: [] };
      return {
        state: { ...state, isAsking: true },
        effects: [{ kind: "ask", manager: state.manager }],
      };
    case "answered":
      return { state: { ...state, isDecommissioned: false }, effects: [] };
    case "accepted":
      return {
        state: { ...state, isAsking: false, delayMs: firstRetryMs },
        effects: retryAfter(state, acceptedRetryMs, event.nowMs),
      };
    case "refused":
      return refused(state, event);
    case "stopped":
      return {
        state: { ...state, manager: undefined },
        effects: [{ kind: "cancel-request", reason: "node is closed" }, { kind: "cancel-retry" }],
      };
    default:
      return unreachable(event);
  }
}

/** A change of the cluster manager to ask: a request to the former one is cancelled, and the next is due at once. */
function consider(
  before: JoiningState,
  manager: DiscoveryNode | undefined,
  nowMs: number,
): JoiningStep {
  // The event comes with every run of the reconcile loop: an unchanged manager must neither cancel nor restart anything.
  const isNew = manager?.id !== before.manager?.id;
  if (!isNew && manager !== undefined) return { state: { ...before, manager }, effects: [] };
  const isReset = before.delayMs === firstRetryMs && before.lastRefusal === "";
  if (!isNew && isReset) return { state: before, effects: [] };
  const reason = "another node is the elected cluster manager";
  const cancel: readonly JoiningEffect[] = isNew ? [{ kind: "cancel-request", reason }] : [];
  const state: JoiningState = { ...before, manager, delayMs: firstRetryMs };
  if (manager === undefined) {
    return { state: { ...state, lastRefusal: "" }, effects: [...cancel, { kind: "cancel-retry" }] };
  }
  return { state, effects: [...cancel, ...retryAfter(state, 0, nowMs)] };
}

/** A rejected or failed request. Problems that pass by themselves, such as a change of the cluster manager, are not logged. */
function refused(
  before: JoiningState,
  event: JoiningEvent & { readonly kind: "refused" },
): JoiningStep {
  const { problem, nowMs } = event;
  const effects: JoiningEffect[] = [];
  let { isDecommissioned, notBeforeMs, lastRefusal } = before;
  if (problem.type === "node_decommissioned_exception") {
    const message = "local node is decommissioned. Will not be able to join the cluster";
    if (!isDecommissioned) effects.push({ kind: "warn", message });
    isDecommissioned = true;
    notBeforeMs = nowMs + event.decommissionedPauseMs;
  }
  if (!isLostWithManager(problem) && problem.isRetryable !== true) {
    const name = before.manager?.name ?? "";
    const message = `failed to join ${name}: ${problem.type}: ${problem.reason}`;
    if (message !== lastRefusal) effects.push({ kind: "warn", message });
    lastRefusal = message;
    effects.push({ kind: "report-refusal", problem });
  }
  const { delayMs } = before;
  const state: JoiningState = {
    ...before,
    isAsking: false,
    delayMs: Math.min(delayMs * 2, retryMsMost),
    ...{ isDecommissioned, notBeforeMs, lastRefusal },
  };
  return { state, effects: [...effects, ...retryAfter(state, delayMs, nowMs)] };
}

/** The timer of the next request, not before the pause of a decommissioned node has passed. */
function retryAfter(
  { manager, notBeforeMs }: JoiningState,
  afterMs: number,
  nowMs: number,
): readonly JoiningEffect[] {
  if (manager === undefined) return [];
  return [{ kind: "set-retry", delayMs: Math.max(afterMs, notBeforeMs - nowMs) }];
}
