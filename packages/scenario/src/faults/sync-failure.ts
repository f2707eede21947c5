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
  says: "Lets syncs fail with an input/output error: what was to be kept may be lost. Then failed copies are tried again.",
  keys: {
    node: must(selector, "whose disk it is"),
    path: or(text, "", "files whose path contains this; all when it is not said"),
    perMille: orPerMille(1000, "of a thousand syncs"),
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
