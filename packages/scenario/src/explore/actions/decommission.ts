/** Action that decommissions a zone, and recommissions it. */
import { attempt, hasThreeZones, until, wait, type ActionRow } from "./action.ts";

export const decommission: ActionRow = {
  areas: ["decommission"],
  fits: hasThreeZones,
  draw: (scene) => {
    const zones = scene.zones();
    const out = scene.random.pick(zones);
    const weights = Object.fromEntries(zones.map((zone) => [zone, zone === out ? "0" : "1"]));
    const how = scene.random.pick(["no_delay=true", "delay_timeout=500ms", "delay_timeout=2s"]);
    return [
      attempt("PUT /_cluster/routing/awareness/zone/weights", { body: { weights, _version: -1 } }),
      attempt(`PUT /_cluster/decommission/awareness/zone/${out}?${how}`),
      wait(scene.ms(10, 3000)),
      attempt("GET /_cluster/decommission/awareness/zone/_status"),
      ...(scene.chance(600) ? [attempt("DELETE /_cluster/decommission/awareness")] : []),
    ];
  },
  undo: () => [until("DELETE /_cluster/decommission/awareness", [200])],
};
