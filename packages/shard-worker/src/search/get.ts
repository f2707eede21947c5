/** Single documents by id, as of now or as searches see them. */
import { GetShardResponse, type GetItem, type GetShardRequest } from "@orrery/protocol";
import { storedFieldValues, withBudget, type Budget } from "@orrery/query";
import { inTurns } from "@orrery/ports";
import { emptyBytes, type Problem } from "@orrery/stdx";
import { itemProblem } from "../blame.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { noteSearch } from "../copy/upkeep.ts";
import { versionConflict } from "../engine/conflict.ts";
import { guarded } from "../engine/failure.ts";
import { readDocument, type FoundDocument } from "../engine/get.ts";
import { refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";
import { keptSource, optionOf } from "./wanted-source.ts";

type ItemResult = NonNullable<Parameters<typeof GetShardResponse.encode>[0]["items"]>[number];

export async function serveGet(copy: ShardCopy, request: GetShardRequest): Promise<Uint8Array> {
  const engine = engineOf(copy);
  if (request.refresh) guarded(engine, () => refresh(engine, "external"));
  else if (!request.realtime) noteSearch(copy, engine);
  const found = inTurns(copy.worker.clock, (isTurnOver) =>
    withBudget(copy.worker.memory, (budget) => getSteps(copy, request, { budget, isTurnOver })),
  );
  return GetShardResponse.encode({
    items: found instanceof Promise ? await found : found,
  }).finish();
}

/** Rests between two documents. */
function* getSteps(
  copy: ShardCopy,
  request: GetShardRequest,
  { budget, isTurnOver }: { readonly budget: Budget; readonly isTurnOver: () => boolean },
): Generator<undefined, ItemResult[]> {
  const items: ItemResult[] = [];
  for (const item of request.items) {
    if (isTurnOver()) yield undefined;
    // The engine may have been closed or replaced during the rest.
    const result = getItem(copy, engineOf(copy), item, request.realtime);
    budget.hold(result.source?.length ?? 0);
    items.push(result);
  }
  return items;
}

function getItem(
  copy: ShardCopy,
  engine: EngineState,
  item: GetItem,
  isRealtime: boolean,
): ItemResult {
  const startedMs = copy.worker.clock.monotonicMs();
  const { counters } = engine;
  try {
    const found = guarded(engine, () => readDocument(engine, item.id, isRealtime));
    const tookMs = copy.worker.clock.monotonicMs() - startedMs;
    if (found === undefined) {
      counters.getMissing += 1;
      counters.getMissingMs += tookMs;
      return { found: false };
    }
    const problem = conflictOf(engine, item, found);
    if (problem !== undefined) return { problem: JSON.stringify(problem) };
    counters.getExists += 1;
    counters.getExistsMs += tookMs;
    return foundItem(copy, item, found);
  } catch (error) {
    if (engine.isClosed) throw error;
    return { problem: JSON.stringify(itemProblem(copy, error)) };
  }
}

/** Reads name the very version they want, whatever its type. */
function conflictOf(engine: EngineState, item: GetItem, found: FoundDocument): Problem | undefined {
  const { version } = item;
  if (version === null || version === found.version) return undefined;
  const reason = `current version [${found.version}] is different than the one provided [${version}]`;
  return versionConflict(engine.options, item.id, reason);
}

function foundItem(copy: ShardCopy, item: GetItem, found: FoundDocument): ItemResult {
  const { version, seqNo, primaryTerm, routing } = found;
  const source = sourceOf(item, found.source);
  const fields =
    item.storedFields.length === 0
      ? {}
      : storedFieldValues(copy.service.mapping, found.source, item.storedFields);
  return {
    found: true,
    version,
    seqNo,
    primaryTerm,
    routing: routing ?? "",
    source: source ?? emptyBytes,
    hasSource: source !== undefined,
    fields: Object.keys(fields).length === 0 ? "" : JSON.stringify(fields),
  };
}

function sourceOf(item: GetItem, source: Uint8Array | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  const isImplied = item.storedFields.length === 0 || item.storedFields.includes("_source");
  if (item.source === null) return isImplied ? source : undefined;
  return keptSource(source, optionOf(item.source));
}
