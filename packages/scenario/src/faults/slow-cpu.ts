/** Fault that delays all events of a node. */
import { selector } from "../selectors.ts";
import { duration, must, or } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface SlowCpu {
  readonly kind: "slow-cpu";
  readonly node: NodeSelector;
  readonly byMs: number;
}

export const slowCpu: FaultRow<SlowCpu> = {
  family: "node",
  says: "Slows nodes down: each message, timer and response is delayed, and waits for the previous one.",
  keys: {
    node: must(selector, "nodes that are slow"),
    byMs: or(duration, 5, "delay of each event"),
  },
  needs: ["slow"],
  draw: (scene) => ({ node: scene.node(), byMs: scene.ms(1, 20) }),
  inject: (fault, world) =>
    applyToNodes(world, fault.node, (node) => ({ kind: "slow", node, delayMs: fault.byMs })),
};
