/** The error for a query that is nested too deep. */
import { OperationError } from "@orrery/stdx";

/** Passes through the enclosing queries, which do not wrap it. */
export class TooDeepError extends OperationError {
  constructor(limit: number) {
    const reason = `The query depth exceeds the maximum of [${limit}]`;
    super({ type: "illegal_argument_exception", reason, status: 400 });
  }
}
