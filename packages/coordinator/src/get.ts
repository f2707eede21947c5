/**
 * Reads of single documents. Any active copy may answer; after a retryable failure the next copy in the order is asked. Source:
 * `TransportGetAction`, `TransportShardMultiGetAction`.
 */
import {
  checkBlock,
  resolveSingleIndex,
  resolveWriteRouting,
  shardFor,
  type IndexMetadata,
} from "@orrery/cluster-state";
import {
  actions,
  GetShardRequest,
  GetShardResponse,
  readWireObject,
  readWireProblem,
  type GetItemResult,
} from "@orrery/protocol";
import { OperationError, problemOf, type JsonObject, type Problem } from "@orrery/stdx";
import { copyOrder } from "./copy-order.ts";
import type { CoordinatorDeps } from "./deps.ts";
import type { ReplicaSelection } from "./replica-selection.ts";
import { shardKey, shardName } from "./shard-key.ts";
import type { GetRequest, GetResult, WaitingClient } from "./types.ts";
import { wantedSource } from "./wanted-source.ts";
import { isSkipped } from "./weights.ts";
import { closed, isRoutingRequired, routingMissing } from "./write-target.ts";

/** A failed read of a multi-get. */
export interface GetFailure {
  readonly index: string;
  readonly id: string;
  readonly problem: Problem;
}

interface Target {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly routing: string | undefined;
}

/**
 * Reads one document; a missing document is a result with `found: false`. Rejects when the request has no target
 * (missing or closed index, cluster block, missing routing), when a copy refuses it, or when all copies have failed.
 */
export async function get(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  request: GetRequest,
): Promise<GetResult> {
  const [answer] = await askShard(deps, selection, targetOf(deps, request), [request], {});
  if (answer === undefined)
    throw new OperationError({ type: "illegal_state_exception", reason: "no answer", status: 500 });
  if ("problem" in answer) throw new OperationError(answer.problem);
  return answer;
}

/**
 * Reads documents with one request per shard and read options. Answers keep the order of `requests`; a failed read is an entry with
 * its problem, never a rejection.
 */
export async function multiGet(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  requests: readonly GetRequest[],
  client: WaitingClient = {},
): Promise<readonly (GetResult | GetFailure)[]> {
  const answers: (GetResult | GetFailure)[] = [];
  const groups = new Map<string, { target: Target; positions: number[] }>();
  requests.forEach((request, position) => {
    try {
      const target = targetOf(deps, request);
      const key = `${target.index.uuid}/${target.shard}/${request.realtime}/${request.refresh}/${request.preference ?? ""}`;
      const group = groups.get(key);
      if (group) group.positions.push(position);
      else groups.set(key, { target, positions: [position] });
    } catch (error) {
      answers[position] = { index: request.index, id: request.id, problem: problemOf(error) };
    }
  });
  await Promise.all(
    [...groups.values()].map(async ({ target, positions }) => {
      const asked = positions.flatMap((position) => requests[position] ?? []);
      const results = await askShard(deps, selection, target, asked, client).catch(
        (error: unknown) =>
          asked.map(({ id }): GetFailure => ({
            index: target.index.name,
            id,
            problem: problemOf(error),
          })),
      );
      positions.forEach((position, i) => {
        const result = results[i];
        if (result) answers[position] = result;
      });
    }),
  );
  return answers;
}

function targetOf(deps: CoordinatorDeps, request: GetRequest): Target {
  const state = deps.state();
  const nowMs = deps.clock.nowMs();
  const global = checkBlock(state, "read");
  if (global) throw new OperationError(global);
  const existing = state.metadata.indices.get(request.index);
  const named = existing?.state === "open" ? existing : undefined;
  const index = named ?? resolveSingleIndex(state, request.index, nowMs).metadata;
  if (index.state === "close") throw closed(index);
  const block = checkBlock(state, "read", index.name);
  if (block) throw new OperationError(block);
  const routing =
    named === undefined
      ? resolveWriteRouting(state, request.index, request.routing, nowMs)
      : request.routing;
  if (routing === undefined && isRoutingRequired(index))
    throw routingMissing(index.name, request.id);
  return { index, shard: shardFor(index, request.id, routing), routing };
}

async function askShard(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  { index, shard, routing }: Target,
  requests: readonly GetRequest[],
  { hold }: WaitingClient,
): Promise<readonly (GetResult | GetFailure)[]> {
  const [first] = requests;
  if (first === undefined) return [];
  hold?.(0);
  const copies = copyOrder(deps, selection, first.preference).copies(index.name, shard);
  let last: OperationError | undefined;
  for (const copy of copies) {
    const { nodeId, allocationId } = copy;
    if (nodeId === undefined || allocationId === undefined) continue;
    if (isSkipped(deps, { index: index.name, shard, copy, problem: last?.problem })) continue;
    const payload = GetShardRequest.encode({
      index: index.name,
      indexUuid: index.uuid,
      shard,
      allocationId,
      realtime: first.realtime,
      refresh: first.refresh,
      items: requests.map((request) => ({
        id: request.id,
        routing: routing ?? "",
        version: request.version,
        versionType: request.versionType ?? "internal",
        storedFields: request.storedFields,
        source: wantedSource(request.source),
      })),
    }).finish();
    try {
      const bytes = await deps.transport.request(nodeId, actions.getShard, payload, {
        shard: shardKey(index.uuid, shard),
      });
      hold?.(bytes.length);
      const { items } = GetShardResponse.decode(bytes);
      return requests.map((request, i) => resultOf(index.name, request, items[i]));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (error.problem.isRetryable !== true) throw error;
      last = error;
    }
  }
  return requests.map((request) => ({
    index: index.name,
    id: request.id,
    problem: noCopy(index.name, shard, request, last),
  }));
}

function resultOf(
  index: string,
  { id }: GetRequest,
  item: GetItemResult | undefined,
): GetResult | GetFailure {
  if (item === undefined) {
    const problem: Problem = { type: "illegal_state_exception", reason: "no answer", status: 500 };
    return { index, id, problem };
  }
  if (item.problem !== null) return { index, id, problem: readWireProblem(item.problem) };
  return {
    index,
    id,
    found: item.found,
    version: item.version,
    seqNo: item.seqNo,
    primaryTerm: item.primaryTerm,
    routing: item.routing === "" ? undefined : item.routing,
    source: item.hasSource ? item.source : undefined,
    fields: item.fields === null ? undefined : (readWireObject(item.fields) as JsonObject),
  };
}

function noCopy(index: string, shard: number, request: GetRequest, last: unknown): Problem {
  const what = `[get ${shardName(index, shard).replace(/\[\d+\]$/, "")}[${request.id}]: routing [${request.routing ?? "null"}]]`;
  const reason = `No shard available for ${what}`;
  const problem: Problem = { type: "no_shard_available_action_exception", reason, status: 503 };
  return last === undefined ? problem : { ...problem, causedBy: problemOf(last) };
}
