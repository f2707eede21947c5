/**
 * One shard's part of a bulk on its primary, in a single pass: checks, documents parsed, operations applied in order and in turns,
 * one append to the translog a turn, one message to each replica, one sync, one answer.
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
import { keepOnPrimary } from "./after-write.ts";
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

export interface Write {
  readonly request: BulkShardRequest;
  readonly context: RequestContext;
}

/** The caller holds a permit, and has checked that this copy is the primary that was meant. */
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
    // A shard of which nothing changed says nothing of its refresh.
    items:
      forcedRefresh && applied.operations.length > 0
        ? applied.results.map((item) => ({ ...item, forcedRefresh: true }))
        : applied.results,
    shards: shardInfo(copy, replicated),
    forcedRefresh,
  }).finish();
}

interface Applied {
  readonly results: readonly ItemResult[];
  /** Records for the replicas. */
  readonly operations: Uint8Array;
}

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
      // This request replicates the operations that it applied, not a write that comes in between.
      takeBatch(engine, parts);
      await turns.rest();
    }
    const item = items[i] as BulkItem;
    // What was applied before is passed on to the replicas all the same.
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

/** Whoever sent it waits for a later attempt. */
function overtaken(copy: ShardCopy): Problem {
  const reason = `${shardName(copy)} another attempt of the write has arrived`;
  return { type: "task_cancelled_exception", reason, status: 500 };
}

/** A document as it is stored, and what was read from it. */
interface ReadDocument {
  readonly source: Uint8Array;
  readonly parsed: Parsed;
}

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
  readonly parts: Uint8Array[];
  /** The body, once it was read. */
  readonly body?: UpdateBody;
}

/** The plan is made and carried out in one turn, so that nothing comes between reading and writing. */
function applyUpdate(
  copy: ShardCopy,
  engine: EngineState,
  item: BulkItem,
  updating: Updating,
): ItemResult | Promise<ItemResult> {
  try {
    // It would tell by its answer, and keep in the document, what the request may not see.
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

/** The coordinating node takes the document through ingest pipelines, and writes it if this one is still as it was read. */
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

/** Replication and sync run side by side; then the refresh that was asked for. */
async function finishWrite(
  copy: ShardCopy,
  engine: EngineState,
  { request, context }: Write,
  operations: Uint8Array,
): Promise<readonly [ReplicationResult, boolean]> {
  // INV-REPL-12, without operations, too: a conflict and an update without a change rest on what this copy has, and only the others can tell
  // that it is the primary still.
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
  const keeping = keepOnPrimary(copy, engine);
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
