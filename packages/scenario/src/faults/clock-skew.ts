/** Fault that offsets a node's wall clock, with an optional drift, while it lasts. */
import { selector } from "../selectors.ts";
import { integer, must, or, signedDuration } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";

export interface ClockSkew {
  readonly kind: "clock-skew";
  readonly node: NodeSelector;
  readonly byMs: number;
  readonly driftPerMillion: number;
}

export const clockSkew: FaultRow<ClockSkew> = {
  family: "clock",
  says: "Offsets the wall clock of nodes, and makes it run too fast or too slow; it is correct again when the fault ends.",
  keys: {
    node: must(selector, "nodes whose clock is wrong"),
    byMs: or(signedDuration, 0, "offset, such as [5m] or [-5m]"),
    driftPerMillion: or(
      integer(-900_000, 900_000),
      0,
      "drift in parts per million; positive is too fast",
    ),
  },
  needs: ["clock-skew"],
  complaint: ({ byMs, driftPerMillion }) =>
    byMs === 0 && driftPerMillion === 0 ? "say [by] or [drift_per_million]" : undefined,
  draw: (scene) => ({
    node: scene.node(),
    byMs: scene.ms(10, 3_600_000) * (scene.chance(500) ? 1 : -1),
    driftPerMillion: scene.chance(500) ? 0 : scene.random.int(-500_000, 500_000),
  }),
  inject: ({ node: given, byMs: offsetMs, driftPerMillion }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "clock-skew", node, offsetMs, driftPerMillion })),
};
