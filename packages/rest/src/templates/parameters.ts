/** Parameters that operations on templates share, and differences from the description that they share. */
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

export interface ReadTemplates extends ManagerTimeout {
  readonly local: Parameter<boolean>;
  readonly flat_settings: Parameter<boolean>;
}

export const readTemplates: ReadTemplates = {
  ...managerTimeout,
  local: flag(false),
  flat_settings: onDemand(flag(false)),
};

/** The product always waits as long for acknowledgements. */
const ackTimeoutMs = 30_000;

export function templateSubmit(query: Parsed<ManagerTimeout>): SubmitOptions {
  return { managerTimeoutMs: managerTimeoutMs(query), ackTimeoutMs, priority: "URGENT" };
}

export function refusedParameter(name: string): Deviation {
  return { kind: "parameter", name, reason: "the product refuses it as unknown" };
}

export function addedParameter(name: string): Deviation {
  return { kind: "parameter", name, reason: "not in the description; the product takes it" };
}
