/** Fault that makes syncs fail. */
import { selector } from "../selectors.ts";
import { must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToDisks } from "./disks.ts";
import { orPerMille } from "./rule-faults.ts";

export interface SyncFailure {
  readonly kind: "sync-failure";
  readonly node: NodeSelector;
  readonly path: string;
  readonly perMille: number;
}

export const syncFailure: FaultRow<SyncFailure> = {
  family: "disk",
  says: "Makes syncs fail with an input/output error; their data may be lost. When the fault ends failed allocations are retried.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
    perMille: orPerMille(1000, "number of failing syncs in a thousand"),
  },
  needs: ["sync-fails"],
  draw: (scene) => ({
    node: scene.node(),
    path: "",
    perMille: scene.chance(400) ? 1000 : scene.perMille(10, 500),
  }),
  inject: (fault, world) =>
    applyToDisks(world, fault.node, (node) => [
      {
        kind: "sync-fails",
        node,
        path: fault.path,
        perMille: fault.perMille,
      },
    ]),
};
