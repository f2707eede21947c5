/** Requests of followers on any node of the leader cluster: forwards them to the shard's primary, wherever it is. */
import {
  activePrimary,
  checkBlock,
  indexClosed,
  indexNotFound,
  type ClusterState,
  type SettingsChange,
} from "@orrery/cluster-state";
import type { PluginNode } from "@orrery/node";
import type { HandlerContext } from "@orrery/ports";
import { NodeRequest, readWireObject } from "@orrery/protocol";
import { emptyBytes, OperationError, type NodeId, type Problem } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { isTransient } from "../problems.ts";
import { RemoteShardRequest } from "../messages.ts";

const forwarded = [
  actions.changes,
  actions.openFiles,
  actions.readFile,
  actions.closeFiles,
  actions.addLease,
  actions.renewLease,
  actions.removeLease,
] as const;

/** How long to wait for a primary that is being replaced, before the follower is told to retry. */
const PRIMARY_WAIT_MS = 10_000;
const RETRY_AFTER_MS = 100;

/** Registers the handlers of this node. */
export function serveFollowers(node: PluginNode): void {
  for (const action of forwarded) {
    node.transport.handle(action, (payload, context) => forward(node, action, payload, context));
  }
  node.transport.handle(actions.leaderSettings, (payload) => updateSettings(node, payload));
}

async function forward(
  { cluster, transport }: PluginNode,
  action: string,
  payload: Uint8Array,
  { cancellation }: HandlerContext,
): Promise<Uint8Array> {
  const request = RemoteShardRequest.decode(payload);
  refuseClosed(cluster.state(), request);
  const deadline = cluster.clock.monotonicMs() + PRIMARY_WAIT_MS;
  for (;;) {
    const state = cluster.state();
    // A node that has not joined yet knows no index, so a missing index is only reported when reads are not blocked.
    const blocked = checkBlock(state, "read");
    const target = blocked === undefined ? targetOf(state, request) : undefined;
    let problem: Problem = blocked ?? noPrimary(request);
    if (target?.nodeId !== undefined) {
      try {
        const { timeoutMs, body } = request;
        const { shard } = target;
        return await transport.request(target.nodeId, action, body, {
          shard,
          cancellation,
          ...(timeoutMs > 0 ? { timeoutMs } : {}),
        });
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        ({ problem } = error);
        // A session exists on one node only, so its requests are not retried on another.
        if (problem.isRetryable !== true || request.nodeId !== "") throw error;
      }
    }
    const leftMs = deadline - cluster.clock.monotonicMs();
    if (leftMs <= 0 || cancellation.isCancelled || !isTransient(problem)) {
      throw new OperationError({ ...problem, isRetryable: true });
    }
    await cluster.stateWhen(
      (next) => next.version > state.version,
      Math.min(leftMs, RETRY_AFTER_MS),
    );
  }
}

interface Target {
  readonly nodeId: NodeId | undefined;
  /** The shard's key, `indexUuid/shard`. */
  readonly shard: string;
}

function targetOf(state: ClusterState, request: RemoteShardRequest): Target {
  const { index, indexUuid, shard, nodeId } = request;
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined || (indexUuid !== "" && metadata.uuid !== indexUuid)) {
    throw new OperationError(indexNotFound(index));
  }
  const primary = metadata.state === "open" ? activePrimary(state, index, shard) : undefined;
  return {
    nodeId: nodeId === "" ? primary?.nodeId : (nodeId as NodeId),
    shard: `${metadata.uuid}/${shard}`,
  };
}

/**
 * Refuses a closed index before waiting for a primary: an index that is closed during the wait is usually reopened
 * soon, with other settings.
 */
function refuseClosed(state: ClusterState, { index }: RemoteShardRequest): void {
  const metadata = state.metadata.indices.get(index);
  if (metadata?.state === "close") throw new OperationError(indexClosed(metadata));
}

function noPrimary({ index, shard }: RemoteShardRequest): Problem {
  const reason = `[${index}][${shard}] primary shard is not active`;
  return { type: "unavailable_shards_exception", reason, status: 503, isRetryable: true };
}

async function updateSettings({ cluster }: PluginNode, payload: Uint8Array): Promise<Uint8Array> {
  const { index, settings } = readWireObject(NodeRequest.decode(payload).parameters) as {
    readonly index: string;
    readonly settings: SettingsChange;
  };
  await cluster.submit({
    kind: "update-index-settings",
    indices: [index],
    settings,
    preserveExisting: false,
    nowMs: cluster.clock.nowMs(),
  });
  return emptyBytes;
}
