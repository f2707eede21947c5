/**
 * Points in time: one open reader per shard under one id. Source: `CreatePitController`, `PitService`.
 *
 * Creation has two phases: contexts open with the short keep-alive `point_in_time.init.keep_alive`, then receive the
 * id and the client's keep-alive. When the coordinating
 * node stops in between, no reader stays open for long under an id that no client has.
 */
import { clusterSetting, indicesOptions } from "@orrery/cluster-state";
import {
  actions,
  CreateContextRequest,
  CreateContextResponse,
  UpdateContextRequest,
} from "@orrery/protocol";
import {
  javaText,
  formatDuration,
  illegalArgument,
  isJsonObject,
  OperationError,
  type Json,
} from "@orrery/stdx";
import { broadcast } from "../broadcast.ts";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import { shardKey } from "../shard-key.ts";
import type {
  CreatePitRequest,
  CreatePitResponse,
  DeletedPit,
  PitSegments,
  PointInTimeInfo,
  ShardAnswers,
} from "../types.ts";
import { freeContexts, freeIfThere } from "./fetch.ts";
import { failedCount, failuresOrThrow, refuseMissing, shardsJson } from "./outcomes.ts";
import { decodePitId, encodePitId, type PitId } from "./pit-id.ts";
import { startRun, type Run } from "./run.ts";
import { askCopies, type ShardOutcome } from "./shard-request.ts";
import { searchTargets, type SearchTarget } from "./targets.ts";

const PHASE = "create_pit";

type Opened = ShardOutcome<CreateContextResponse>;

/**
 * Opens a context on one copy of each shard and returns the id. Rejects when a shard opens no context and partial
 * results are not allowed, or when the second phase fails on any shard; all opened contexts are then freed.
 */
export async function createPointInTime(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  request: CreatePitRequest,
): Promise<CreatePitResponse> {
  checkKeepAlive(deps, request.keepAliveMs);
  const run = startRun(deps, selection, {
    ...request,
    body: {},
    searchType: "query_then_fetch",
    allowPartialSearchResults: request.allowPartial,
    batchedReduceSize: 512,
    preFilterShardSize: undefined,
    maxConcurrentShardRequests: 5,
    cancelAfterMs: undefined,
  });
  const targets = searchTargets(deps, selection, run.request);
  if (targets.length === 0) throw noId();
  refuseMissing(run, targets, PHASE);
  const outcomes = await Promise.all(targets.map((target) => openContext(run, target)));
  const failures = failuresOrThrow(run, outcomes, { phase: PHASE });
  const pit = pitOf(outcomes);
  const pitId = encodePitId(pit);
  await announce(run, outcomes, { pitId, keepAliveMs: request.keepAliveMs });
  const total = targets.length;
  const successful = total - failedCount(outcomes);
  return {
    pitId,
    createdMs: run.nowMs,
    shards: shardsJson({ total, successful, skipped: 0 }, failures),
  };
}

function checkKeepAlive({ state }: CoordinatorDeps, keepAliveMs: number): void {
  const maxMs = clusterSetting(state(), "point_in_time.max_keep_alive");
  if (keepAliveMs <= maxMs) return;
  throw illegalArgument(
    `Keep alive for request (${formatDuration(keepAliveMs)}) is too large. It must be less than (${formatDuration(maxMs)}). This limit can be set by changing the [point_in_time.max_keep_alive] cluster level setting.`,
  );
}

/** Without any shard the product builds no id and fails with this null pointer. */
function noId(): OperationError {
  return illegalArgument("invalid id: [null]", {
    type: "null_pointer_exception",
    reason: 'Cannot invoke "String.getBytes(java.nio.charset.Charset)" because "src" is null',
    status: 500,
  });
}

function openContext(run: Run, target: SearchTarget): Promise<Opened> {
  const { deps } = run;
  return run.onNode(target.copies[0]?.nodeId, () =>
    askCopies(deps, target, {
      send: ({ nodeId, allocationId }) => {
        const payload = CreateContextRequest.encode({
          index: target.index.name,
          indexUuid: target.index.uuid,
          shard: target.shard,
          allocationId,
          keepAliveMs: clusterSetting(deps.state(), "point_in_time.init.keep_alive"),
        }).finish();
        return deps.transport.request(nodeId, actions.createContext, payload, {
          shard: shardKey(target.index.uuid, target.shard),
          cancellation: run.cancellation,
        });
      },
      decode: (bytes) => CreateContextResponse.decode(bytes),
      cancellation: run.cancellation,
    }),
  );
}

