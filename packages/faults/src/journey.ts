/** What becomes of one frame on its way, by the faults of that moment. */
import { readFrameLabel } from "@orrery/ports";
import { OperationError, type Random } from "@orrery/stdx";
import type { FaultState } from "./fault-state.ts";
import { happens, isAt, isBetween, isMatch } from "./match.ts";

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
  | { readonly kind: "breaks" };

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

/** The fault that lets nothing through from one node to another. */
export function barrier(state: FaultState, from: string, to: string): string | undefined {
  const cut = state.of("partition").find((fault) => isBetween(fault, from, to));
  if (cut !== undefined) return cut.id;
  return state.of("pause").find(({ nodes }) => isAt(nodes, from) || isAt(nodes, to))?.id;
}

export function journeyOf(state: FaultState, random: Random, traveller: Traveller): Journey {
  if (state.isCalm) return undisturbed;
  const { from, to, frame } = traveller;
  const { action, isOneWay } = labelOf(frame);
  const struck = (
    faults: readonly { readonly id: string; readonly perMille?: number }[],
  ): boolean => {
    const hit = faults.find(({ perMille }) => happens(perMille, random));
    if (hit !== undefined) state.tookEffect(hit.id);
    return hit !== undefined;
  };
  const here = <Fault extends Parameters<typeof isBetween>[0]>(faults: readonly Fault[]) =>
    faults.filter((fault) => isBetween(fault, from, to));
  if (struck(here(state.of("drop")).filter((fault) => isMatch(fault.action, action))))
    return { kind: "vanishes" };
  if (struck(here(state.of("loss")))) return { kind: isOneWay ? "vanishes" : "breaks" };
  const overtaken = isOneWay ? here(state.of("reordering")) : [];
  return {
    kind: "travels",
    delayMs: delayOf(state, random, traveller),
    busyMs: busyOf(state, traveller),
    isDoubled: isOneWay && struck(here(state.of("duplication"))),
    overtakenMs: struck(overtaken) ? Math.max(...overtaken.map(({ byMs }) => byMs)) : 0,
  };
}

function delayOf(state: FaultState, random: Random, { from, to }: Traveller): number {
  let delayMs = 0;
  for (const fault of state.of("delay")) {
    if (!isBetween(fault, from, to)) continue;
    delayMs += fault.lowMs + random.float() * (fault.highMs - fault.lowMs);
    state.tookEffect(fault.id);
  }
  for (const { id, nodes, delayMs: byMs } of state.of("slow")) {
    if (!isAt(nodes, from) && !isAt(nodes, to)) continue;
    delayMs += byMs;
    state.tookEffect(id);
  }
  return delayMs;
}

function busyOf(state: FaultState, { from, to, frame }: Traveller): number {
  let busyMs = 0;
  for (const fault of state.of("throttling")) {
    if (!isBetween(fault, from, to)) continue;
    busyMs = Math.max(busyMs, (frame.length * 1000) / fault.bytesPerSecond);
    state.tookEffect(fault.id);
  }
  return busyMs;
}

/** What is no frame of ours is one-way and has no name. */
function labelOf(frame: Uint8Array): { readonly action: string; readonly isOneWay: boolean } {
  try {
    const { action, kind } = readFrameLabel(frame);
    return { action, isOneWay: kind === "one-way" };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { action: "", isOneWay: true };
  }
}
