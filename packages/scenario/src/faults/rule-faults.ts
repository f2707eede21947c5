/** Faults that consist of rules: one rule for each selected node, or one for selected links. */
import type { Links, Rule } from "@orrery/ports";
import { may, or, perMille, type Key, type Keys } from "../shape.ts";
import { selector } from "../selectors.ts";
import type { AppliedRule, NodeSelector, World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { targetsOf } from "./targets.ts";

/** Applies a rule to each selected node. */
export async function applyToNodes(
  world: World,
  given: NodeSelector,
  ruleOf: (node: string) => Rule,
): Promise<Injected> {
  const nodes = await targetsOf(world, given);
  return combined(nodes, await Promise.all(nodes.map((node) => world.applyRule(ruleOf(node)))));
}

/** Combination of applied rules as one fault. */
export function combined(targets: readonly string[], applied: readonly AppliedRule[]): Injected {
  return {
    targets,
    hits: async () => {
      const hits = await Promise.all(applied.map((one) => one.hits()));
      return hits.reduce((sum, each) => sum + each, 0);
    },
    end: async () => {
      await Promise.all(applied.map((one) => one.end()));
    },
  };
}

/** Links that a network fault affects; all if no key is given. */
export interface LinkChoice {
  /** Frames that these nodes send or receive. */
  readonly node?: NodeSelector;
  /** Frames that these nodes send; combined with `receiver`. */
  readonly sender?: NodeSelector;
  /** Frames that these nodes receive; combined with `sender`. */
  readonly receiver?: NodeSelector;
}

export const linkKeys: Keys<LinkChoice> = {
  node: may(selector, "only frames that these nodes send or receive"),
  sender: may(selector, "only frames that these nodes send"),
  receiver: may(selector, "only frames that these nodes receive"),
};

/** Links of a choice: those of `node` in both directions, else from `sender` to `receiver`. */
export async function linksOf(world: World, choice: LinkChoice): Promise<Links> {
  const everyone = world.nodes().concat();
  if (choice.node !== undefined)
    return { from: await targetsOf(world, choice.node), to: everyone, both: true };
  const from = choice.sender === undefined ? everyone : await targetsOf(world, choice.sender);
  const to = choice.receiver === undefined ? everyone : await targetsOf(world, choice.receiver);
  return { from, to, both: false };
}

/** Applies a rule to the chosen links. */
export async function applyToLinks(
  world: World,
  choice: LinkChoice,
  ruleOf: (links: Links) => Rule,
): Promise<Injected> {
  const links = await linksOf(world, choice);
  const isAll = choice.node === undefined && choice.sender === undefined;
  const targets =
    isAll && choice.receiver === undefined ? ["all"] : [...links.from, "->", ...links.to];
  return combined(targets, [await world.applyRule(ruleOf(links))]);
}

export function orPerMille(otherwise: number, says: string): Key<number> {
  return or(perMille, otherwise, says);
}
