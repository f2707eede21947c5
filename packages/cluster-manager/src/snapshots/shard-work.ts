/**
 * Work on one shard of a snapshot: the node with the primary takes or aborts its snapshot, or the elected cluster manager
 * clones its files within the repository. The outcome is the task `update-snapshot-shards`.
 *
 * The cluster manager requests each shard from its node and waits for the answer, where in the product data nodes follow
 * the cluster state themselves (`SnapshotShardsService`). A retried request joins the work on the node, or learns its
 * outcome.
 */
import {
  primaryOf,
  snapshotsOf,
  type ClusterState,
  type ShardSnapshotEntry,
} from "@orrery/cluster-state";
import { delay } from "@orrery/ports";
import {
  actions,
  readWireObject,
  ShardAdminRequest,
  ShardAdminResponse,
  wireJson,
} from "@orrery/protocol";
import { blobProblem, cloneShard, shardFolder } from "@orrery/repository";
import { javaText, newUuid, OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import type { SnapshotDeps } from "./deps.ts";
import type { ShardOfSnapshot } from "./due-work.ts";
import { repositoryIndex } from "./finalize.ts";

/** Pause before a request to a node that was unreachable or not ready is repeated. */
export const RETRY_MS = 500;
/** Time limit of one request; it bounds the wait for a lost answer, not the work, which the next request joins. */
const ANSWER_PATIENCE_MS = 30_000;

/** Context of the work on snapshots in one term. */
export interface WorkContext {
  readonly deps: SnapshotDeps;
  /** Whether the term has ended; work then ends without a task. */
  readonly isEnded: () => boolean;
}

/** Has the shard's node take its snapshot. Repeats until it succeeds, fails for good, or the state gives the shard up. */
export async function snapshotShard(context: WorkContext, work: ShardOfSnapshot): Promise<void> {
  const { deps } = context;
  const { entry, shard } = work;
  const index = entry.indices.find(({ id }) => id === shard.id);
  if (index === undefined) return;
  // Until the state says otherwise: a node that left fails the shard by `follow-repositories`, an abort changes its state.
  while (!context.isEnded() && isStill(deps, work)) {
    const { definition } = deps.repositories.named(deps.applied(), entry.repository);
    try {
      const { generation } = await ask(deps, actions.snapshotShard, shard, {
        repository: definition,
        snapshot: { name: entry.snapshot, uuid: entry.uuid },
        index: repositoryIndex(index),
        baseGeneration: shard.generation,
      });
      await report(deps, work, { kind: "success", generation: javaText(generation) });
      return;
    } catch (error) {
      if (!(error instanceof OperationError) || context.isEnded()) throw error;
      const { problem } = error;
      // The node has not applied the state in which it holds the primary: it will soon.
      const isEarly = problem.isRetryable === true && isPrimaryHere(deps.applied(), shard);
      if (!isUnreachable(problem) && !isEarly) {
        await report(deps, work, { kind: "failed", reason: problem.reason ?? "" });
        return;
      }
      await delay(deps.host.clock, RETRY_MS);
    }
  }
}

/** Has the shard's node abort its snapshot, and reports it as failed; a node that cannot be reached is asked until it leaves. */
export async function abortShard(context: WorkContext, work: ShardOfSnapshot): Promise<void> {
  const { deps } = context;
  const { entry, shard } = work;
  while (shard.node !== undefined && !context.isEnded() && isStill(deps, work)) {
    try {
      await ask(deps, actions.abortSnapshotShard, shard, { uuid: entry.uuid });
      break;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (!isUnreachable(error.problem)) break;
      await delay(deps.host.clock, RETRY_MS);
    }
  }
  // The next cluster manager finds the shard still ABORTED in the state, and aborts it again.
  if (context.isEnded()) return;
  await report(deps, work, { kind: "failed", reason: "aborted by snapshot deletion" });
}

/** Clones the shard's files in the repository, without any data node. */
export async function cloneOneShard(context: WorkContext, work: ShardOfSnapshot): Promise<void> {
  const { deps } = context;
  const { entry, shard } = work;
  const index = entry.indices.find(({ id }) => id === shard.id);
  const source = entry.clone_source;
  if (index === undefined || source === undefined) return;
  const { store, settings } = deps.repositories.named(deps.applied(), entry.repository);
  try {
    const generation = await cloneShard(store, {
      folder: shardFolder(repositoryIndex(index), shard.shard),
      generation: shard.generation,
      sourceUuid: source.uuid,
      target: { name: entry.snapshot, uuid: entry.uuid },
      compression: settings.compression,
      newId: () => newUuid(deps.random),
      nowMs: deps.host.clock.nowMs(),
    });
    if (!context.isEnded()) await report(deps, work, { kind: "success", generation });
  } catch (error) {
    if (context.isEnded()) throw error;
    const { reason } = blobProblem(error);
    await report(deps, work, { kind: "failed", reason: reason ?? "" });
  }
}

/** Submits the outcome of a shard. */
function report(
  deps: SnapshotDeps,
  { entry: { uuid }, shard: { id, shard } }: ShardOfSnapshot,
  result:
    | { readonly kind: "success"; readonly generation: string }
    | { readonly kind: "failed"; readonly reason: string },
): Promise<unknown> {
  return deps.submit({ kind: "update-snapshot-shards", updates: [{ uuid, id, shard, result }] });
}

/** Sends an action for the shard to its node, by the shard's key, so that the shard worker that has it receives it. */
async function ask(
  deps: SnapshotDeps,
  action: string,
  { index, shard, node }: ShardSnapshotEntry,
  parameters: unknown,
): Promise<JsonObject> {
  const payload = ShardAdminRequest.encode({
    index: index.index_name,
    indexUuid: index.index_uuid,
    shard,
    allocationId: "",
    parameters: wireJson(parameters),
  }).finish();
  const answer = await deps.transport.request(node ?? deps.localNode.id, action, payload, {
    shard: `${index.index_uuid}/${shard}`,
    timeoutMs: ANSWER_PATIENCE_MS,
  });
  return readWireObject(ShardAdminResponse.decode(answer).body) as JsonObject;
}

/** Whether the shard's entry in the applied state is unchanged: same state, same node. */
function isStill({ applied }: SnapshotDeps, { entry, shard }: ShardOfSnapshot): boolean {
  const now = snapshotsOf(applied()).find(({ uuid }) => uuid === entry.uuid);
  const same = now?.shards.find((one) => one.id === shard.id && one.shard === shard.shard);
  return same?.state === shard.state && same.node === shard.node;
}

const unreachable: ReadonlySet<string> = new Set([
  "node_disconnected_exception",
  "node_not_connected_exception",
  "node_closed_exception",
  "receive_timeout_transport_exception",
  "rejected_execution_exception",
  "action_not_found_transport_exception",
]);

function isUnreachable({ type }: Problem): boolean {
  return unreachable.has(type);
}

/** Whether the applied state has the shard's started primary on the node; if the node denies it, it lags. */
function isPrimaryHere(state: ClusterState, { index, shard, node }: ShardSnapshotEntry): boolean {
  if (state.metadata.indices.get(index.index_name)?.uuid !== index.index_uuid) return false;
  const primary = primaryOf(state, index.index_name, shard);
  return primary?.state === "STARTED" && primary.nodeId === node;
}
