/**
 * Memory of rounds that changed nothing, by their inputs: a further round with the same inputs is skipped. Most
 * cluster-state tasks (mappings, aliases, templates) leave these inputs as they are.
 *
 * Inputs are compared by identity, which is safe because cluster states are immutable.
 */
import type { ClusterState, IndexMetadata, Settings } from "@orrery/cluster-state";
import type { Allocation } from "./allocation.ts";
import type { AllocationInputs } from "./types.ts";

/** The inputs of a round, beside the routing table. */
interface RoundInputs {
  readonly nodes: ClusterState["nodes"];
  readonly persistent: Settings;
  readonly transient: Settings;
  readonly customs: ClusterState["metadata"]["customs"];
  readonly indices: ClusterState["metadata"]["indices"];
  readonly info: AllocationInputs["info"];
}

const settled = new WeakMap<ClusterState["routingTable"], RoundInputs>();

/** Whether an earlier round with the same inputs changed nothing, so that this one can be skipped. */
export function isSettled(state: ClusterState, inputs: AllocationInputs): boolean {
  const known = settled.get(state.routingTable);
  if (known === undefined || hasReports(inputs)) return false;
  const { metadata } = state;
  return (
    known.nodes === state.nodes &&
    known.persistent === metadata.persistentSettings &&
    known.transient === metadata.transientSettings &&
    known.customs === metadata.customs &&
    known.info === inputs.info &&
    isSameForAllocation(known.indices, metadata.indices)
  );
}

/**
 * Records a round without changes. Copies that are not active may depend on the clock or on store data: a round that
 * leaves any is not recorded.
 */
export function rememberSettled({ before: state, inputs, routing }: Allocation): void {
  const { ignored, initializing, unassigned } = routing;
  if (hasReports(inputs) || unassigned.size + ignored.size + initializing.size > 0) return;
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

function hasReports({
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
