/** Cuts a node's power; starts it again when the fault ends. */
import type { NodeSelector } from "../world.ts";
import type { Inject } from "./fault.ts";

export interface Crash {
  readonly kind: "crash";
  readonly node: NodeSelector;
}

export const crash: Inject<Crash> = (fault, world) => {
  const victims = world.select(fault.node).filter((node) => world.simulation.isUp(node));
  for (const node of victims) world.crash(node);
  return () => {
    for (const node of victims) world.start(node);
  };
};
