/** Parameters and deviations that operations on templates share. */
import type { SubmitOptions } from "@orrery/node";
import type { Deviation } from "../operation.ts";
import {
  flag,
  managerTimeout,
  managerTimeoutMs,
  onDemand,
  type ManagerTimeout,
  type Parameter,
  type Parsed,
} from "../parameters.ts";

/** Parameters of operations that read templates. */
export interface ReadTemplates extends ManagerTimeout {
  readonly local: Parameter<boolean>;
  readonly flat_settings: Parameter<boolean>;
}

export const readTemplates: ReadTemplates = {
  ...managerTimeout,
  local: flag(false),
  flat_settings: onDemand(flag(false)),
};

/** Timeout of acknowledgements, which the product does not let the request change. */
const ackTimeoutMs = 30_000;

/** Submit options of a change of templates. */
export function templateSubmit(query: Parsed<ManagerTimeout>): SubmitOptions {
  return { managerTimeoutMs: managerTimeoutMs(query), ackTimeoutMs, priority: "URGENT" };
}

/** Deviation: a parameter of the specification that the product refuses. */
export function refusedParameter(name: string): Deviation {
  return { kind: "parameter", name, reason: "the product refuses it as unknown" };
}

/** Deviation: a parameter of the product that the specification lacks. */
export function addedParameter(name: string): Deviation {
  return { kind: "parameter", name, reason: "not in the description; the product takes it" };
}
