/** Lets nodes that are well look dead. */
import type { FaultRow } from "./fault.ts";
import { harmLinks, linkKeys, orPerMille, type LinkChoice } from "./harms.ts";

export interface KeepAliveExpiry extends LinkChoice {
  readonly kind: "keep-alive-expiry";
  readonly perMille: number;
}

export const keepAliveExpiry: FaultRow<KeepAliveExpiry> = {
  family: "cluster",
  says: "Lets the keep-alives between nodes expire: the checks of fault detection vanish, so that nodes that are well look dead, and everything else gets through.",
  keys: { ...linkKeys, perMille: orPerMille(1000, "of a thousand checks") },
  needs: ["drop"],
  inject: ({ perMille, ...choice }, world) => {
    const actions = ["internal:coordination/fault_detection/*"];
    return harmLinks(world, choice, (links) => ({ kind: "drop", links, actions, perMille }));
  },
};
