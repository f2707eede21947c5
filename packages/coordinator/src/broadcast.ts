/**
 * Broadcast operations: one request to each shard copy of some indices. A copy that
 * cannot be reached is not waited for: it counts in `total` only. Source: `TransportBroadcastByNodeAction`.
 */
import {
  checkBlock,
  copiesOf,
  isActive,
  resolveIndices,
  type BlockLevel,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
} from "@orrery/cluster-state";
import { readWireObject, ShardAdminRequest, ShardAdminResponse, wireJson } from "@orrery/protocol";
import {
  OperationError,
  problemJson,
  problemOf,
  type JsonObject,
  type NodeId,
  type Problem,
} from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import { isUnavailable } from "./search/shard-request.ts";
import { shardKey } from "./shard-key.ts";
import type { BroadcastRequest, ShardAnswers } from "./types.ts";

/** A broadcast: the transport action, its parameters, and the copies that receive it. */
export interface Broadcast {
  readonly action: string;
  readonly parameters: JsonObject;
  readonly primariesOnly?: boolean;
  /** Level of the cluster block that refuses the operation; `undefined`: no block refuses it. */
  readonly blockedBy?: BlockLevel;
}

interface CopyTarget {
  readonly index: IndexMetadata;
  readonly copy: ShardRouting;
}

/**
 * Sends the action to each active copy in parallel and returns the answers. Rejects for a cluster block or an
 * unresolvable index expression. A copy that refuses appears in `shards.failures`; one that cannot be reached counts in
 * `shards.total` only.
 */
export async function broadcast(
  deps: CoordinatorDeps,
  request: BroadcastRequest,
  what: Broadcast,
): Promise<ShardAnswers> {
  const state = deps.state();
  const { blockedBy } = what;
  // A node without an applied cluster state must answer with the block (503), not with `index_not_found_exception`.
  if (blockedBy !== undefined) checkBlocks(state, blockedBy, [undefined]);
  const indices = resolveIndices(
    state,
    request.indices,
    request.indicesOptions,
    deps.clock.nowMs(),
  );
  if (blockedBy !== undefined) {
    checkBlocks(
      state,
      blockedBy,
      indices.map(({ name }) => name),
    );
  }
  const all = indices.flatMap(({ metadata }) => copyTargets(deps, metadata, what));
  const asked = all.filter(({ copy }) => isActive(copy));
  const results = await Promise.all(asked.map((target) => ask(deps, target, what)));
  const failures = results.flatMap((result) => ("failure" in result ? [result] : []));
  const answers = results.flatMap((result) => ("answer" in result ? [result.answer] : []));
  return {
    concreteIndices: indices.map(({ name }) => name),
    answers,
    shards: {
      total: all.length,
      successful: answers.length,
      failed: failures.filter(({ isListed }) => isListed).length,
      failures: failures.filter(({ isListed }) => isListed).map(({ failure }) => failure),
    },
  };
}

/** `indices: [undefined]` checks only the blocks of the whole cluster. */
function checkBlocks(
  state: ClusterState,
  level: BlockLevel,
  names: readonly (string | undefined)[],
): void {
  for (const name of names) {
    const block = checkBlock(state, level, name);
    if (block) throw new OperationError(block);
  }
}

function copyTargets(deps: CoordinatorDeps, index: IndexMetadata, what: Broadcast): CopyTarget[] {
  const state = deps.state();
  return Array.from({ length: index.numberOfShards }, (_, shard) =>
    copiesOf(state, index.name, shard),
  )
    .flat()
    .filter((copy) => copy.primary || what.primariesOnly !== true)
    .map((copy) => ({ index, copy }));
}

type AskResult =
  | { readonly answer: ShardAnswers["answers"][number] }
  | { readonly failure: JsonObject; readonly isListed: boolean };

async function ask(
  deps: CoordinatorDeps,
  { index, copy }: CopyTarget,
  what: Broadcast,
): Promise<AskResult> {
  const nodeId = copy.nodeId as NodeId;
  const payload = ShardAdminRequest.encode({
    index: index.name,
    indexUuid: index.uuid,
    shard: copy.shard,
    allocationId: copy.allocationId ?? "",
    parameters: wireJson(what.parameters),
  }).finish();
  try {
    const bytes = await deps.transport.request(nodeId, what.action, payload, {
      shard: shardKey(index.uuid, copy.shard),
    });
    const body = readWireObject(ShardAdminResponse.decode(bytes).body) as JsonObject;
    const { shard, primary, state, relocatingNodeId } = copy;
    return { answer: { index: index.name, shard, primary, nodeId, relocatingNodeId, state, body } };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const problem: Problem = problemOf(error);
    const failure = failureOf(index.name, copy.shard, problem);
    return { failure, isListed: !isUnavailable(problem) };
  }
}

/** A shard's problem as a row of `_shards.failures`. */
export function failureOf(index: string, shard: number, problem: Problem): JsonObject {
  return { shard, index, status: statusName(problem.status), reason: problemJson(problem) };
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

function statusName(status: number): string {
  return STATUS_NAMES[status] ?? "INTERNAL_SERVER_ERROR";
}
