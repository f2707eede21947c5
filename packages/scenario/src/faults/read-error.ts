/** Fault that makes disk reads fail. */
import { selector } from "../selectors.ts";
import { must, or, text } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { applyToDisks } from "./disks.ts";
import { orPerMille } from "./rule-faults.ts";

export interface ReadError {
  readonly kind: "read-error";
  readonly node: NodeSelector;
  readonly path: string;
  readonly perMille: number;
}

export const readError: FaultRow<ReadError> = {
  family: "disk",
  says: "Makes reads fail with an input/output error. Files are read when a copy starts or is snapshotted: a running copy reads none. When the fault ends failed allocations are retried.",
  keys: {
    node: must(selector, "nodes whose disk is affected"),
    path: or(text, "", "only files whose path contains this text; default: all"),
    perMille: orPerMille(1000, "number of failing reads in a thousand"),
  },
  needs: ["read-error"],
  draw: (scene) => ({
    node: scene.node(),
    path: "",
    perMille: scene.chance(400) ? 1000 : scene.perMille(10, 500),
  }),
  inject: (fault, world) =>
    applyToDisks(world, fault.node, (node) => [
      {
        kind: "read-error",
        node,
        path: fault.path,
        perMille: fault.perMille,
      },
    ]),
};
