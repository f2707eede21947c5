/** The faults that are on at the moment, set from outside, and how often each took effect here. */
import type { FaultOf, PortFault, PortFaultKind } from "./fault.ts";

export interface FaultState {
  /** Replaces what was on. Those that came new and those that are gone take effect before this returns. */
  set(faults: readonly PortFault[]): void;
  of<Kind extends PortFaultKind>(kind: Kind): readonly FaultOf<Kind>[];
  /** Whether there is none at all: the way that costs nothing. */
  readonly isCalm: boolean;
  /** Tells of every `set`; returns what ends that. */
  onChange(listener: () => void): () => void;
  /** A receipt: it did something to somebody. */
  tookEffect(id: string): void;
  /** By the fault's id. Counts stay when the fault has ended. */
  readonly effects: ReadonlyMap<string, number>;
}

export function createFaultState(initial: readonly PortFault[] = []): FaultState {
  const listeners = new Set<() => void>();
  const effects = new Map<string, number>();
  let byKind = groupByKind(initial);
  return {
    set: (faults) => {
      byKind = groupByKind(faults);
      for (const listener of [...listeners]) listener();
    },
    of: <Kind extends PortFaultKind>(kind: Kind) =>
      (byKind.get(kind) ?? none) as readonly FaultOf<Kind>[],
    get isCalm() {
      return byKind.size === 0;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tookEffect: (id) => void effects.set(id, (effects.get(id) ?? 0) + 1),
    effects,
  };
}

const none: readonly PortFault[] = [];

function groupByKind(faults: readonly PortFault[]): ReadonlyMap<PortFaultKind, PortFault[]> {
  const groups = new Map<PortFaultKind, PortFault[]>();
  for (const fault of faults) {
    const group = groups.get(fault.kind);
    if (group === undefined) groups.set(fault.kind, [fault]);
    else group.push(fault);
  }
  return groups;
}
