/** Fault that cuts links in one direction only. */
import { selector } from "../selectors.ts";
import { must, oneOf, or } from "../shape.ts";
import type { NodeSelector } from "../world.ts";
import type { FaultRow } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { targetsOf } from "./targets.ts";

export interface OneWay {
  readonly kind: "one-way";
  readonly node: NodeSelector;
  readonly loses: "sent" | "received";
}

export const oneWay: FaultRow<OneWay> = {
  family: "network",
  says: "Cuts links in one direction: frames that the nodes send do not arrive, or frames sent to them.",
  keys: {
    node: must(selector, "nodes whose links are cut"),
    loses: or(
      oneOf("direction", () => ["sent", "received"] as const),
      "sent",
      "direction that is cut",
    ),
  },
  needs: ["cut"],
  draw: (scene) => ({
    node: scene.node(),
    loses: scene.random.pick(["sent", "received"] as const),
  }),
  inject: async (fault, world) => {
    const inside = await targetsOf(world, fault.node);
    const outside = world.nodes().filter((node) => !inside.includes(node));
    const [from, to] = fault.loses === "sent" ? [inside, outside] : [outside, inside];
    return combined(inside, [
      await world.applyRule({ kind: "cut", links: { from, to, both: false } }),
    ]);
  },
};
