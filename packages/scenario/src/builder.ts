/** Builder of scenarios in code: the keys of a scenario file as TypeScript types, read by the same parser as a file. */
import type { JsonObject } from "@orrery/stdx";
import type { Scenario } from "./generated/scenario.ts";
import { jsonFields } from "./json-fields.ts";
import type { Plan } from "./plan.ts";
import { readPlan } from "./plan-shape.ts";
import type { ParserInputs } from "./shape.ts";

/**
 * Plan of a scenario, equal to what `parseScenario` returns for the same keys in a file. Throws `OperationError`
 * (`parse_exception`) with the path of the invalid value.
 */
export function buildScenario(scenario: Scenario, inputs?: ParserInputs): Plan {
  const name: unknown = scenario.name;
  const written = scenario as unknown as JsonObject;
  return readPlan(jsonFields(typeof name === "string" ? name : "scenario", written), inputs);
}
