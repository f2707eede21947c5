/** Matching of frames and links with rules, and the draw whether a rule takes effect. */
import type { Links } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

/** True if the links of a rule include this direction. */
export function isAcross({ from, to, both }: Links, sender: string, receiver: string): boolean {
  if (from.includes(sender) && to.includes(receiver)) return true;
  return both && from.includes(receiver) && to.includes(sender);
}

/** An action that ends in `*` matches every action with that prefix. */
export function isNamed(actions: readonly string[], action: string): boolean {
  return actions.some((named) =>
    named.endsWith("*") ? action.startsWith(named.slice(0, -1)) : action === named,
  );
}

/** Draws whether a rule takes effect, with a probability in a thousand. */
export function happens(perMille: number, random: Random): boolean {
  return perMille > 0 && random.int(1, 1000) <= perMille;
}
