/** Crashes with a disk rule in force: the power loss does more damage than a plain crash. */
import type { DiskRule } from "@orrery/ports";
import type { NodeSelector, World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { takeDown } from "./nodes.ts";
import { targetsOf } from "./targets.ts";

/** Limit of the wait until the rule has something to act on. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 10;

/**
 * Crashes nodes while a disk rule is active on them. `provoke` makes the nodes do the operations on which the rule
 * acts; the power is cut then. The receipt counts effects of the rule, not crashes.
 */
export async function crashWith(
  world: World,
  given: NodeSelector,
  ruleOf: (node: string) => DiskRule,
  provoke?: (nodes: readonly string[]) => void,
): Promise<Injected> {
  const nodes = await targetsOf(world, given, world.isUp);
  const applied = await Promise.all(nodes.map((node) => world.applyRule(ruleOf(node))));
  const { targets, hits, end: liftRules } = combined(nodes, applied);
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
      await liftRules();
      for (const { end } of downs) await end();
    },
  };
}
