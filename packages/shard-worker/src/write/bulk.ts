/**
 * One shard's part of a bulk request on its primary (`TransportShardBulkAction`), in a single pass:
 *
 * 1. Reject the request unless this copy is the primary and enough copies are active.
 * 2. Let plugins change sources, and parse all documents; new fields are agreed on with the cluster manager before
 *    the first operation.
 * 3. Apply the items in order, in turns. Each turn appends one batch to the translog; an item that fails does not
 *    fail the others.
 * 4. Replicate all operations in one message to each copy, sync and refresh side by side, and answer.
 */
import {
  actions,
  BulkShardResponse,
  ReplicaOperationsRequest,
  wireProblem,
  type BulkItem,
  type BulkShardRequest,
} from "@orrery/protocol";
import { sourceOfBytes, type DocumentSource } from "@orrery/query";
import { assert, emptyBytes, OperationError, problemOf, type Problem } from "@orrery/stdx";
import { itemProblem } from "../blame.ts";
import { engineOf, illegalState, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { closeBatch, deleteOnPrimary, indexOnPrimary } from "../engine/operations.ts";
import type { EngineState, WriteCondition, WriteOutcome } from "../engine/types.ts";
import { checkActiveCopies } from "./active-copies.ts";
import { persistOnPrimary } from "./after-write.ts";
import { isNewAutoId } from "./auto-id.ts";
import { documentToIndex } from "./index-hook.ts";
import { parseDocuments, type Parsed } from "./parse-items.ts";
import { createTurns, type RequestContext } from "@orrery/ports";
import { restrictionOf, updateRefused } from "../search/restrictions.ts";
import { refreshAfter } from "./refresh-after.ts";
import { replicate, type ReplicationResult } from "./replicate.ts";
import {
  planUpdate,
  readUpdate,
  updatedDocument,
  wantedPart,
  type UpdateBody,
  type UpdatePlan,
} from "./update.ts";

type ItemResult = Parameters<typeof BulkShardResponse.encode>[0]["items"] extends
  | readonly (infer Item)[]
  | undefined
  ? Item
  : never;

/** A bulk request for one shard, with its context. */
export interface Write {
  readonly request: BulkShardRequest;
  readonly context: RequestContext;
}

/** Executes the items of a bulk. The caller holds a permit, and has checked that this copy is the addressed primary. */
export async function bulkOnPrimary(copy: ShardCopy, write: Write): Promise<Uint8Array> {
  const { request } = write;
  const engine = engineOf(copy);
  if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
  const short = checkActiveCopies(copy, request);
  if (short !== undefined) throw new OperationError(short);
  engine.counters.lastIndexRequestMs = copy.worker.clock.nowMs();
  const startedMs = copy.worker.clock.monotonicMs();
  copy.attempts.note(request);
  const applied = await applyItems(copy, engine, write);
  engine.counters.indexMs += copy.worker.clock.monotonicMs() - startedMs;
  const [replicated, forcedRefresh] = await finishWrite(copy, engine, write, applied.operations);
  return BulkShardResponse.encode({
    // A shard that was refreshed without a change reports no forced refresh of its items.
    items:
      forcedRefresh && applied.operations.length > 0
        ? applied.results.map((item) => ({ ...item, forcedRefresh: true }))
        : applied.results,
    shards: shardInfo(copy, replicated),
    forcedRefresh,
  }).finish();
}

/** The results of the items, and the operations that they made. */
interface Applied {
  readonly results: readonly ItemResult[];
  /** Records for the replicas, in the order of their numbers. */
  readonly operations: Uint8Array;
}

/** Applies all items, resting between turns. */
async function applyItems(copy: ShardCopy, engine: EngineState, write: Write): Promise<Applied> {
  const { request, context } = write;
  const { items } = request;
  const refusals = new Map<number, Problem>();
  const documents = items.map((item, i) => {
    if (!isDocument(item)) return undefined;
    try {
      return documentToIndex(copy, toParse(item, sourceOfBytes(item.source)), context);
    } catch (error) {
      refusals.set(i, itemProblem(copy, error));
      return undefined;
    }
  });
  const parsing = parseDocuments(copy, documents, context);
  const parsed = Array.isArray(parsing) ? parsing : await parsing;
  const parts: Uint8Array[] = [];
  const results: ItemResult[] = [];
  const documentAt = (i: number): ReadDocument | undefined => {
    const problem = refusals.get(i);
    if (problem !== undefined) return { source: emptyBytes, parsed: { kind: "failed", problem } };
    const result = parsed[i];
    return result && { source: documents[i]?.source.bytes ?? emptyBytes, parsed: result };
  };
  const turns = createTurns(copy.worker.clock);
  for (let i = 0; i < items.length; i += 1) {
    if (turns.isOver()) {
      // During the rest other writes run: this request replicates the operations that it has applied, and no others.
      takeBatch(engine, parts);
      await turns.rest();
    }
    const item = items[i] as BulkItem;
    // Checked before each item: a later attempt may arrive during a rest. Items that were applied are replicated all
    // the same.
    const result = copy.attempts.isOvertaken(request)
      ? failed(item, overtaken(copy))
      : item.operation === "update"
        ? applyUpdate(copy, engine, item, { parts, ...write })
        : applyItem(copy, engine, item, documentAt(i));
    // Only an update whose document brings new fields has to wait.
    results.push(result instanceof Promise ? await result : result);
  }
  takeBatch(engine, parts);
  return { results, operations: join(parts) };
}

/** The failure of an item of an overtaken attempt; its sender waits for the later one. */
function overtaken(copy: ShardCopy): Problem {
  const reason = `${shardName(copy)} another attempt of the write has arrived`;
  return { type: "task_cancelled_exception", reason, status: 500 };
}

/** A document as it is to be stored, and as it was parsed. */
interface ReadDocument {
  readonly source: Uint8Array;
  readonly parsed: Parsed;
}

/** Carries out an index, create or delete item in one turn. */
function applyItem(
  copy: ShardCopy,
  engine: EngineState,
  item: BulkItem,
  document: ReadDocument | undefined,
): ItemResult {
  const { counters } = engine;
  const condition = conditionOf(item);
  if (item.operation === "delete") {
    counters.deleteTotal += 1;
    const outcome = guarded(engine, () =>
      deleteOnPrimary(engine, copy.primaryTerm, { id: item.id, condition }),
    );
    if (outcome.kind === "failed") return failed(item, outcome.problem);
    const result = outcome.wasFound ? "deleted" : "not_found";
    return done(item, outcome, result, outcome.wasFound ? 200 : 404);
  }
  assert(document !== undefined, "a document that was not parsed");
  const { source, parsed } = document;
  if (parsed.kind === "failed") {
    counters.indexFailed += 1;
    return failed(item, parsed.problem);
  }
  const input = {
    id: item.id,
    routing: item.routing === "" ? undefined : item.routing,
    source,
    parsed: parsed.document,
    condition,
    isNew: isNewAutoId(engine, item),
  };
  const outcome = guarded(engine, () => indexOnPrimary(engine, copy.primaryTerm, input));
  return indexed(engine, item, outcome);
}

function indexed(engine: EngineState, item: BulkItem, outcome: WriteOutcome): ItemResult {
  if (outcome.kind === "failed") {
    engine.counters.indexFailed += 1;
    return failed(item, outcome.problem);
  }
  engine.counters.indexTotal += 1;
  const result = outcome.wasFound ? "updated" : "created";
  return done(item, outcome, result, outcome.wasFound ? 200 : 201);
}

interface Updating extends Write {
  /** Batches of the write so far. */
  readonly parts: Uint8Array[];
  /** The body, if it was read before. */
  readonly body?: UpdateBody;
}

/**
 * Carries out an update item. The document is read, merged, parsed and written in one turn, so that no other write
 * comes between. A document that brings new fields has to wait for the mapping: the update then begins again with
 * reading.
 */
function applyUpdate(
  copy: ShardCopy,
  engine: EngineState,
  item: BulkItem,
  updating: Updating,
): ItemResult | Promise<ItemResult> {
  try {
    // The result would reveal hidden fields, and the merge keep them.
    if (restrictionOf(copy, updating.context) !== undefined) throw updateRefused();
    const body = updating.body ?? readUpdate(item);
    const plan = planUpdate(engine, item, body);
    if (plan.kind === "noop") {
      engine.counters.noopUpdates += 1;
      const get = updatedDocument({ item, body }, plan.before, plan.source) ?? emptyBytes;
      return { ...done(item, plan.before, "noop", 200), get };
    }
    if (item.onlyPlan) return plannedResult({ item, body }, plan);
    const planned = { ...toParse(item, plan.source), routing: plan.routing };
    const document = documentToIndex(copy, planned, updating.context);
    const { source } = document;
    const parsing = parseDocuments(copy, [document], updating.context);
    if (!Array.isArray(parsing)) {
      // Other writes run during the wait.
      takeBatch(engine, updating.parts);
      return parsing.then((parsed) => {
        const refused = parsed[0]?.kind === "failed" ? parsed[0].problem : undefined;
        const problem = copy.attempts.isOvertaken(updating.request) ? overtaken(copy) : refused;
        return problem === undefined
          ? applyUpdate(copy, engine, item, { ...updating, body })
          : failed(item, problem);
      });
    }
    const [parsed] = parsing;
    assert(parsed !== undefined, "an update that was not parsed");
    if (parsed.kind === "failed") {
      engine.counters.indexFailed += 1;
      return failed(item, parsed.problem);
    }
    const outcome = guarded(engine, () =>
      indexOnPrimary(engine, copy.primaryTerm, {
        id: item.id,
        routing: plan.routing,
        source: source.bytes,
        parsed: parsed.document,
        condition: conditionOf({ ...item, version: null, versionType: "internal" }),
        isNew: false,
      }),
    );
    const result = indexed(engine, item, outcome);
    if (outcome.kind === "failed") return result;
    return {
      ...result,
      get: updatedDocument({ item, body }, outcome, source.bytes) ?? emptyBytes,
    };
  } catch (error) {
    if (engine.isClosed) throw error;
    return failed(item, itemProblem(copy, error));
  }
}

/**
 * The result of an update that is only planned: the coordinating node runs ingest pipelines on the merged document,
 * and writes it under the condition that this version is still the current one.
 */
function plannedResult(
  update: { readonly item: BulkItem; readonly body: UpdateBody },
  { source: { bytes }, routing, before }: Extract<UpdatePlan, { readonly kind: "index" }>,
): ItemResult {
  return {
    ...done(update.item, before ?? { version: 0, seqNo: 0, primaryTerm: 0 }, "planned", 200),
    get: wantedPart(update, bytes) ?? emptyBytes,
    planned: { source: bytes, routing: routing ?? "", exists: before !== undefined },
  };
}

/** Replicates and syncs side by side, and does the refresh that was requested; ends when all have. */
async function finishWrite(
  copy: ShardCopy,
  engine: EngineState,
  { request, context }: Write,
  operations: Uint8Array,
): Promise<readonly [ReplicationResult, boolean]> {
  // INV-REPL-12, so also without operations: a conflict and an update without a change rest on this copy alone, and
  // only the other copies can confirm that it is still the primary.
  const replicating = replicate(copy, {
    action: actions.replicaOperations,
    mustReachAll: true,
    context,
    encode: (header) =>
      ReplicaOperationsRequest.encode({
        header,
        operations,
        refresh: request.refresh,
        trimAboveSeqNo: -2,
        isResync: false,
        maxUnsafeAutoIdMs: engine.maxUnsafeAutoIdMs,
      }).finish(),
  });
  const refreshing = refreshAfter(copy, engine, request.refresh);
  const keeping = persistOnPrimary(copy, engine);
  const [replicated, , forced] = await Promise.all([replicating, keeping, refreshing]);
  return [replicated, forced];
}

function takeBatch(engine: EngineState, parts: Uint8Array[]): void {
  guarded(engine, () => {
    const bytes = closeBatch(engine);
    if (bytes.length > 0) parts.push(bytes.slice());
  });
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first === undefined) return emptyBytes;
  if (parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function isDocument({ operation }: BulkItem): boolean {
  return operation === "index" || operation === "create";
}

function toParse({ id, routing }: BulkItem, source: DocumentSource) {
  return { id, routing: routing === "" ? undefined : routing, source };
}

function conditionOf(item: BulkItem): WriteCondition {
  return {
    ifSeqNo: item.ifSeqNo ?? undefined,
    ifPrimaryTerm: item.ifPrimaryTerm ?? undefined,
    version: item.version ?? undefined,
    versionType:
      item.versionType === "external" || item.versionType === "external_gte"
        ? item.versionType
        : "internal",
    isCreate: item.operation === "create",
  };
}

function done(
  { id }: BulkItem,
  written: { readonly version: number; readonly seqNo: number; readonly primaryTerm: number },
  result: string,
  status: number,
): ItemResult {
  const { version, seqNo, primaryTerm } = written;
  return { result, id, version, seqNo, primaryTerm, status };
}

function failed({ id }: BulkItem, problem: Problem): ItemResult {
  return { id, status: problem.status, problem: wireProblem(problem) };
}

function shardInfo(copy: ShardCopy, { total, successful, failures }: ReplicationResult) {
  return {
    total,
    successful,
    failures: failures.map(({ nodeId, problem }) => ({
      index: copy.index,
      shard: copy.shard,
      nodeId,
      primary: false,
      status: statusName(problem.status),
      problem: wireProblem(problemOf(new OperationError(problem))),
    })),
  };
}

function statusName(status: number): string {
  const names: Readonly<Record<number, string>> = {
    400: "BAD_REQUEST",
    404: "NOT_FOUND",
    409: "CONFLICT",
    429: "TOO_MANY_REQUESTS",
    503: "SERVICE_UNAVAILABLE",
  };
  return names[status] ?? "INTERNAL_SERVER_ERROR";
}
