/**
 * `target_pool`: always YES, since the product's pool for remote-backed indices does not exist here
 * (`TargetPoolAllocationDecider`).
 */
import { yes, type Verdict } from "../decision.ts";
import type { Decider } from "./decider.ts";

const LABEL = "target_pool";

export const targetPool: Decider = {
  canAllocate: () => compatible("Shard"),
  canHoldIndex: () => compatible("Index"),
  canRemain: () => compatible("Shard"),
  canForcePrimary: () => compatible("Shard"),
};

function compatible(what: string): Verdict {
  return yes(
    LABEL,
    () => `Routing pools are compatible. ${what} pool: [LOCAL_ONLY], node pool: [LOCAL_ONLY]`,
  );
}
