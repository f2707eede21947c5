/** Every fault by its kind. A new kind does not compile without its row. */
import type { World } from "../world.ts";
import { crash } from "./crash.ts";
import { delay } from "./delay.ts";
import { duplication } from "./duplication.ts";
import type { FaultKind, FaultOf, FaultRow, Injected } from "./fault.ts";
import { loss } from "./loss.ts";
import { partition } from "./partition.ts";
import { reordering } from "./reordering.ts";

export const faults: { readonly [Kind in FaultKind]: FaultRow<FaultOf<Kind>> } = {
  crash,
  partition,
  delay,
  loss,
  duplication,
  reordering,
};

export const faultKinds: readonly FaultKind[] = Object.keys(faults) as FaultKind[];

export function rowOf<Kind extends FaultKind>(fault: FaultOf<Kind>): FaultRow<FaultOf<Kind>> {
  return faults[fault.kind];
}

export function inject<Kind extends FaultKind>(
  fault: FaultOf<Kind>,
  world: World,
): Promise<Injected> {
  return rowOf(fault).inject(fault, world);
}
