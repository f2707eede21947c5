/** A scenario from code: the words of a scenario file, checked by the compiler, then read as the file is. */
import type { JsonObject } from "@orrery/stdx";
import type { Scenario } from "./generated/scenario.ts";
import { jsonFields } from "./json-fields.ts";
import type { Plan } from "./plan.ts";
import { readPlan } from "./plan-shape.ts";
import type { Surroundings } from "./shape.ts";

/**
 * What `parseScenario` gives for the same words in a file. Throws `OperationError` (`parse_exception`) with the path of what is
 * wrong.
 */
export function buildScenario(scenario: Scenario, surroundings?: Surroundings): Plan {
  const name: unknown = scenario.name;
  const written = scenario as unknown as JsonObject;
  return readPlan(jsonFields(typeof name === "string" ? name : "scenario", written), surroundings);
}
