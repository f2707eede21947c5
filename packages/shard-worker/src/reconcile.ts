/**
 * Makes the copies of this worker agree with the applied cluster state (`IndicesClusterStateService`).
 *
 * Recovery and promotion are started here, take their time and report to the cluster manager themselves. A shard that
 * a state leaves as it was has the same objects as before (`applySliceChange`), and its copy is only looked at.
 */
import {
  copiesOn,
  copyByAllocationId,
  isActive,
  type ClusterState,
  type IndexRoutingTable,
  type ShardRouting,
} from "@orrery/cluster-state";
import { workerFor } from "@orrery/ports";
import { followState } from "@orrery/replication";
import type { NodeId } from "@orrery/stdx";
import type { WorkerContext } from "./context.ts";
import { closeCopy, createCopy, reportFailed, setState } from "./copy/create-copy.ts";
import { promote } from "./copy/primary-mode.ts";
import {
  assignedIds,
  copiesInState,
  shardName,
  wakeWaiters,
  type ShardCopy,
} from "./copy/shard-copy.ts";
import { startPrimaryUpkeep } from "./copy/upkeep.ts";
import { engineProblem } from "./engine/failure.ts";
import { indexServiceOf } from "./index-service.ts";
import { sendStarted } from "./manager.ts";
import { startRecovery } from "./recovery/start.ts";
import { dropFiles } from "./store/drop-files.ts";

/**
 * Applies a state, in this order: close copies of reopened indices, update settings and mappings, forget failed
 * copies, update or close the copies that are here, and create missing ones. Closing comes before creating: both use
 * the shard's folder.
 */
export function reconcile(worker: WorkerContext, state: ClusterState): void {
  const before = worker.state;
  worker.state = state;
  closeReopened(worker, state);
  updateServices(worker, state);
  forgetFailed(worker, state, before?.managerNodeId !== state.managerNodeId);
  for (const copy of [...worker.copies.values()]) {
    const routing = hasFollowed(copy, state) ? copy.routing : routingIn(state, copy);
    if (routing === undefined) removeCopy(copy, state);
    else if (isStale(copy, routing)) closeCopy(copy, "removing shard (stale copy)");
    else updateCopy(copy, routing);
  }
  for (const routing of changedCopiesOn(worker.nodeId, before, state))
    createMissing(worker, state, routing);
}

/**
 * The routing rows of this node, of shards with other rows than before, and of indices that were created, opened or
 * closed.
 */
function changedCopiesOn(
  nodeId: NodeId,
  before: ClusterState | undefined,
  state: ClusterState,
): readonly ShardRouting[] {
  const changed: [string, IndexRoutingTable][] = [];
  for (const [name, table] of state.routingTable) {
    const [was, is] = [before?.metadata.indices.get(name), state.metadata.indices.get(name)];
    const earlier = before?.routingTable.get(name)?.shards;
    const isSameIndex = was?.uuid === is?.uuid && was?.state === is?.state;
    if (!isSameIndex || earlier === undefined) changed.push([name, table]);
    else if (earlier !== table.shards) {
      const shards = table.shards.filter((copies, shard) => copies !== earlier[shard]);
      changed.push([name, { ...table, shards }]);
    }
  }
  return copiesOn({ routingTable: new Map(changed) }, nodeId);
}

/** Whether rows and in-sync set of the shard are those that the copy followed last, by identity. */
function hasFollowed(copy: ShardCopy, state: ClusterState): boolean {
  const { followed, index, indexUuid, shard, service, tracker } = copy;
  return (
    followed !== undefined &&
    followed.rows === state.routingTable.get(index)?.shards[shard] &&
    followed.inSyncIds === service.metadata.inSyncAllocationIds[shard] &&
    followed.tracker === tracker &&
    indexUuid === state.metadata.indices.get(index)?.uuid
  );
}

/** A copy of an index that was opened or closed meanwhile starts again, although its allocation id may be the same. */
function closeReopened(worker: WorkerContext, state: ClusterState): void {
  for (const copy of [...worker.copies.values()]) {
    const now = state.metadata.indices.get(copy.index);
    if (now?.uuid !== copy.indexUuid || now.state === copy.service.metadata.state) continue;
    closeCopy(copy, `removing index (index state changed to [${now.state}])`);
  }
}

function updateServices(worker: WorkerContext, state: ClusterState): void {
  const uuids = new Set<string>();
  for (const metadata of state.metadata.indices.values()) {
    uuids.add(metadata.uuid);
    const before = worker.indices.get(metadata.uuid);
    const service = indexServiceOf(worker.language, state, metadata, before);
    worker.indices.set(metadata.uuid, service);
  }
  for (const uuid of [...worker.indices.keys()]) if (!uuids.has(uuid)) worker.indices.delete(uuid);
  for (const copy of worker.copies.values()) {
    copy.service = worker.indices.get(copy.indexUuid) ?? copy.service;
  }
}

function routingIn(state: ClusterState, copy: ShardCopy): ShardRouting | undefined {
  const { index, shard, allocationId, indexUuid, worker } = copy;
  if (state.metadata.indices.get(index)?.uuid !== indexUuid) return undefined;
  const routing = copyByAllocationId(state, index, shard, allocationId as never);
  return routing?.nodeId === worker.nodeId ? routing : undefined;
}

