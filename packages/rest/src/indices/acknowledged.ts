/** Parameters of operations that change the cluster state, and the options they make. */
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

export interface AcknowledgedParameters extends ManagerTimeout, Parameters {
  readonly timeout: Parameter<number>;
}

export const acknowledgedParameters: AcknowledgedParameters = {
  ...managerTimeout,
  timeout: duration("30s"),
};

export function submitOptions(
  query: Parsed<AcknowledgedParameters>,
  priority: NonNullable<SubmitOptions["priority"]> = "URGENT",
): SubmitOptions {
  return { managerTimeoutMs: managerTimeoutMs(query), ackTimeoutMs: query.timeout, priority };
}
