/** Action that sets the search routing weight of a zone to zero, or restores it. */
import { attempt, hasThreeZones, until, type ActionRow } from "./action.ts";

export const zoneWeights: ActionRow = {
  areas: ["decommission"],
  fits: hasThreeZones,
  draw: (scene) => {
    const zones = scene.zones();
    const out = scene.random.pick([...zones, undefined]);
    const weights = Object.fromEntries(zones.map((zone) => [zone, zone === out ? "0" : "1"]));
    const body = { weights, _version: -1 };
    return [attempt("PUT /_cluster/routing/awareness/zone/weights", { body })];
  },
  undo: () => {
    const asked = until("GET /_cluster/routing/awareness/zone/weights", [200]);
    if (asked.kind !== "request") return [];
    return [
      { ...asked, step: { ...asked.step, save: { weights_version: "_version" } } },
      until("DELETE /_cluster/routing/awareness/weights", [200, 400, 404], {
        body: { _version: "{weights_version}" },
      }),
    ];
  },
};
