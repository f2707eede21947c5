/**
 * The context of a request: who asks, the headers that are passed on, the task that it is, its deadline and its cancellation. An immutable
 * value that is handed down explicitly, from REST to the last shard, as etcd's `context.Context` and the context values of connect-es are;
 * nothing finds it by itself.
 *
 * A frame carries the caller and the number of the task that sent it; the receiver makes of them the context that its handler is given.
 * Source: `Task`, `ThreadContext` (`X-Opaque-Id` and trace headers are passed on to every node that a request reaches).
 */
import type { NodeId } from "@orrery/stdx";
import { anonymous, type Caller } from "./caller.ts";
import { createCancellation, type Cancellation } from "./cancellation.ts";
import type { RequestName } from "./request-table.ts";

/** A task of one node. Shown as `node:number`. */
export interface TaskId {
  readonly nodeId: NodeId;
  readonly number: number;
}

export interface RequestContext {
  readonly caller: Caller;
  /** Of this request on this node; `undefined`: a node's own work, which no client asked for. */
  readonly task: TaskId | undefined;
  /** The task that sent it, on the node that it came from; `undefined`: it began here, or no task sent it. */
  readonly parentTask: TaskId | undefined;
  /** By this node's monotonic clock, in ms; `Infinity`: none. */
  readonly deadlineMs: number;
  /** Fires when the requester gave up or was lost. */
  readonly cancellation: Cancellation;
}

/** What a transport handler is given: the context, restored from the frame, and where the frame came from. */
export interface HandlerContext extends RequestContext {
  readonly from: NodeId;
  /** `indexUuid/shard` when a shard is meant, else empty. */
  readonly shard: string;
  /** Names the request among all that this node is sent. */
  readonly request: RequestName;
}

const never: Cancellation = createCancellation();

/** Of work that no client asked for: nobody's, without end. */
export const ownWork: RequestContext = {
  caller: anonymous,
  task: undefined,
  parentTask: undefined,
  deadlineMs: Infinity,
  cancellation: never,
};

/** The same request as this caller's. */
export function withCaller<Context extends RequestContext>(
  context: Context,
  caller: Caller,
): Context {
  return { ...context, caller };
}

/** The same request, which has until then at most. */
export function withDeadline(context: RequestContext, deadlineMs: number): RequestContext {
  return { ...context, deadlineMs: Math.min(context.deadlineMs, deadlineMs) };
}

/**
 * The same caller and task, without deadline and cancellation: for what must end once it has begun, such as the operations that a
 * primary has applied and its replicas lack.
 */
export function detached({ caller, task, parentTask }: RequestContext): RequestContext {
  return { caller, task, parentTask, deadlineMs: Infinity, cancellation: never };
}
