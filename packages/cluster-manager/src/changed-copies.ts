/**
 * Trace events for shards whose copies differ between two applied states: primary, active copies, in-sync set, primary
 * term. Checkers (`in-sync-rules`, `placement-follows-its-rules`) read them instead of whole states.
 *
 * Every node emits them for every applied state, so unchanged indices and shards are ruled out by identity first.
 */
import { isActive, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { TraceEvent } from "@orrery/ports";

type CopiesChanged = Extract<TraceEvent, { readonly kind: "shard-copies-changed" }>;

/** Events for the shards that differ; `before` is undefined for the first state that a node shows. */
export function changedCopies(
  before: ClusterState | undefined,
  after: ClusterState,
  nodeId: string,
): readonly CopiesChanged[] {
  const isSame =
    before?.routingTable === after.routingTable &&
    before.metadata.indices === after.metadata.indices;
  if (isSame) return [];
  return [...after.routingTable.keys()].flatMap((index) => {
    const known = before?.metadata.indices.get(index);
    const isUntouched =
      known !== undefined &&
      known === after.metadata.indices.get(index) &&
      before?.routingTable.get(index) === after.routingTable.get(index);
    return isUntouched ? [] : changedOf(index, before, after, nodeId);
  });
}

function changedOf(
  index: string,
  before: ClusterState | undefined,
  after: ClusterState,
  nodeId: string,
): readonly CopiesChanged[] {
  const shards = after.routingTable.get(index)?.shards ?? [];
  const sharesWithBefore = isShared(index, before, after);
  return shards.flatMap((copies, shard) => {
    if (sharesWithBefore(shard)) return [];
    const now = describe(after, index, shard);
    if (now === undefined) return [];
    const earlier = before && describe(before, index, shard);
    if (earlier !== undefined && isEqual(now, earlier)) return [];
    const { version } = after;
    return [
      {
        kind: "shard-copies-changed",
        nodeId,
        version,
        index,
        ...now,
        isRelocated: isTarget(before, index, shard, now.primary),
        ...(isImported(before, earlier, copies) ? { isImported: true } : {}),
      },
    ];
  });
}

/** A predicate over shard numbers: whether both states share the objects that `describe` reads, so that no comparison is needed. */
function isShared(
  index: string,
  before: ClusterState | undefined,
  after: ClusterState,
): (shard: number) => boolean {
  const [was, is] = [before?.metadata.indices.get(index), after.metadata.indices.get(index)];
  const earlier = before?.routingTable.get(index)?.shards;
  const later = after.routingTable.get(index)?.shards;
  if (was === undefined || is === undefined || was.uuid !== is.uuid) return () => false;
  return (shard) =>
    earlier?.[shard] === later?.[shard] &&
    was.primaryTerms[shard] === is.primaryTerms[shard] &&
    was.inSyncAllocationIds[shard] === is.inSyncAllocationIds[shard];
}

/** The part of the event that describes one shard in one state. */
type Described = Omit<
  CopiesChanged,
  "kind" | "nodeId" | "version" | "index" | "isRelocated" | "isImported"
>;

/** Whether the index came in with this state as a dangling import. Unknown, thus false, for the first state a node shows. */
function isImported(
  before: ClusterState | undefined,
  earlier: Described | undefined,
  copies: readonly ShardRouting[],
): boolean {
  if (before === undefined || earlier !== undefined) return false;
  return copies.some(({ unassignedInfo }) => unassignedInfo?.reason === "DANGLING_INDEX_IMPORTED");
}

function describe(state: ClusterState, index: string, shard: number): Described | undefined {
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined) return undefined;
  const copies = state.routingTable.get(index)?.shards[shard] ?? [];
  const primary = copies.find((copy) => copy.primary);
  const initializing = primary?.state === "INITIALIZING" ? primary.recoverySource?.type : undefined;
  return {
    indexUuid: metadata.uuid,
    shard,
    primaryTerm: metadata.primaryTerms[shard] ?? 0,
    primary: primary !== undefined && isActive(primary) ? idOf(primary) : "",
    recoverySource: initializing ?? "",
    active: copies.filter(isActive).map(idOf).join(),
    inSync: (metadata.inSyncAllocationIds[shard] ?? []).join(),
  };
}

function idOf({ allocationId }: ShardRouting): string {
  return allocationId ?? "";
}

function isEqual(a: Described, b: Described): boolean {
  return Object.values(a).join(" ") === Object.values(b).join(" ");
}

/** Whether the copy was the relocation target of the primary in the state before. */
function isTarget(
  before: ClusterState | undefined,
  index: string,
  shard: number,
  allocationId: string,
): boolean {
  const copies = before?.routingTable.get(index)?.shards[shard] ?? [];
  return copies.some((copy) => copy.primary && copy.relocationId === allocationId);
}
