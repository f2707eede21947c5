/** Response of a node whose queues are full. */
import { decodeFrame, encodeFrame } from "@orrery/ports";
import { utf8Encode, type Problem } from "@orrery/stdx";

/** Error frame that rejects a request's frame (429, `rejected_execution_exception`). */
export function refusalOf(request: Uint8Array): Uint8Array {
  const { correlationId, action, endpoint, from, to } = decodeFrame(request);
  const problem: Problem = {
    type: "rejected_execution_exception",
    reason: `rejected execution of [${action}]: the queue of [${to}] is full`,
    status: 429,
    isRetryable: true,
  };
  const addressed = { correlationId, action, endpoint, from: to, to: from };
  return encodeFrame(
    { ...addressed, kind: "error", shard: "", timeoutMs: 0 },
    utf8Encode(JSON.stringify(problem)),
  );
}
