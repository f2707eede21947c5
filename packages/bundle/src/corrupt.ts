/** Errors for a file that is not a valid bundle. */
import { OperationError } from "@orrery/stdx";

/** Error for a file that is rejected as a bundle. */
export function refusal(reason: string): OperationError {
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

/** Error for a file that is a damaged bundle. */
export function corrupt(path: string, why: string): OperationError {
  return refusal(`the bundle [${path}] is corrupt: ${why}`);
}
