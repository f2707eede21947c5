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
  says: "Lets reads fail with an input/output error. Files are read when a copy starts or goes into a snapshot: a copy that just runs reads nothing. Then failed copies are tried again.",
  keys: {
    node: must(selector, "whose disk it is"),
    path: or(text, "", "files whose path contains this; all when it is not said"),
    perMille: orPerMille(1000, "of a thousand reads"),
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
