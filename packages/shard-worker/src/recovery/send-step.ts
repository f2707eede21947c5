/**
 * One message of a recovery to its target, with its retries (`RetryableTransportClient`). Network problems are
 * retried with exponential backoff until `indices.recovery.internal_action_retry_timeout` has passed; the target
 * carries a repeated step out once.
 */
import { delay } from "@orrery/ports";
import { OperationError } from "@orrery/stdx";
import { cancelled, isNetworkProblem } from "./problems.ts";
import { recoverySettings } from "./settings.ts";
import type { OutgoingRecovery } from "./source.ts";

const FIRST_RETRY_MS = 200;

/**
 * Sends one step of a recovery to the target; resolves with the answer.
 * @throws OperationError The target's problem; the network's problem when retries have ended; or the cancellation of
 *   the recovery.
 */
export async function sendStep(
  recovery: OutgoingRecovery,
  action: string,
  payload: Uint8Array,
): Promise<Uint8Array> {
  const { copy, target, cancellation } = recovery;
  const { worker } = copy;
  const settings = recoverySettings(worker.state);
  const startedMs = worker.clock.monotonicMs();
  for (let waitMs = FIRST_RETRY_MS; ; waitMs *= 2) {
    if (cancellation.isCancelled) throw new OperationError(cancelled(cancellation.reason));
    try {
      return await worker.endpoint.request(target, action, payload, {
        shard: copy.key,
        channel: "recovery",
        timeoutMs: settings.actionTimeoutMs,
        cancellation,
      });
    } catch (error) {
      if (!(error instanceof OperationError) || !isNetworkProblem(error.problem)) throw error;
      const elapsedMs = worker.clock.monotonicMs() - startedMs;
      if (elapsedMs + waitMs > settings.actionRetryMs) throw error;
      await delay(worker.clock, waitMs);
    }
  }
}
