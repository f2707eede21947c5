/** Crashes that are worse than they have to be: a rule about the disk holds while the power goes. */
import type { DiskRule } from "@orrery/ports";
import type { NodeSelector, World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { all } from "./harms.ts";
import { takeDown } from "./nodes.ts";
import { victimsOf } from "./victims.ts";

/** How long it is waited for something that the rule is about. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 10;

/** Counts what the rule did, not the crashes. `provoke`: has nodes do what the rule is about; the power goes then. */
export async function crashWith(
  world: World,
  given: NodeSelector,
  ruleOf: (node: string) => DiskRule,
  provoke?: (nodes: readonly string[]) => void,
): Promise<Injected> {
  const nodes = await victimsOf(world, given, world.isUp);
  const harms = await Promise.all(nodes.map((node) => world.harm(ruleOf(node))));
  const { targets, hits, end: endHarms } = all(nodes, harms);
  if (provoke !== undefined) {
    provoke(nodes);
    const untilMs = world.nowMs() + PATIENCE_MS;
    while (world.nowMs() < untilMs && (await hits()) === 0) await world.sleep(LOOK_EVERY_MS);
  }
  const downs = await Promise.all(
    nodes.map((node) => takeDown(node, world, (victim) => world.crash(victim))),
  );
  return {
    targets,
    hits,
    end: async () => {
      await endHarms();
      for (const { end } of downs) await end();
    },
  };
}
