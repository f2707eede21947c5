/**
 * The context of a request: caller, task, deadline and cancellation. An immutable value that is passed explicitly
 * from REST to the last shard, like Go's `context.Context` and the context values of connect-es.
 *
 * A frame carries the caller and the number of the sending task, from which the receiver makes the context of its
 * handler. Source: `Task`, `ThreadContext` (`X-Opaque-Id` and trace headers are passed on to every node that a
 * request reaches).
 */
import type { NodeId } from "@orrery/stdx";
import { anonymous, type Caller } from "./caller.ts";
import { createCancellation, type Cancellation } from "./cancellation.ts";
import type { RequestName } from "./request-table.ts";

/** A task of one node, shown as `node:number`. */
export interface TaskId {
  readonly nodeId: NodeId;
  readonly number: number;
}

/** The context of a request on one node. */
export interface RequestContext {
  readonly caller: Caller;
  /** The request's task on this node; `undefined` for the node's own work, which no client requested. */
  readonly task: TaskId | undefined;
  /** The task that sent the request, on the sending node; `undefined` when it began here, or when no task sent it. */
  readonly parentTask: TaskId | undefined;
  /** The deadline by this node's monotonic clock, in ms; `Infinity` without one. */
  readonly deadlineMs: number;
  /** Fires when the requester cancels the request or its connection is lost. */
  readonly cancellation: Cancellation;
}

/** The context of a transport handler, decoded from the frame, with the frame's sender. */
export interface HandlerContext extends RequestContext {
  readonly from: NodeId;
  /** The shard of the frame (`FrameHeader.shard`); empty for a request to the node. */
  readonly shard: string;
  /** Identifies the request among all requests to this node. */
  readonly request: RequestName;
  /** The whole request, if the node has spread one over its workers and this is a part: the part is cancelled by either name. */
  readonly partOf?: RequestName | undefined;
}

const never: Cancellation = createCancellation();

/** The context of a node's own work: anonymous, without task, deadline or cancellation. */
export const ownWork: RequestContext = {
  caller: anonymous,
  task: undefined,
  parentTask: undefined,
  deadlineMs: Infinity,
  cancellation: never,
};

/** The same context with another caller. */
export function withCaller<Context extends RequestContext>(
  context: Context,
  caller: Caller,
): Context {
  return { ...context, caller };
}

/** The same context with this deadline, unless its own is earlier. */
export function withDeadline(context: RequestContext, deadlineMs: number): RequestContext {
  return { ...context, deadlineMs: Math.min(context.deadlineMs, deadlineMs) };
}

/**
 * The same caller and task without deadline and cancellation: for work that must complete once it has begun, such as
 * the replication of operations that a primary has applied.
 */
export function detached({ caller, task, parentTask }: RequestContext): RequestContext {
  return { caller, task, parentTask, deadlineMs: Infinity, cancellation: never };
}
