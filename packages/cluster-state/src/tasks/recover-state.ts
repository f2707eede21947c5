/** Recovers the state of a restarted cluster (`Gateway`): removes block 1, and adds every index to the routing table with unassigned copies. */
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import {
  blocksOfIndex,
  stateNotRecoveredBlock,
  withIndexBlocks,
  withSettingBlocks,
} from "../blocks.ts";
import { unassignedRow } from "../routing-rows.ts";
import { indexSetting } from "../settings/registry.ts";
import type { ClusterState, IndexMetadata, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface RecoverState {
  readonly kind: "recover-state";
  readonly nowMs: number;
}

/** Recovers the state after a restart of the cluster. Unchanged when block 1 is not set. */
export function recoverState(state: ClusterState, task: RecoverState): Outcome {
  const isBlocked = state.blocks.global.some(({ id }) => id === stateNotRecoveredBlock.id);
  if (!isBlocked) return unchanged;
  const global = state.blocks.global.filter(({ id }) => id !== stateNotRecoveredBlock.id);
  const unassigned = { reason: "CLUSTER_RECOVERED", atMs: task.nowMs } as const;
  const routingTable = new Map(state.routingTable);
  let blocks: ClusterState["blocks"] = { ...state.blocks, global };
  for (const metadata of state.metadata.indices.values()) {
    blocks = withIndexBlocks(
      blocks,
      metadata.name,
      blocksOfIndex(metadata, blocks.indices.get(metadata.name)),
    );
    const isRouted = metadata.state === "open" || isVerifiedClosed(metadata);
    if (isRouted && !routingTable.has(metadata.name)) {
      routingTable.set(metadata.name, unassignedRow(metadata, unassigned));
    }
  }
  const recovered: ClusterState = { ...state, blocks, routingTable };
  return updated(withAutoExpandedReplicas(withSettingBlocks(recovered)));
}

function isVerifiedClosed(metadata: IndexMetadata): boolean {
  return metadata.state === "close" && indexSetting(metadata, "index.verified_before_close");
}