/**
 * The cluster manager has failed the copy and assigned it again under the same allocation id, and this node has seen
 * only the outcome: the copy starts again.
 */
function isStale(copy: ShardCopy, { state, primary, relocationId }: ShardRouting): boolean {
  if (state !== "INITIALIZING") return false;
  if (copy.state === "STARTED") return true;
  const term = copy.service.metadata.primaryTerms[copy.shard];
  return primary && relocationId === undefined && term !== copy.primaryTerm;
}

/**
 * Closes a copy that is not assigned here. Its files go when every copy of the shard is active elsewhere: no recovery
 * will need them.
 */
function removeCopy(copy: ShardCopy, state: ClusterState): void {
  closeCopy(copy, "removing shard (not allocated)");
  const rows = state.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const isSafeElsewhere = rows.length > 0 && rows.every(isActive);
  if (isSafeElsewhere && state.metadata.indices.get(copy.index)?.uuid === copy.indexUuid) {
    dropFiles(copy.worker, copy.paths.root);
  }
}

/** Follows a copy's routing: started, relocating, promoted. */
function updateCopy(copy: ShardCopy, routing: ShardRouting): void {
  const before = copy.routing;
  copy.routing = routing;
  if (isActive(routing) && copy.state === "POST_RECOVERY") {
    setState(copy, "STARTED");
    if (routing.primary) startPrimaryUpkeep(copy);
  }
  // The target that received the primary role has failed or was cancelled; another one may have been chosen in the
  // same state. This copy cannot become primary again.
  if (copy.tracker.mode === "relocated" && routing.relocationId !== before.relocationId) {
    const to = routing.state;
    copy.fail(`shard is marked as relocated, cannot safely move to state ${to}`, undefined);
    return;
  }
  follow(copy);
  cancelGone(copy);
  if (copy.state === "POST_RECOVERY")
    sendStarted(copy, "after recovery; the cluster manager has not heard of it");
  if (routing.primary && !before.primary && copy.state === "STARTED") startPromotion(copy);
  copy.onGlobalCheckpoint();
}

/** Makes the replication tracker follow the state. */
function follow(copy: ShardCopy): void {
  const { worker, index, shard } = copy;
  if (worker.state !== undefined && hasFollowed(copy, worker.state)) return;
  copy.tracker = followState(copy.tracker, copiesInState(copy));
  copy.followed = {
    rows: worker.state?.routingTable.get(index)?.shards[shard],
    inSyncIds: copy.service.metadata.inSyncAllocationIds[shard],
    tracker: copy.tracker,
  };
}

/** Promotes the copy in the background under the term of the state; a promotion that fails fails the copy. */
function startPromotion(copy: ShardCopy): void {
  const primaryTerm = copy.service.metadata.primaryTerms[copy.shard] ?? copy.primaryTerm + 1;
  startPrimaryUpkeep(copy);
  void promote(copy, primaryTerm).catch((error: unknown) =>
    copy.fail("failed to promote to primary", engineProblem(error)),
  );
}

/** Cancels recoveries to, and messages for, copies that the routing table no longer has. */
function cancelGone(copy: ShardCopy): void {
  const assigned = assignedIds(copy);
  for (const [id, cancel] of [...copy.outgoing]) {
    if (!assigned.has(id)) cancel("target is not allocated any more");
  }
  for (const [id, pending] of [...copy.pendingReplicas]) {
    if (assigned.has(id)) continue;
    for (const { cancellation } of [...pending])
      cancellation.cancel("copy is not allocated any more");
  }
  wakeWaiters(copy);
}

/**
 * Creates a copy that the state assigns to this worker. A copy that the state calls active cannot be created empty:
 * it is failed.
 */
function createMissing(worker: WorkerContext, state: ClusterState, routing: ShardRouting): void {
  const service = worker.indices.get(state.metadata.indices.get(routing.index)?.uuid ?? "");
  const { allocationId } = routing;
  if (service === undefined || allocationId === undefined) return;
  const key = `${service.metadata.uuid}/${routing.shard}`;
  if (workerFor(key, worker.workerCount) !== worker.worker) return;
  if (worker.copies.has(key) || worker.failed.has(allocationId)) return;
  const copy = createCopy(worker, service, routing);
  if (service.problem !== undefined) {
    copy.fail("failed to create index", service.problem);
    return;
  }
  if (routing.state === "INITIALIZING") {
    startRecovery(copy);
    return;
  }
  const reason = `cluster manager marked shard as active, but shard has not been created, mark shard as failed`;
  worker.log("info", `${shardName(copy)} ${reason}`);
  copy.fail(reason, undefined);
}

/** Forgets failed copies that the routing table no longer has; the others are reported to a new cluster manager. */
function forgetFailed(worker: WorkerContext, state: ClusterState, isNewManager: boolean): void {
  for (const [id, { failure }] of [...worker.failed]) {
    const isListed =
      state.metadata.indices.get(failure.index)?.uuid === failure.indexUuid &&
      copyByAllocationId(state, failure.index, failure.shard, id as never) !== undefined;
    if (!isListed) worker.failed.delete(id);
    else if (isNewManager) reportFailed(worker, id);
  }
}
