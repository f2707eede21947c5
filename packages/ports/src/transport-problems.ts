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

export function decodeProblem(payload: Uint8Array): Problem {
  return payload === emptyBytes ? noHandler("") : (JSON.parse(utf8Decode(payload)) as Problem);
}

export function noHandler(action: string): Problem {
  return {
    type: "action_not_found_transport_exception",
    reason: `No handler for action [${action}]`,
    status: 500,
  };
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

export function lost(to: NodeId, action: string, reason: string): OperationError {
  return new OperationError({
    type: "node_disconnected_exception",
    reason: `[${to}][${action}] disconnected: ${reason}`,
    status: 500,
    isRetryable: true,
  });
}
