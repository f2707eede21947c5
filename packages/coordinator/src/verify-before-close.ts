/**
 * Verifies the shards of indices before they are closed. Source:
 * `MetadataIndexStateService.WaitForClosedBlocksApplied`, `TransportVerifyShardBeforeCloseAction`.
 */
import { actions } from "@orrery/protocol";
import type { CoordinatorDeps } from "./deps.ts";
import { replicatedBroadcast } from "./replicated-broadcast.ts";
import type { BroadcastRequest, BroadcastResponse } from "./types.ts";

/**
 * Runs two phases on every primary and its copies: the first syncs the translog, which lets the global checkpoint
 * advance; the second checks that it equals the highest sequence number, and commits. A
 * failure in the first phase skips the second.
 */
export async function verifyBeforeClose(
  deps: CoordinatorDeps,
  request: BroadcastRequest,
): Promise<BroadcastResponse> {
  const action = actions.verifyShardBeforeClose;
  const phase = (number: number): Promise<BroadcastResponse> =>
    replicatedBroadcast(deps, request, {
      action,
      parameters: { phase: number },
      skipsUnassigned: true,
    });
  const first = await phase(1);
  return first.shards.failed > 0 ? first : phase(2);
}
