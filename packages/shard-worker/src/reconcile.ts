/**
 * Makes the copies of this worker what the applied cluster state says they are. Source: `IndicesClusterStateService`.
 *
 * What takes time (recovery, promotion) is started here and reports back to the cluster manager by itself. Shards that a state leaves
 * as they were are the same objects as before (`applySliceChange`): their copies are looked at, and nothing is made anew for them.
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

/** The copies on the node of shards that have other rows than before, or an index that was opened, closed or made meanwhile. */
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

/** The shard's rows and in-sync set are those that the copy followed last. */
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

/** The manager gave it up and chose it again, under its allocation id; this node saw only the outcome. It starts anew. */
function isStale(copy: ShardCopy, { state, primary, relocationId }: ShardRouting): boolean {
  if (state !== "INITIALIZING") return false;
  if (copy.state === "STARTED") return true;
  const term = copy.service.metadata.primaryTerms[copy.shard];
  return primary && relocationId === undefined && term !== copy.primaryTerm;
}

/** When every copy of the shard is active elsewhere, nothing on this disk will be needed again. */
function removeCopy(copy: ShardCopy, state: ClusterState): void {
  closeCopy(copy, "removing shard (not allocated)");
  const rows = state.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const isSafeElsewhere = rows.length > 0 && rows.every(isActive);
  if (isSafeElsewhere && state.metadata.indices.get(copy.index)?.uuid === copy.indexUuid) {
    dropFiles(copy.worker, copy.paths.root);
  }
}

function updateCopy(copy: ShardCopy, routing: ShardRouting): void {
  const before = copy.routing;
  copy.routing = routing;
  if (isActive(routing) && copy.state === "POST_RECOVERY") {
    setState(copy, "STARTED");
    if (routing.primary) startPrimaryUpkeep(copy);
  }
  // It handed its role to a target that failed, or was called off: another one may have been chosen at the same moment.
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

function startPromotion(copy: ShardCopy): void {
  const primaryTerm = copy.service.metadata.primaryTerms[copy.shard] ?? copy.primaryTerm + 1;
  startPrimaryUpkeep(copy);
  void promote(copy, primaryTerm).catch((error: unknown) =>
    copy.fail("failed to promote to primary", engineProblem(error)),
  );
}

/** Recoveries to, and messages for, copies that the routing table does not know any more. */
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

function forgetFailed(worker: WorkerContext, state: ClusterState, isNewManager: boolean): void {
  for (const [id, { failure }] of [...worker.failed]) {
    const isListed =
      state.metadata.indices.get(failure.index)?.uuid === failure.indexUuid &&
      copyByAllocationId(state, failure.index, failure.shard, id as never) !== undefined;
    if (!isListed) worker.failed.delete(id);
    else if (isNewManager) reportFailed(worker, id);
  }
}
