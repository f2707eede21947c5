/** Cuts a node's power; starts it again when the fault ends. */
import { must } from "../shape.ts";
import { selector } from "../selectors.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";

export interface Crash {
  readonly kind: "crash";
  readonly node: NodeSelector;
}

export const crash: FaultRow<Crash> = {
  family: "node",
  says: "Cuts the power of nodes: what they had not synced is lost, torn or kept. They start again when the fault ends.",
  keys: { node: must(selector, "whose power is cut") },
  needs: ["crash"],
  inject: async (fault, world) => {
    const victims = (await world.select(fault.node)).filter((node) => world.isUp(node));
    for (const node of victims) await world.crash(node);
    return {
      targets: victims,
      hits: async () => victims.length,
      end: async () => {
        for (const node of victims) await world.start(node);
      },
    };
  },
};
