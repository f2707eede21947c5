/** Parameters of operations that submit a cluster state update task, and the submit options that they describe. */
import type { SubmitOptions } from "@orrery/node";
import {
  duration,
  managerTimeout,
  managerTimeoutMs,
  type ManagerTimeout,
  type Parameter,
  type Parameters,
  type Parsed,
} from "../parameters.ts";

/** Timeouts for the elected cluster manager and for acknowledgements. */
export interface AcknowledgedParameters extends ManagerTimeout, Parameters {
  readonly timeout: Parameter<number>;
}

export const acknowledgedParameters: AcknowledgedParameters = {
  ...managerTimeout,
  timeout: duration("30s"),
};

/** The submit options; the default priority is the product's for changes of metadata. */
export function submitOptions(
  query: Parsed<AcknowledgedParameters>,
  priority: NonNullable<SubmitOptions["priority"]> = "URGENT",
): SubmitOptions {
  return { managerTimeoutMs: managerTimeoutMs(query), ackTimeoutMs: query.timeout, priority };
}
