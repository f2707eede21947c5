/**
 * Bulk writes, in order: indexing pressure, ingest pipelines, automatic index creation, routing, one request per
 * shard to its primary, all in parallel. Answers keep the order of the items. Source: `TransportBulkAction`.
 */
import type { ClusterState, IndexMetadata } from "@orrery/cluster-state";
import { checkBlock } from "@orrery/cluster-state";
import {
  actions,
  BulkShardRequest,
  BulkShardResponse,
  readWireProblem,
  type BulkItemResult,
} from "@orrery/protocol";
import {
  OperationError,
  problemJson,
  type JsonObject,
  type Problem,
  type Random,
} from "@orrery/stdx";
import { createMissing } from "./auto-create.ts";
import type { CoordinatorDeps } from "./deps.ts";
import { bytesOfWrite, type IndexingPressure } from "./indexing-pressure.ts";
import { ingest, isAnswer, type Ingested } from "./ingest/ingest.ts";
import { hasPipelinesOf } from "./ingest/pipelines-of.ts";
import { updateThroughPipelines, type WriteOne } from "./ingest/update.ts";
import { askPrimary } from "./primary-request.ts";
import type {
  BulkRequest,
  BulkResponse,
  PlannedDocument,
  ShardCounts,
  WriteFailure,
  WriteItem,
  WriteOptions,
  WriteResult,
} from "./types.ts";
import { wantedSource } from "./wanted-source.ts";
import { writeTarget, type WriteTarget } from "./write-target.ts";

type ItemAnswer = WriteResult | WriteFailure;

interface PlacedItem {
  readonly position: number;
  readonly item: WriteItem;
  readonly target: WriteTarget;
}

interface ShardGroup {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly items: PlacedItem[];
}

/**
 * Writes all items. Rejects only when the whole bulk is refused (cluster block, 429 of indexing pressure); the
 * failure of one item is an answer of kind `failed`.
 */
export async function bulk(
  deps: CoordinatorDeps,
  pressure: IndexingPressure,
  request: BulkRequest,
): Promise<BulkResponse> {
  if (request.isAdmitted === true) return writeAll(deps, request);
  let bytes = 0;
  for (const item of request.items) bytes += bytesOfWrite(item);
  const release = pressure.admit(bytes);
  try {
    return await writeAll(deps, request);
  } finally {
    release();
  }
}

async function writeAll(deps: CoordinatorDeps, request: BulkRequest): Promise<BulkResponse> {
  const started = deps.clock.monotonicMs();
  await passGlobalBlocks(deps, request.timeoutMs);
  const stage = await ingest(deps, request.items);
  const items = await writeItems(deps, request, stage?.items ?? request.items);
  const tookMs = Math.round(deps.clock.monotonicMs() - started);
  if (stage === undefined) return { tookMs, items };
  return { tookMs: Math.max(0, tookMs - stage.tookMs), ingestTookMs: stage.tookMs, items };
}

async function writeItems(
  deps: CoordinatorDeps,
  request: BulkRequest,
  items: readonly Ingested[],
): Promise<BulkResponse["items"]> {
  const wanted: string[] = [];
  for (const item of items) if (!isAnswer(item) && canCreateIndex(item)) wanted.push(item.index);
  const problems = await createMissing(deps, wanted, request.timeoutMs);
  const answers: (ItemAnswer | undefined)[] = [];
  const groups = new Map<string, ShardGroup>();
  const state = deps.state();
  items.forEach((item, position) => {
    if (isAnswer(item)) {
      answers[position] = item;
      return;
    }
    const problem = problems.get(item.index);
    const placed = problem ? failure(item, item.id, problem) : place(deps, state, item);
    if ("kind" in placed) answers[position] = placed;
    else addToGroup(groups, { position, item, target: placed });
  });
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const results = await writeShard(deps, group, request);
      group.items.forEach(({ position }, i) => {
        answers[position] = results[i];
      });
    }),
  );
  return answers.flatMap((answer) => answer ?? []);
}

/** Writes one document on the path of a bulk of one item. Rejects with the problem of the item. */
export async function write(
  deps: CoordinatorDeps,
  pressure: IndexingPressure,
  item: WriteItem,
  options: WriteOptions,
): Promise<WriteResult> {
  const release = pressure.admit(bytesOfWrite(item));
  const one: WriteOne = (next, nextOptions) =>
    writeOne(deps, { ...nextOptions, items: [next], isAdmitted: true });
  try {
    return await (isPiped(deps, item)
      ? updateThroughPipelines(one, item, options)
      : one(item, options));
  } finally {
    release();
  }
}

async function writeOne(deps: CoordinatorDeps, request: BulkRequest): Promise<WriteResult> {
  const {
    items: [answer],
  } = await writeAll(deps, request);
  if (answer?.kind === "done") return answer;
  throw new OperationError(
    answer?.problem ?? { type: "illegal_state_exception", reason: "no answer", status: 500 },
  );
}

/**
 * Whether an update takes the path of `ingest/update.ts`. In a bulk the product runs pipelines only for the upsert
 * document, never for the merged one.
 */
function isPiped(deps: CoordinatorDeps, item: WriteItem): boolean {
  return item.operation === "update" && hasPipelinesOf(deps.state(), item, deps.clock.nowMs());
}

/**
 * A retryable block (no cluster manager, state not recovered) is waited out until the timeout; any other block
 * refuses the whole request.
 */
