/** Problems of requests between nodes, in the product's words, and the encoding of problems in error frames. */
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

/**
 * Decodes the payload of an error frame. Never throws: a malformed payload, which a peer may send, gives a
 * `stream_corrupted_exception`.
 */
export function decodeProblem(payload: Uint8Array): Problem {
  return payload === emptyBytes ? noHandler("") : readProblem(utf8Decode(payload));
}

/** Decodes a problem inside a message. Never throws, like `decodeProblem`. */
export function readProblem(text: string): Problem {
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return isProblem(decoded, 0) ? decoded : unreadableProblem;
}

const unreadableProblem: Problem = {
  type: "stream_corrupted_exception",
  reason: "a failure in a form that this node cannot read",
  status: 500,
};

/** Limit of the depth of causes. */
const CAUSES_MOST = 100;

function isProblem(decoded: unknown, depth: number): decoded is Problem {
  if (typeof decoded !== "object" || decoded === null || depth > CAUSES_MOST) return false;
  const { type, reason, status, metadata, causedBy, suppressed, rootCauses, isRetryable } =
    decoded as Partial<Record<keyof Problem, unknown>>;
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

/** The error of a request that was not sent, because the deadline of its context had passed. */
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

/**
 * The problem of a request whose parts would raise the bytes held of its peer's incomplete requests above the limit.
 */
export function tooMuchHeld(action: string, wanted: number, limit: number): Problem {
  return {
    type: "circuit_breaking_exception",
    reason: `[in_flight_requests] Data too large, data for [${action}] would be [${wanted}b], which is larger than the limit of [${limit}b]`,
    status: 429,
    metadata: { bytes_wanted: wanted, bytes_limit: limit, durability: "TRANSIENT" },
    isRetryable: true,
  };
}

/** The error of a request whose answer exceeds the limit of payloads. A correct peer never sends such an answer. */
export function answerTooLarge(from: NodeId, limit: number): OperationError {
  return new OperationError({
    type: "stream_corrupted_exception",
    reason: `an answer of [${from}] is larger than the limit of [${limit}] bytes`,
    status: 500,
  });
}

export function disconnectedFrom(to: NodeId, action: string, reason: string): OperationError {
  return new OperationError({
    type: "node_disconnected_exception",
    reason: `[${to}][${action}] disconnected: ${reason}`,
    status: 500,
    isRetryable: true,
  });
}
