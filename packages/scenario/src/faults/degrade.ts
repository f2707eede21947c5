/** Makes the network slow, lossy, or unruly for as long as the fault lasts. */
import { calmNetwork } from "@orrery/simulator";
import type { Inject } from "./fault.ts";

export interface Degrade {
  readonly kind: "degrade-network";
  /** The longest a frame travels. */
  readonly delayMs: number;
  /** Of a thousand frames, how many are lost, doubled, overtaken. */
  readonly lossPerMille: number;
  readonly duplicatePerMille: number;
  readonly reorderPerMille: number;
}

export const degrade: Inject<Degrade> = (fault, world) => {
  const { network } = world.simulation;
  return network.setConditions({
    latencyMs: {
      low: calmNetwork.latencyMs.low,
      high: Math.max(calmNetwork.latencyMs.high, fault.delayMs),
    },
    lossPerMille: fault.lossPerMille,
    duplicatePerMille: fault.duplicatePerMille,
    reorderPerMille: fault.reorderPerMille,
  });
};