function pitOf(outcomes: readonly Opened[]): PitId {
  const opened = outcomes.filter((outcome) => outcome.kind === "answered");
  return {
    shards: opened.map(({ target, copy, value }) => ({
      index: target.index.name,
      indexUuid: target.index.uuid,
      shard: target.shard,
      nodeId: copy.nodeId,
      contextId: value.contextId,
    })),
    filters: new Map(
      opened.map(({ target }) => [
        target.index.uuid as string,
        { aliases: [], filter: target.aliasFilter },
      ]),
    ),
  };
}

/** The second phase: each opened context receives the id, creation time and keep-alive. All of them must accept. */
async function announce(
  run: Run,
  outcomes: readonly Opened[],
  { pitId, keepAliveMs }: { readonly pitId: string; readonly keepAliveMs: number },
): Promise<void> {
  const { deps } = run;
  const settled = await Promise.allSettled(
    outcomes.map(async (outcome) => {
      if (outcome.kind !== "answered") return;
      const { target, copy, value } = outcome;
      if (!deps.state().nodes.has(copy.nodeId)) throw nodeLost(pitId, copy.nodeId);
      const { contextId } = value;
      const payload = UpdateContextRequest.encode({
        contextId,
        pitId,
        createdMs: run.nowMs,
        keepAliveMs,
      }).finish();
      await deps.transport.request(copy.nodeId, actions.updateContext, payload, {
        shard: shardKey(target.index.uuid, target.shard),
      });
    }),
  );
  const failed = settled.find((one) => one.status === "rejected");
  if (failed === undefined) return;
  freeContexts(run, outcomes);
  throw failed.reason;
}

function nodeLost(pitId: string, nodeId: string): OperationError {
  const reason = `Create pit update phase for PIT ID [${pitId}] failed because node[${nodeId}] not found`;
  return new OperationError({ type: "exception", reason, status: 500 });
}

/**
 * All open points in time of the cluster, by creation time; the keep-alive of each is the longest among its contexts.
 */
export async function pointsInTime(deps: CoordinatorDeps): Promise<readonly PointInTimeInfo[]> {
  const { answers } = await askAll(deps, false);
  const found = new Map<string, PointInTimeInfo>();
  for (const { body } of answers) {
    for (const pit of listOf(body["pits"])) {
      const pitId = javaText(pit["id"]);
      const keepAliveMs = Math.max(
        Number(pit["keep_alive_ms"]),
        found.get(pitId)?.keepAliveMs ?? -1,
      );
      found.set(pitId, { pitId, createdMs: Number(pit["created_ms"]), keepAliveMs });
    }
  }
  return [...found.values()].toSorted((a, b) => a.createdMs - b.createdMs);
}

/** Asks every shard copy: a context lives on one copy and ends with it. */
function askAll(deps: CoordinatorDeps, segments: boolean): Promise<ShardAnswers> {
  return broadcast(
    deps,
    { indices: [], indicesOptions: indicesOptions.lenientExpandHidden },
    { action: actions.listContexts, parameters: { segments } },
  );
}

function listOf(json: Json | undefined) {
  return Array.isArray(json) ? (json as readonly Json[]).filter((one) => isJsonObject(one)) : [];
}

/** Frees the contexts of the given points in time. Throws for a malformed id. */
export async function deletePointsInTime(
  deps: CoordinatorDeps,
  pitIds: readonly string[] | "_all",
): Promise<readonly DeletedPit[]> {
  const ids =
    pitIds === "_all" ? (await pointsInTime(deps)).map(({ pitId }) => pitId) : new Set(pitIds);
  const pits = [...ids].map((pitId) => ({ pitId, pit: decodePitId(pitId) }));
  return Promise.all(
    pits.map(async ({ pitId, pit }) => ({ pitId, successful: await freePit(deps, pit) })),
  );
}

/** Succeeds when every node answered, even if a context was already gone; fails when a node is unreachable. */
async function freePit(deps: CoordinatorDeps, { shards }: PitId): Promise<boolean> {
  const freed = await Promise.all(
    shards.map(async (context) => {
      if (!deps.state().nodes.has(context.nodeId)) return undefined;
      return freeIfThere(deps, context);
    }),
  );
  return !freed.includes(undefined);
}

/** The segments that points in time hold open, one row per point in time and shard copy. */
export async function pitSegments(
  deps: CoordinatorDeps,
  pitIds: readonly string[] | undefined,
): Promise<readonly PitSegments[]> {
  for (const id of pitIds ?? []) decodePitId(id);
  const wanted = pitIds === undefined ? undefined : new Set(pitIds);
  const { answers } = await askAll(deps, true);
  return answers.flatMap(({ index, shard, primary, nodeId, body }) =>
    listOf(body["pits"])
      .filter(({ id }) => wanted === undefined || wanted.has(javaText(id)))
      .map(({ segments }) => {
        const rows = isJsonObject(segments) ? segments : {};
        return { index, shard, primary, nodeId, segments: rows };
      }),
  );
}
