/** Crashes that are worse than they have to be: a rule about the disk holds while the power goes. */
import type { DiskRule } from "@orrery/ports";
import type { NodeSelector, World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { all } from "./harms.ts";
import { takeDown } from "./nodes.ts";
import { victimsOf } from "./victims.ts";

/** Counts what the rule did, not the crashes. */
export async function crashWith(
  world: World,
  given: NodeSelector,
  ruleOf: (node: string) => DiskRule,
): Promise<Injected> {
  const nodes = (await victimsOf(world, given)).filter((node) => world.isUp(node));
  const harms = await Promise.all(nodes.map((node) => world.harm(ruleOf(node))));
  const { targets, hits, end: endHarms } = all(nodes, harms);
  const downs: Injected[] = [];
  for (const node of nodes)
    downs.push(await takeDown(node, world, (victim) => world.crash(victim)));
  return {
    targets,
    hits,
    end: async () => {
      await endHarms();
      for (const { end } of downs) await end();
    },
  };
}
