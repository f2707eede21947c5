/**
 * Guards stand around what a request reaches, as interceptors of connect-es do: each sees the context, the permission that is needed and the
 * indices that are named, and lets the request through (with the context that it gives on) or refuses it by rejecting with an
 * `OperationError`. The first guard of a list is the outermost. Without guards nothing stands in between.
 */
import type { HandlerContext, RequestContext } from "./request-context.ts";
import type { Handler } from "./transport.ts";

export interface GuardedCall {
  readonly context: RequestContext;
  /** The product's name of the action; `none` for an operation that shows and changes nothing. */
  readonly permission: string;
  /** As far as they are known where the guard stands. */
  readonly indices: readonly string[];
}

/** A request at the handler of a transport action. */
export interface ActionCall extends GuardedCall {
  readonly context: HandlerContext;
  readonly action: string;
}

/** `next` carries the request out under the context that it is given, once. */
export type Guard<Call extends GuardedCall> = <Answer>(
  call: Call,
  next: (context: Call["context"]) => Promise<Answer>,
) => Promise<Answer>;

export function guarded<Call extends GuardedCall, Answer>(
  guards: readonly Guard<Call>[],
  call: Call,
  carryOut: (context: Call["context"]) => Promise<Answer>,
): Promise<Answer> {
  const [guard, ...others] = guards;
  if (guard === undefined) return carryOut(call.context);
  return guard(call, (context) => guarded(others, { ...call, context }, carryOut));
}

export interface GuardedAction {
  readonly action: string;
  readonly permission: string;
  readonly indicesOf: (context: HandlerContext) => readonly string[];
}

/** The handler with guards around it; without any, the handler. */
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
