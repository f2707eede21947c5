/** What becomes of one frame on its way, by the rules of that moment. */
import { decodeFrame, type Frame, type Links } from "@orrery/ports";
import { OperationError, type Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens, isAcross, isNamed } from "./match.ts";

export type Journey =
  | {
      readonly kind: "travels";
      readonly delayMs: number;
      /** How long its bytes keep the line busy. */
      readonly busyMs: number;
      readonly isDoubled: boolean;
      /** Late by so much on its own, while others go past. */
      readonly overtakenMs: number;
    }
  | { readonly kind: "vanishes" }
  | { readonly kind: "breaks" }
  /** It is answered here, as by a node that has no room for it. */
  | { readonly kind: "refused"; readonly request: Frame };

export const undisturbed: Journey = {
  kind: "travels",
  delayMs: 0,
  busyMs: 0,
  isDoubled: false,
  overtakenMs: 0,
};

export interface Traveller {
  readonly from: string;
  readonly to: string;
  readonly frame: Uint8Array;
}

/** How long a frame that is overtaken stays behind. */
const OVERTAKEN_MS = 20;

/** The rule that lets nothing through from one node to another. */
export function barrier(state: FaultState, from: string, to: string): string | undefined {
  const cut = state.of("cut").find(({ links }) => isAcross(links, from, to));
  if (cut !== undefined) return cut.id;
  return state.of("pause").find(({ node }) => node === from || node === to)?.id;
}

export function journeyOf(state: FaultState, random: Random, traveller: Traveller): Journey {
  if (state.isCalm) return undisturbed;
  const frame = read(traveller.frame);
  const strikes = (rules: readonly LinkRule[]): boolean => {
    const hit = rules.find(
      ({ links, perMille, actions }) =>
        isAcross(links, traveller.from, traveller.to) &&
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
    delayMs: delayOf(state, random, traveller),
    busyMs: busyOf(state, traveller),
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

function delayOf(state: FaultState, random: Random, { from, to }: Traveller): number {
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

function busyOf(state: FaultState, { from, to, frame }: Traveller): number {
  let busyMs = 0;
  for (const { id, links, bytesPerSecond } of state.of("throttle")) {
    if (!isAcross(links, from, to)) continue;
    busyMs = Math.max(busyMs, (frame.length * 1000) / bytesPerSecond);
    state.tookEffect(id);
  }
  return busyMs;
}

/** What is no frame of ours is one-way and has no name. */
function read(bytes: Uint8Array): Frame | undefined {
  try {
    return decodeFrame(bytes);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return undefined;
  }
}
