/** A scenario file as a plan. Every error is one sentence with file, line, column, key, and the nearest valid key. */
import type { Plan } from "./plan.ts";
import { readPlan } from "./plan-shape.ts";
import { readYaml } from "./yaml.ts";

/** Throws `OperationError` (`parse_exception`). JSON is YAML, too. */
export function parseScenario(file: string, text: string): Plan {
  return readPlan(readYaml(file, text));
}
