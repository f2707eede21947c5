/** What a request between nodes fails with, in the product's words, and how a problem crosses the wire. */
import {
  emptyBytes,
  OperationError,
  utf8Decode,
  utf8Encode,
  type NodeId,
  type Problem,
} from "@orrery/stdx";

export function encodeProblem(problem: Problem): Uint8Array {
  return utf8Encode(JSON.stringify(problem));
}

/** What was told of a failure; of a failure that is told in no such words, that. Whoever told it cannot make this fail. */
export function decodeProblem(payload: Uint8Array): Problem {
  return payload === emptyBytes ? noHandler("") : readProblem(utf8Decode(payload));
}

/** The same of a problem inside a message. */
export function readProblem(text: string): Problem {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return isProblem(told, 0) ? told : unreadableProblem;
}

const unreadableProblem: Problem = {
  type: "stream_corrupted_exception",
  reason: "a failure that is told in no words this node knows",
  status: 500,
};

/** Causes of causes, as deep as any are. */
const CAUSES_MOST = 100;

function isProblem(told: unknown, depth: number): told is Problem {
  if (typeof told !== "object" || told === null || depth > CAUSES_MOST) return false;
  const { type, reason, status, metadata, causedBy, suppressed, rootCauses, isRetryable } =
    told as Partial<Record<keyof Problem, unknown>>;
  const areProblems = (list: unknown): boolean =>
    list === undefined || (Array.isArray(list) && list.every((one) => isProblem(one, depth + 1)));
  return (
    typeof type === "string" &&
    (typeof reason === "string" || reason === null) &&
    typeof status === "number" &&
    status >= 400 &&
    status < 600 &&
    (metadata === undefined || (typeof metadata === "object" && metadata !== null)) &&
    (isRetryable === undefined || typeof isRetryable === "boolean") &&
    (causedBy === undefined || isProblem(causedBy, depth + 1)) &&
    areProblems(suppressed) &&
    areProblems(rootCauses)
  );
}

export function noHandler(action: string): Problem {
  return {
    type: "action_not_found_transport_exception",
    reason: `No handler for action [${action}]`,
    status: 500,
  };
}

/** Nothing was sent. */
export function pastDeadline(to: NodeId, action: string): OperationError {
  const reason = `[${to}][${action}] the deadline of the request has passed`;
  return new OperationError({ type: "receive_timeout_transport_exception", reason, status: 500 });
}

export function timedOut(
  to: NodeId,
  action: string,
  correlationId: number,
  timeoutMs: number,
): OperationError {
  const reason = `[${to}][${action}] request_id [${correlationId}] timed out after [${timeoutMs}ms]`;
  return new OperationError({
    type: "receive_timeout_transport_exception",
    reason,
    status: 500,
    isRetryable: true,
  });
}

export function cancelled(reason: string): OperationError {
  return new OperationError({
    type: "task_cancelled_exception",
    reason: `cancelled task with reason: ${reason}`,
    status: 400,
  });
}

export function overloaded(to: NodeId, action: string): OperationError {
  const reason = `rejected execution of [${action}]: the connection to [${to}] has no room`;
  return new OperationError({
    type: "rejected_execution_exception",
    reason,
    status: 429,
    isRetryable: true,
  });
}

export function notConnected(to: NodeId): OperationError {
  const reason = `[${to}] Node not connected`;
  return new OperationError({
    type: "node_not_connected_exception",
    reason,
    status: 500,
    isRetryable: true,
  });
}

/** Requests of this peer hold so much before they are whole that there is no room for more. */
export function tooMuchHeld(action: string, wanted: number, limit: number): Problem {
  return {
    type: "circuit_breaking_exception",
    reason: `[in_flight_requests] Data too large, data for [${action}] would be [${wanted}b], which is larger than the limit of [${limit}b]`,
    status: 429,
    metadata: { bytes_wanted: wanted, bytes_limit: limit, durability: "TRANSIENT" },
    isRetryable: true,
  };
}

/** An answer that is larger than any that is sent. */
export function endless(from: NodeId, limit: number): OperationError {
  return new OperationError({
    type: "stream_corrupted_exception",
    reason: `an answer of [${from}] is larger than the limit of [${limit}] bytes`,
    status: 500,
  });
}

export function lost(to: NodeId, action: string, reason: string): OperationError {
  return new OperationError({
    type: "node_disconnected_exception",
    reason: `[${to}][${action}] disconnected: ${reason}`,
    status: 500,
    isRetryable: true,
  });
}
