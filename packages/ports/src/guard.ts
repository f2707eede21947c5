/**
 * Guards: interceptors around dispatch and handlers, as in connect-es. A guard sees the context of a request, the
 * permission that it needs and the indices that it names. It lets the request through, with the context that it
 * passes on, or refuses it by rejecting with an `OperationError`. The first guard of a list is the outermost.
 */
import type { HandlerContext, RequestContext } from "./request-context.ts";
import type { Handler } from "./transport.ts";

/** The request as a guard sees it. */
export interface GuardedCall {
  readonly context: RequestContext;
  /** The product's name of the action; `none` for an operation that neither shows nor changes anything. */
  readonly permission: string;
  /** The named indices, as far as they are known at the guard's place. */
  readonly indices: readonly string[];
}

/** A request at the handler of a transport action. */
export interface ActionCall extends GuardedCall {
  readonly context: HandlerContext;
  readonly action: string;
}

/** `next` executes the request under the given context; a guard calls it at most once. */
export type Guard<Call extends GuardedCall> = <Answer>(
  call: Call,
  next: (context: Call["context"]) => Promise<Answer>,
) => Promise<Answer>;

/** Executes a call inside a list of guards. */
export function guarded<Call extends GuardedCall, Answer>(
  guards: readonly Guard<Call>[],
  call: Call,
  carryOut: (context: Call["context"]) => Promise<Answer>,
): Promise<Answer> {
  const [guard, ...others] = guards;
  if (guard === undefined) return carryOut(call.context);
  return guard(call, (context) => guarded(others, { ...call, context }, carryOut));
}

/** A transport action, its permission, and the function that reads the indices of a request. */
export interface GuardedAction {
  readonly action: string;
  readonly permission: string;
  readonly indicesOf: (context: HandlerContext) => readonly string[];
}

/** The handler inside a list of guards; with an empty list, the handler itself. */
export function guardedHandler(
  guards: readonly Guard<ActionCall>[],
  { action, permission, indicesOf }: GuardedAction,
  handler: Handler,
): Handler {
  if (guards.length === 0) return handler;
  return (payload, context) => {
    const call = { context, action, permission, indices: indicesOf(context) };
    return guarded(guards, call, (given) => handler(payload, given));
  };
}
