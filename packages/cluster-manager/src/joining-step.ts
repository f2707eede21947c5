/**
 * Decides when a node asks for membership, and what an answer means: a step function over plain data. Time is given with the events, and
 * timers, requests and log lines are effects, to be carried out in their order.
 *
 * One request is under way at a time. Refused requests are sent again after 20 ms, doubled up to a second; accepted ones after two
 * seconds, while the log has not come; those of a decommissioned node not before its pause is over.
 */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { unreachable, type Problem } from "@orrery/stdx";
import { isLostWithManager } from "./problems.ts";

const firstRetryMs = 20;
const retryMsMost = 1000;
/** After an answer, before asking again while the log has not come. */
const acceptedRetryMs = 2000;

export interface JoiningState {
  /** The elected cluster manager to ask, while this node is no member. */
  readonly manager: DiscoveryNode | undefined;
  readonly isAsking: boolean;
  /** Before the next request, if the one under way is refused. */
  readonly delayMs: number;
  /** As it was logged last. */
  readonly lastRefusal: string;
  /** The last answer was that the zone of this node is out of the cluster. */
  readonly isDecommissioned: boolean;
  /** By the monotonic clock: no cluster manager is asked before. */
  readonly notBeforeMs: number;
}

export type JoiningEvent =
  | {
      readonly kind: "manager-known";
      readonly manager: DiscoveryNode | undefined;
      readonly nowMs: number;
    }
  | { readonly kind: "retry-due" }
  /** An answer came that is no refusal. */
  | { readonly kind: "answered" }
  /** The log is held under the id that the answer gave. */
  | { readonly kind: "accepted"; readonly nowMs: number }
  | {
      readonly kind: "refused";
      readonly problem: Problem;
      readonly nowMs: number;
      /** How long a node of a decommissioned zone waits before it asks again. */
      readonly decommissionedPauseMs: number;
    }
  | { readonly kind: "stopped" };

export type JoiningEffect =
  | { readonly kind: "ask"; readonly manager: DiscoveryNode }
  /** Of the request under way. */
  | { readonly kind: "cancel-request"; readonly reason: string }
  /** In place of a retry that was set before. */
  | { readonly kind: "set-retry"; readonly delayMs: number }
  | { readonly kind: "cancel-retry" }
  | { readonly kind: "warn"; readonly message: string }
  | { readonly kind: "report-refusal"; readonly problem: Problem };

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

function consider(
  before: JoiningState,
  manager: DiscoveryNode | undefined,
  nowMs: number,
): JoiningStep {
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

function retryAfter(
  { manager, notBeforeMs }: JoiningState,
  afterMs: number,
  nowMs: number,
): readonly JoiningEffect[] {
  if (manager === undefined) return [];
  return [{ kind: "set-retry", delayMs: Math.max(afterMs, notBeforeMs - nowMs) }];
}
