/** Fault that makes a node's wall clock jump back and forth. */
import { selector } from "../selectors.ts";
import { duration, must, or, signedDuration } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface ClockStrobe {
  readonly kind: "clock-strobe";
  readonly node: NodeSelector;
  readonly byMs: number;
  readonly periodMs: number;
}

export const clockStrobe: FaultRow<ClockStrobe> = {
  family: "clock",
  says: "Makes the wall clock of nodes jump to a wrong time and back repeatedly, as with two contradicting time sources; it is correct when the fault ends. Timers are not affected.",
  keys: {
    node: must(selector, "nodes whose clock jumps"),
    byMs: must(signedDuration, "offset, such as [5m] or [-5m]"),
    periodMs: or(duration, 200, "time of one jump and the return"),
  },
  needs: ["clock-strobe"],
  complaint: ({ byMs, periodMs }) => {
    if (byMs === 0) return "[by] must not be zero";
    return periodMs < 2 ? "[period] must be [2ms] or more" : undefined;
  },
  draw: (scene) => ({
    node: scene.node(),
    byMs: scene.ms(4, 262_000) * (scene.chance(500) ? 1 : -1),
    periodMs: scene.ms(2, 1000),
  }),
  inject: ({ node: given, byMs: offsetMs, periodMs }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "clock-strobe", node, offsetMs, periodMs })),
};
