/** Claims about the program itself: when one is false there is a bug, so nothing catches it but a node's loop. */

export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionError(message);
}

/** The value, which the caller knows to be there; `what` names it in the error. */
export function defined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AssertionError(`${what} is missing`);
  return value;
}

/** Closes an exhaustive `switch`: a member that is added later no longer compiles here. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
