/**
 * Outcome of one frame under the network rules that are active when it is sent: delivered, delayed,
 * duplicated, dropped, refused, or its connection broken.
 */
import { decodeFrame, type Frame, type Links } from "@orrery/ports";
import { OperationError, type Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens, isAcross, isNamed } from "./match.ts";

/**
 * Fate of one frame. `travels`: it is delivered after its delays; `vanishes`: it is dropped alone; `breaks`: its
 * connection is reset.
 */
export type FrameOutcome =
  | {
      readonly kind: "travels";
      readonly delayMs: number;
      /** Time that the frame's bytes occupy the connection (`throttle`). */
      readonly busyMs: number;
      readonly isDoubled: boolean;
      /**
       * Extra delay of this frame alone, during which later frames overtake it; 0 keeps the order.
       */
      readonly overtakenMs: number;
    }
  | { readonly kind: "vanishes" }
  | { readonly kind: "breaks" }
  /**
   * A request that is answered here with `rejected_execution_exception`, as by a node whose queue
   * is full.
   */
  | { readonly kind: "refused"; readonly request: Frame };

/** Outcome of a frame that no rule affects. Callers compare it by identity. */
export const unaffected: FrameOutcome = {
  kind: "travels",
  delayMs: 0,
  busyMs: 0,
  isDoubled: false,
  overtakenMs: 0,
};

export interface FrameInTransit {
  readonly from: string;
  readonly to: string;
  readonly frame: Uint8Array;
}

/** Delay of a frame that `reorder` lets others overtake. */
const OVERTAKEN_MS = 20;

/**
 * Id of the rule that blocks all frames between two nodes (a cut link, or a paused node at either
 * end); `undefined` if none does.
 */
export function blockingRule(state: FaultState, from: string, to: string): string | undefined {
  const cut = state.of("cut").find(({ links }) => isAcross(links, from, to));
  if (cut !== undefined) return cut.id;
  return state.of("pause").find(({ node }) => node === from || node === to)?.id;
}

/**
 * Draws the outcome of a frame. Rules are evaluated in the order drop, reject, reset, lose, then the delays; a frame of
 * a request or response that is lost breaks its connection, as with TCP.
 */
export function outcomeOf(
  state: FaultState,
  random: Random,
  transit: FrameInTransit,
): FrameOutcome {
  if (state.isCalm) return unaffected;
  const frame = read(transit.frame);
  const strikes = (rules: readonly LinkRule[]): boolean => {
    const hit = rules.find(
      ({ links, perMille, actions }) =>
        isAcross(links, transit.from, transit.to) &&
        (actions === undefined || isNamed(actions, frame?.action ?? "")) &&
        happens(perMille, random),
    );
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };
  const isOneWay = frame === undefined || frame.kind === "one-way";
  if (strikes(state.of("drop"))) return { kind: "vanishes" };
  if (frame?.kind === "request" && strikes(state.of("reject")))
    return { kind: "refused", request: frame };
  if (strikes(state.of("reset"))) return { kind: "breaks" };
  if (strikes(state.of("lose"))) return { kind: isOneWay ? "vanishes" : "breaks" };
  return {
    kind: "travels",
    delayMs: delayOf(state, random, transit),
    busyMs: busyOf(state, transit),
    isDoubled: isOneWay && strikes(state.of("duplicate")),
    overtakenMs: isOneWay && strikes(state.of("reorder")) ? OVERTAKEN_MS : 0,
  };
}

interface LinkRule {
  readonly id: string;
  readonly links: Links;
  readonly perMille: number;
  readonly actions?: readonly string[];
}

function delayOf(state: FaultState, random: Random, { from, to }: FrameInTransit): number {
  let delayMs = 0;
  for (const { id, links, lowMs, highMs } of state.of("delay")) {
    if (!isAcross(links, from, to)) continue;
    delayMs += lowMs + random.float() * (highMs - lowMs);
    state.tookEffect(id);
  }
  for (const { id, node, delayMs: byMs } of state.of("slow")) {
    if (node !== from && node !== to) continue;
    delayMs += byMs;
    state.tookEffect(id);
  }
  return delayMs;
}

function busyOf(state: FaultState, { from, to, frame }: FrameInTransit): number {
  let busyMs = 0;
  for (const { id, links, bytesPerSecond } of state.of("throttle")) {
    if (!isAcross(links, from, to)) continue;
    busyMs = Math.max(busyMs, (frame.length * 1000) / bytesPerSecond);
    state.tookEffect(id);
  }
  return busyMs;
}

/** Bytes that are no frame of ours count as a one-way frame without an action. */
function read(bytes: Uint8Array): Frame | undefined {
  try {
    return decodeFrame(bytes);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return undefined;
  }
}
