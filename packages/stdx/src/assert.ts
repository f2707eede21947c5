/**
 * Assertions: a false claim is a bug of the program. An `AssertionError` ends in a node's loop, or in a shard worker at
 * the boundary of the request (`shard-worker/src/blame.ts`). Readers of foreign bytes turn one into their own error.
 */

/** A broken invariant or an impossible branch. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/**
 * Asserts a claim; the compiler then knows it to be true.
 * @throws AssertionError The claim is false; `message` is the error's.
 */
export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionError(message);
}

/** The value, which the caller knows to be present; `what` names it in the error. */
export function defined<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new AssertionError(`${what} is missing`);
  return value;
}

/** Closes an exhaustive `switch`: a member that is added to the union later does not compile here. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
