/** Fault that makes a node's wall clock jump permanently. */
import { selector } from "../selectors.ts";
import { must, signedDuration } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface ClockJump {
  readonly kind: "clock-jump";
  readonly node: NodeSelector;
  readonly byMs: number;
}

export const clockJump: FaultRow<ClockJump> = {
  family: "clock",
  says: "Makes the wall clock of nodes jump, forwards or backwards, permanently.",
  keys: {
    node: must(selector, "nodes whose clock jumps"),
    byMs: must(signedDuration, "offset, such as [1h] or [-1h]"),
  },
  needs: ["clock-jump"],
  complaint: ({ byMs }) => (byMs === 0 ? "[by] must not be zero" : undefined),
  draw: (scene) => ({
    node: scene.node(),
    byMs: scene.ms(10, 14 * 3_600_000) * (scene.chance(500) ? 1 : -1),
  }),
  inject: ({ node: given, byMs: offsetMs }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "clock-jump", node, offsetMs })),
};
