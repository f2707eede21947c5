/** A scenario file as a plan. Every error is one sentence with file, line, column, key, and the nearest valid key. */
import type { JsonObject } from "@orrery/stdx";
import { jsonFields } from "./json-fields.ts";
import type { Plan } from "./plan.ts";
import { readPlan } from "./plan-shape.ts";
import type { Surroundings } from "./shape.ts";
import { readYaml } from "./yaml.ts";

/** Throws `OperationError` (`parse_exception`). JSON is YAML, too. Files that it names are read now, and by nobody later. */
export function parseScenario(file: string, text: string, surroundings?: Surroundings): Plan {
  return readPlan(readYaml(file, text), surroundings);
}

/** A plan as `writePlan` writes it, with all that its files hold; `name` is for errors. Throws as `parseScenario` does. */
export function parsePlan(name: string, written: JsonObject, surroundings?: Surroundings): Plan {
  return readPlan(jsonFields(name, written), surroundings);
}
