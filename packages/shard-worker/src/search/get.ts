/** Gets by id (`ShardGetService`), realtime or as searches see documents, under the restrictions of the request. */
import {
  GetShardResponse,
  wireJson,
  wireProblem,
  type GetItem,
  type GetShardRequest,
} from "@orrery/protocol";
import {
  shownSource,
  storedFieldValues,
  withBudget,
  type Budget,
  type ShardView,
} from "@orrery/query";
import { inTurns, type RequestContext } from "@orrery/ports";
import { createIdKey } from "@orrery/segment";
import { emptyBytes, OperationError, type Problem } from "@orrery/stdx";
import { itemProblem } from "../blame.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { noteSearch } from "../copy/upkeep.ts";
import { versionConflict } from "../engine/conflict.ts";
import { guarded } from "../engine/failure.ts";
import { readDocument, type FoundDocument } from "../engine/get.ts";
import { refresh } from "../engine/refresh.ts";
import type { EngineState } from "../engine/types.ts";
import { restrictionOf, SeenView, type SumOfRestrictions } from "./restrictions.ts";
import { viewOf } from "./views.ts";
import { keptSource, optionOf } from "./wanted-source.ts";

type ItemResult = NonNullable<Parameters<typeof GetShardResponse.encode>[0]["items"]>[number];

/** Reads the documents of a request. Each item of the answer is a document, its absence, or its problem. */
export async function serveGet(
  copy: ShardCopy,
  request: GetShardRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  const engine = engineOf(copy);
  const restriction = restrictionOf(copy, context);
  // Restrictions filter documents of segments, not of the indexing buffer.
  const isFiltered = restriction?.documents !== undefined && request.realtime;
  if (request.refresh || isFiltered) guarded(engine, () => refresh(engine, "external"));
  else if (!request.realtime) noteSearch(copy, engine);
  const found = inTurns(copy.worker.clock, (isTurnOver) =>
    withBudget(copy.worker.memory, (budget) =>
      getSteps(copy, request, { context, restriction, budget, isTurnOver }),
    ),
  );
  return GetShardResponse.encode({
    items: found instanceof Promise ? await found : found,
  }).finish();
}

/** The view of a restricted request, as of now. */
interface Seen {
  readonly restriction: SumOfRestrictions;
  readonly view: ShardView;
}

/** The circumstances of a request. */
interface Reading {
  readonly context: RequestContext;
  readonly restriction: SumOfRestrictions | undefined;
  readonly budget: Budget;
  readonly isTurnOver: () => boolean;
}

/** Rests between two documents. */
function* getSteps(
  copy: ShardCopy,
  request: GetShardRequest,
  { restriction, ...how }: Reading,
): Generator<undefined, ItemResult[]> {
  const items: ItemResult[] = [];
  const shared = restriction && { restriction, view: new SeenView(copy, { ...how, restriction }) };
  for (const item of request.items) {
    if (how.isTurnOver()) yield undefined;
    const seen = shared === undefined ? undefined : yield* seenSteps(copy, shared);
    // The engine may have been closed or replaced during the rest.
    const read = { item, isRealtime: request.realtime };
    const result =
      seen !== undefined && "problem" in seen
        ? seen
        : getItem(copy, engineOf(copy), { ...read, seen });
    how.budget.hold(result.source?.length ?? 0);
    items.push(result);
  }
  return items;
}

/** A restriction whose query is invalid is the problem of each document. */
function* seenSteps(
  copy: ShardCopy,
  { restriction, view }: { readonly restriction: SumOfRestrictions; readonly view: SeenView },
): Generator<
  undefined,
  Seen | { readonly problem: ReturnType<typeof wireProblem>; readonly source?: undefined }
> {
  const engine = engineOf(copy);
  try {
    return { restriction, view: yield* view.current(viewOf) };
  } catch (error) {
    if (engine.isClosed) throw error;
    return { problem: wireProblem(itemProblem(copy, error)) };
  }
}

interface ReadItem {
  readonly item: GetItem;
  readonly isRealtime: boolean;
  readonly seen: Seen | undefined;
}

function getItem(
  copy: ShardCopy,
  engine: EngineState,
  { item, isRealtime, seen }: ReadItem,
): ItemResult {
  const startedMs = copy.worker.clock.monotonicMs();
  const { counters } = engine;
  try {
    const found =
      seen === undefined
        ? guarded(engine, () => readDocument(engine, item.id, isRealtime))
        : readRestricted(engine, { item, isRealtime, seen });
    const tookMs = copy.worker.clock.monotonicMs() - startedMs;
    if (found === undefined) {
      counters.getMissing += 1;
      counters.getMissingMs += tookMs;
      return { found: false };
    }
    const problem = conflictOf(engine, item, found);
    if (problem !== undefined) return { problem: wireProblem(problem) };
    counters.getExists += 1;
    counters.getExistsMs += tookMs;
    return foundItem(copy, item, { found, seen });
  } catch (error) {
    if (engine.isClosed) throw error;
    return { problem: wireProblem(itemProblem(copy, error)) };
  }
}

/** A get names the exact version that it wants, whatever the version type. */
function conflictOf(engine: EngineState, item: GetItem, found: FoundDocument): Problem | undefined {
  const { version } = item;
  if (version === null || version === found.version) return undefined;
  const reason = `current version [${found.version}] is different than the one provided [${version}]`;
  return versionConflict(engine.options, item.id, reason);
}

/**
 * The part of the document that the request may see.
 * @throws OperationError The plugin's refusal of a hidden document, if it has one.
 */
function readRestricted(
  engine: EngineState,
  { item, isRealtime, seen }: ReadItem & { readonly seen: Seen },
): FoundDocument | undefined {
  const { documents, hiddenFields = [], refusal } = seen.restriction;
  const isNewest = documents === undefined && isRealtime;
  // Only the read is guarded: a fault of the restriction is the request's, not the engine's.
  const found = guarded(engine, () => readDocument(engine, item.id, isNewest));
  if (found === undefined) return undefined;
  if (documents !== undefined && !isAdmitted(seen.view, item)) {
    if (refusal !== undefined) throw new OperationError(refusal);
    return undefined;
  }
  return { ...found, source: found.source && shownSource(hiddenFields)(found.source) };
}

function isAdmitted({ segments }: ShardView, { id }: GetItem): boolean {
  const key = createIdKey(id);
  return segments.some(({ reader, live }) => reader.find(key, live) >= 0);
}

function foundItem(
  copy: ShardCopy,
  item: GetItem,
  { found, seen }: { readonly found: FoundDocument } & Pick<ReadItem, "seen">,
): ItemResult {
  const { version, seqNo, primaryTerm, routing } = found;
  const mapping = seen === undefined ? copy.service.mapping : seen.view.mapping;
  const source = sourceOf(item, found.source);
  const fields =
    item.storedFields.length === 0
      ? {}
      : storedFieldValues(mapping, found.source, item.storedFields);
  return {
    found: true,
    version,
    seqNo,
    primaryTerm,
    routing: routing ?? "",
    source: source ?? emptyBytes,
    hasSource: source !== undefined,
    fields: Object.keys(fields).length === 0 ? null : wireJson(fields),
  };
}

function sourceOf(item: GetItem, source: Uint8Array | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  const isImplied = item.storedFields.length === 0 || item.storedFields.includes("_source");
  if (item.source === null) return isImplied ? source : undefined;
  return keptSource(source, optionOf(item.source));
}
