/** Lets messages of some types vanish. */
import { must, someOf, text } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { harmLinks, linkKeys, orPerMille, type LinkChoice } from "./harms.ts";

export interface DropMessages extends LinkChoice {
  readonly kind: "drop-messages";
  readonly actions: readonly string[];
  readonly perMille: number;
}

export const dropMessages: FaultRow<DropMessages> = {
  family: "network",
  says: "Lets messages of some types vanish, with their answers; their connection stays.",
  keys: {
    actions: must(someOf(text), "transport actions, such as [indices:data/write/bulk*]"),
    ...linkKeys,
    perMille: orPerMille(1000, "of a thousand such messages"),
  },
  needs: ["drop"],
  inject: ({ actions, perMille, ...choice }, world) =>
    harmLinks(world, choice, (links) => ({ kind: "drop", links, actions, perMille })),
};
