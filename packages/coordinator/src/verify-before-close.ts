/** Asks every shard of indices that are about to be closed whether it may be. Source: `MetadataIndexStateService.WaitForClosedBlocksApplied`. */
import { actions } from "@orrery/protocol";
import type { CoordinatorDeps } from "./deps.ts";
import { replicatedBroadcast } from "./replicated-broadcast.ts";
import type { BroadcastRequest, BroadcastResponse } from "./types.ts";

/** In the first phase copies sync, which lets the global checkpoint rise; in the second they check it and commit. */
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