async function passGlobalBlocks(deps: CoordinatorDeps, timeoutMs: number): Promise<void> {
  const block = checkBlock(deps.state(), "write");
  if (block === undefined) return;
  if (block.isRetryable !== true) throw new OperationError(block);
  const { state } = await deps.stateWhen(
    (next) => checkBlock(next, "write") === undefined,
    timeoutMs,
  );
  const still = checkBlock(state, "write");
  if (still) throw new OperationError(still);
}

/** A delete creates no index, unless it carries an external version (which must be kept as a tombstone). */
function canCreateIndex(item: WriteItem): boolean {
  if (item.requireAlias === true) return false;
  return item.operation !== "delete" || (item.versionType ?? "internal") !== "internal";
}

function place(
  deps: CoordinatorDeps,
  state: ClusterState,
  item: WriteItem,
): WriteTarget | WriteFailure {
  try {
    return writeTarget(deps, state, item);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return failure(item, item.id, error.problem);
  }
}

function addToGroup(groups: Map<string, ShardGroup>, placed: PlacedItem): void {
  const { index, shard } = placed.target;
  const key = `${index.uuid}/${shard}`;
  const group = groups.get(key);
  if (group) group.items.push(placed);
  else groups.set(key, { index, shard, items: [placed] });
}

async function writeShard(
  deps: CoordinatorDeps,
  group: ShardGroup,
  options: WriteOptions,
): Promise<readonly ItemAnswer[]> {
  const { index, shard, items } = group;
  const wireItems = items.map(({ item, target }) => wireItem(item, target));
  const writeId = newWriteId(deps.random);
  try {
    const bytes = await askPrimary(deps, {
      index: index.name,
      indexUuid: index.uuid,
      shard,
      action: actions.bulkShard,
      timeoutMs: options.timeoutMs,
      encode: ({ allocationId, primaryTerm }, attempt) =>
        BulkShardRequest.encode({
          index: index.name,
          indexUuid: index.uuid,
          shard,
          allocationId,
          primaryTerm,
          items: attempt === 0 ? wireItems : wireItems.map((item) => ({ ...item, isRetry: true })),
          refresh: options.refresh,
          waitForActiveShards: options.waitForActiveShards ?? "",
          timeoutMs: options.timeoutMs,
          writeId,
          attempt,
        }).finish(),
    });
    const { items: results, shards } = BulkShardResponse.decode(bytes);
    const counts = shardCounts(shards);
    return items.map((placed, i) => answerOf(placed, results[i], counts));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return items.map(({ item, target }) => failure(item, target.id, error.problem, index.name));
  }
}

/** A write id has 52 bits, the most that both protobuf and a JavaScript number represent exactly. */
function newWriteId(random: Random): number {
  return random.int(0, 2 ** 20 - 1) * 2 ** 32 + random.int(0, 2 ** 32 - 1);
}

function wireItem(item: WriteItem, target: WriteTarget) {
  return {
    operation: item.operation,
    id: target.id,
    routing: target.routing ?? "",
    source: item.source,
    ifSeqNo: item.ifSeqNo,
    ifPrimaryTerm: item.ifPrimaryTerm,
    version: item.version,
    versionType: item.versionType ?? "internal",
    autoGeneratedId: target.isIdGenerated,
    retryOnConflict: item.retryOnConflict ?? 0,
    fetchSource: item.fetchSource === undefined ? null : wantedSource(item.fetchSource),
    onlyPlan: item.onlyPlan === true,
  };
}

function answerOf(
  { item, target }: PlacedItem,
  result: BulkItemResult | undefined,
  shards: ShardCounts,
): ItemAnswer {
  if (result === undefined) {
    const reason = "the primary answered fewer items than it was sent";
    return failure(
      item,
      target.id,
      { type: "illegal_state_exception", reason, status: 500 },
      target.index.name,
    );
  }
  if (result.problem !== null)
    return failure(item, target.id, readWireProblem(result.problem), target.index.name);
  return {
    kind: "done",
    operation: item.operation,
    index: target.index.name,
    id: target.id,
    version: result.version,
    seqNo: result.seqNo,
    primaryTerm: result.primaryTerm,
    result: result.result as WriteResult["result"],
    status: result.status,
    shards,
    forcedRefresh: result.forcedRefresh,
    get: result.get.length === 0 ? undefined : result.get.slice(),
    ...(result.planned === null ? {} : { planned: plannedDocument(result.planned) }),
  };
}

function plannedDocument({
  source,
  routing,
  exists,
}: NonNullable<BulkItemResult["planned"]>): PlannedDocument {
  return { source: source.slice(), routing: routing === "" ? undefined : routing, exists };
}

function shardCounts(info: BulkShardResponse["shards"]): ShardCounts {
  const failures = (info?.failures ?? []).map((one): JsonObject => ({
    _index: one.index,
    _shard: one.shard,
    _node: one.nodeId,
    reason: one.problem === null ? {} : problemJson(readWireProblem(one.problem)),
    status: one.status,
    primary: one.primary,
  }));
  return {
    total: info?.total ?? 0,
    successful: info?.successful ?? 0,
    failed: failures.length,
    failures,
  };
}

function failure(
  item: WriteItem,
  id: string | undefined,
  problem: Problem,
  index = item.index,
): WriteFailure {
  return { kind: "failed", operation: item.operation, index, id, status: problem.status, problem };
}
