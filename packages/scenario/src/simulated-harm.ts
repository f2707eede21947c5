/** Rules carried out by the simulator's models. */
import type { Rule } from "@orrery/ports";
import type { Simulation } from "@orrery/simulator";
import { fail } from "@orrery/stdx";
import type { Harm } from "./world.ts";

export function harmSimulation(simulation: Simulation, rule: Rule): Harm {
  const { network } = simulation;
  switch (rule.kind) {
    case "cut":
    case "delay":
    case "lose":
    case "duplicate":
    case "reorder":
      return harmOf(network.harm(rule));
    default:
      return fail({
        type: "illegal_argument_exception",
        reason: `the world [sim] cannot do [${rule.kind}]`,
        status: 400,
      });
  }
}

function harmOf(given: { readonly hits: () => number; readonly end: () => void }): Harm {
  return {
    hits: async () => given.hits(),
    end: async () => given.end(),
  };
}
