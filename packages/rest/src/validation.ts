/** Request validation: problems are collected and reported together, numbered. */
import { OperationError } from "@orrery/stdx";

/** The error `action_request_validation_exception` with the numbered problems. */
export function validationFailed(problems: readonly string[]): OperationError {
  const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join("");
  const reason = `Validation Failed: ${list}`;
  return new OperationError({ type: "action_request_validation_exception", reason, status: 400 });
}

/** Throws `action_request_validation_exception` if there is any problem. */
export function validate(problems: readonly (string | undefined | false)[]): void {
  const real = problems.filter((problem) => typeof problem === "string");
  if (real.length > 0) throw validationFailed(real);
}
