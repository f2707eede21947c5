/** Parser of scenario files. Every error is one sentence with file, line, column, key, and the nearest valid key. */
import type { JsonObject } from "@orrery/stdx";
import { jsonFields } from "./json-fields.ts";
import type { Plan } from "./plan.ts";
import { readPlan } from "./plan-shape.ts";
import type { ParserInputs } from "./shape.ts";
import { readYaml } from "./yaml.ts";

/**
 * Plan of a scenario file. Throws `OperationError` (`parse_exception`). JSON is accepted as YAML. Files that the
 * scenario names are read now, and never later.
 */
export function parseScenario(file: string, text: string, inputs?: ParserInputs): Plan {
  return readPlan(readYaml(file, text), inputs);
}

/**
 * Plan from its form written by `writePlan`, including the contents of its files; `name` denotes it in errors. Throws
 * as `parseScenario` does.
 */
export function parsePlan(name: string, written: JsonObject, inputs?: ParserInputs): Plan {
  return readPlan(jsonFields(name, written), inputs);
}
