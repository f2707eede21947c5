/**
 * Operations that a primary executes and then replicates to its copies (refresh, flush): copies in recovery receive
 * them as they receive writes. Source: `TransportBroadcastReplicationAction`.
 */
import { copiesOf, resolveIndices, type IndexMetadata } from "@orrery/cluster-state";
import {
  readWireProblem,
  ReplicatedAdminResponse,
  ShardAdminRequest,
  wireJson,
} from "@orrery/protocol";
import { OperationError, type JsonObject } from "@orrery/stdx";
import { failureOf } from "./broadcast.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { askPrimary } from "./primary-request.ts";
import { isUnavailable } from "./search/shard-request.ts";
import type { BroadcastRequest, BroadcastResponse } from "./types.ts";

/** The transport action, which the primary executes and replicates, and its parameters. */
export interface ReplicatedBroadcast {
  readonly action: string;
  readonly parameters: JsonObject;
  /**
   * Whether a shard without an assigned primary is left out at once (it counts in `total` only); otherwise its
   * primary is awaited.
   */
  readonly skipsUnassigned?: boolean;
}

/** Timeout of one shard's operation, the product's default for replicated actions. */
const TIMEOUT_MS = 60_000;

/**
 * Runs the operation on the primary of each shard in parallel and sums the counts of copies. Rejects only for an
 * unresolvable index expression; a primary that is unavailable until the timeout leaves its copies uncounted but in `total`.
 */
export async function replicatedBroadcast(
  deps: CoordinatorDeps,
  request: BroadcastRequest,
  what: ReplicatedBroadcast,
): Promise<BroadcastResponse> {
  const state = deps.state();
  const nowMs = deps.clock.nowMs();
  const indices = resolveIndices(state, request.indices, request.indicesOptions, nowMs);
  const shards = indices.flatMap(({ metadata }) =>
    Array.from({ length: metadata.numberOfShards }, (_, shard) => ({ index: metadata, shard })),
  );
  const results = await Promise.all(shards.map((target) => ask(deps, target, what)));
  const sum = (of: (result: ShardResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    shards: {
      total: sum(({ total }) => total),
      successful: sum(({ successful }) => successful),
      failed: sum(({ failed }) => failed),
      failures: results.flatMap(({ failures }) => failures),
    },
  };
}

interface Target {
  readonly index: IndexMetadata;
  readonly shard: number;
}

interface ShardResult {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly JsonObject[];
}

async function ask(
  deps: CoordinatorDeps,
  { index, shard }: Target,
  what: ReplicatedBroadcast,
): Promise<ShardResult> {
  const copies = copiesOf(deps.state(), index.name, shard);
  const isUnassigned = copies.every(({ primary, nodeId }) => !primary || nodeId === undefined);
  if (what.skipsUnassigned === true && isUnassigned)
    return { total: copies.length, successful: 0, failed: 0, failures: [] };
  try {
    const bytes = await askPrimary(deps, {
      index: index.name,
      indexUuid: index.uuid,
      shard,
      action: what.action,
      timeoutMs: TIMEOUT_MS,
      encode: ({ allocationId }) =>
        ShardAdminRequest.encode({
          index: index.name,
          indexUuid: index.uuid,
          shard,
          allocationId,
          parameters: wireJson(what.parameters),
        }).finish(),
    });
    const { total, successful, failures: told } = ReplicatedAdminResponse.decode(bytes);
    const failures = told.map((one) => failureOf(index.name, shard, readWireProblem(one)));
    return { total, successful, failed: failures.length, failures };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const total = index.numberOfReplicas + 1;
    if (isUnavailable(error.problem) || error.problem.type === "unavailable_shards_exception")
      return { total, successful: 0, failed: 0, failures: [] };
    const failures = [failureOf(index.name, shard, error.problem)];
    return { total, successful: 0, failed: total, failures };
  }
}
