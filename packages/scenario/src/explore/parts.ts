/** Generators of single parts of a sketch: faults of the list, blocks of steps, clients. */
import type { Action, TimedFault, Trigger } from "../plan.ts";
import type { Fault, FaultKind } from "../faults/fault.ts";
import { faults, rowOf } from "../faults/table.ts";
import { workloads } from "../workloads/table.ts";
import type { Workload, WorkloadKind } from "../workloads/workload.ts";
import { wait, type ActionKind } from "./actions/action.ts";
import { actions } from "./actions/table.ts";
import { drawMoment } from "./moments.ts";
import type { Scene } from "./scene.ts";
import type { Block } from "./sketch.ts";

export function drawFault(scene: Scene, kind: FaultKind): Fault | undefined {
  const drawn = faults[kind].draw(scene);
  return drawn === undefined ? undefined : ({ kind, ...drawn } as Fault);
}

export function drawTimedFault(scene: Scene, kind: FaultKind): TimedFault | undefined {
  const fault = drawFault(scene, kind);
  if (fault === undefined) return undefined;
  const trigger = drawTrigger(scene, isRepeatable(fault));
  return { trigger, ...lengthOf(scene, fault), fault };
}

/** False for a fault that may cause a permanent loss: it occurs once. */
function isRepeatable(fault: Fault): boolean {
  return (rowOf(fault).casualties ?? []).length === 0 && fault.kind !== "add-node";
}

/** Duration of a fault; an instant fault has none. */
export function lengthOf(scene: Scene, fault: Fault): { readonly forMs?: number } {
  return rowOf(fault).isInstant === true ? {} : { forMs: scene.ms(20, scene.disturbMs >> 1) };
}

/** Block that starts a fault shortly after a moment. */
export function drawFaultBlock(scene: Scene, kind: FaultKind): Block | undefined {
  const fault = drawFault(scene, kind);
  if (fault === undefined) return undefined;
  const injection: Action = { kind: "fault", fault, ...lengthOf(scene, fault) };
  const steps = scene.chance(500) ? [wait(scene.ms(1, 300)), injection] : [injection];
  return { kind: "fault", trigger: drawMoment(scene), steps };
}

export function drawBlock(scene: Scene, kind: ActionKind): Block | undefined {
  const { fits, draw } = actions[kind];
  const steps = fits?.(scene) === false ? [] : draw(scene);
  if (steps.length === 0) return undefined;
  const trigger = scene.chance(250) ? drawMoment(scene) : drawTrigger(scene, steps.length === 1);
  return { kind, trigger, steps };
}

export function drawTrigger(scene: Scene, mayRepeat: boolean): Trigger {
  const { random, disturbMs } = scene;
  const atMs = random.int(100, disturbMs - 100);
  if (mayRepeat && scene.chance(200))
    return {
      kind: "every",
      everyMs: scene.ms(300, 3000),
      fromMs: random.int(100, 1500),
      toMs: disturbMs,
    };
  if (scene.chance(150)) {
    const toMs = random.int(atMs, disturbMs);
    return { kind: "within", fromMs: atMs, toMs };
  }
  return { kind: "at", atMs };
}

export function drawWorkload(scene: Scene, kind: WorkloadKind): Workload | undefined {
  return workloads[kind].draw(scene);
}
