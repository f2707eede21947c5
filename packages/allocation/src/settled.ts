/**
 * Rounds that found nothing to do, remembered by what they looked at, so that the next one on the same things costs
 * nothing: most tasks (mappings, aliases, templates) leave all of them alone.
 */
import type { ClusterState, IndexMetadata, Settings } from "@orrery/cluster-state";
import type { Allocation } from "./allocation.ts";
import type { AllocationInputs } from "./types.ts";

interface Looked {
  readonly nodes: ClusterState["nodes"];
  readonly persistent: Settings;
  readonly transient: Settings;
  readonly customs: ClusterState["metadata"]["customs"];
  readonly indices: ClusterState["metadata"]["indices"];
  readonly info: AllocationInputs["info"];
}

const settled = new WeakMap<ClusterState["routingTable"], Looked>();

/** Nothing happened and nothing that matters is different. */
export function isSettled(state: ClusterState, inputs: AllocationInputs): boolean {
  const looked = settled.get(state.routingTable);
  if (looked === undefined || hasNews(inputs)) return false;
  const { metadata } = state;
  return (
    looked.nodes === state.nodes &&
    looked.persistent === metadata.persistentSettings &&
    looked.transient === metadata.transientSettings &&
    looked.customs === metadata.customs &&
    looked.info === inputs.info &&
    isSameForAllocation(looked.indices, metadata.indices)
  );
}

/** Copies that are not active may depend on the clock or on disks: a round that leaves any is not remembered. */
export function rememberSettled({ before: state, inputs, routing }: Allocation): void {
  const { ignored, initializing, unassigned } = routing;
  if (hasNews(inputs) || unassigned.size + ignored.size + initializing.size > 0) return;
  const { metadata, nodes } = state;
  settled.set(state.routingTable, {
    nodes,
    persistent: metadata.persistentSettings,
    transient: metadata.transientSettings,
    customs: metadata.customs,
    indices: metadata.indices,
    info: inputs.info,
  });
}

function hasNews({
  started,
  failed,
  stale,
  replacedNodeIds,
  retryFailed,
}: AllocationInputs): boolean {
  const lists = [started, failed, stale, replacedNodeIds];
  return retryFailed === true || lists.some((list) => list !== undefined && list.length > 0);
}

function isSameForAllocation(
  before: ReadonlyMap<string, IndexMetadata>,
  after: ReadonlyMap<string, IndexMetadata>,
): boolean {
  if (before === after) return true;
  if (before.size !== after.size) return false;
  for (const [name, metadata] of after) {
    if (before.get(name)?.settings !== metadata.settings) return false;
  }
  return true;
}
