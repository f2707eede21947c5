/**
 * Judgement of clients' searches during the run, by what clients know of the documents.
 *
 * A hit is a document that some client wrote. A search for all documents, answered by every shard, that started after a
 * refresh had reached every copy, returns each document whose write was acknowledged before that refresh, and none
 * whose delete was. It also returns documents acknowledged before the search if their write waited for a refresh or
 * forced one. The rule is suspended around a change of the primary: a copy rolls back operations that the old primary
 * had not confirmed, and receives them again from the new one.
 */
import type { Json } from "@orrery/stdx";
import { isWrite, type History, type Operation } from "../history.ts";

import { indexDeletions } from "./index-deletions.ts";

/** Facts of the run that the judgement of its searches depends on. */
export interface Judged {
  readonly clusterOf: (node: string) => string;
  /** A node that was isolated or paused may answer from a stale copy. */
  readonly mayBeOutOfDate: boolean;
  /** Times of primary changes by cluster and index, as `main/books`. */
  readonly newPrimaries: ReadonlyMap<string, readonly number[]>;
}

/** Time for a new primary to bring the other copies in line. */
const SETTLING_MS = 2000;

/** Judges the searches of a history. */
export function judgeSearches({ operations }: History, judged: Judged): string | undefined {
  const deletions = indexDeletions(judged, operations);
  const searches = operations.filter((operation) => {
    const { kind, outcome, hits } = operation;
    const isAnswered = kind === "search" && outcome === "ok" && hits !== undefined;
    return isAnswered && !deletions.concern(operation);
  });
  if (searches.length === 0) return undefined;
  const placeOf = ({ node, index = "" }: Operation): string => `${judged.clusterOf(node)}/${index}`;
  const writes = writesByPlace(operations, placeOf);
  const refreshes = operations.filter(({ isRefresh, outcome }) => isRefresh && outcome === "ok");
  for (const search of searches) {
    const written = writes.get(placeOf(search)) ?? new Map<string, Operation[]>();
    const changes = judged.newPrimaries.get(placeOf(search)) ?? [];
    const ofPlace = refreshes.filter(
      (one) => placeOf(one) === placeOf(search) && isQuiet(one, search, changes),
    );
    const refreshedMs = latestBefore(search, ofPlace)?.invokedMs ?? -Infinity;
    const isShown = (write: Operation): boolean => {
      const { outcome, refresh, returnedMs = Infinity } = write;
      if (outcome !== "ok") return false;
      if (returnedMs <= refreshedMs) return true;
      return (
        refresh !== undefined && returnedMs <= search.invokedMs && isQuiet(write, search, changes)
      );
    };
    const says =
      inventedHit(search, written) ??
      (judged.mayBeOutOfDate ? undefined : missed(search, written, isShown));
    if (says !== undefined) return `a search at ${Math.round(search.invokedMs)} ms: ${says}`;
  }
  return undefined;
}

/** Writes by document. */
type Writes = ReadonlyMap<string, readonly Operation[]>;

function writesByPlace(
  operations: readonly Operation[],
  placeOf: (operation: Operation) => string,
): ReadonlyMap<string, Writes> {
  const places = new Map<string, Map<string, Operation[]>>();
  for (const operation of operations) {
    const { document, outcome } = operation;
    if (!isWrite(operation) || document === undefined || outcome === "failed") continue;
    const place = places.get(placeOf(operation)) ?? new Map<string, Operation[]>();
    places.set(placeOf(operation), place);
    const all = place.get(document);
    if (all === undefined) place.set(document, [operation]);
    else all.push(operation);
  }
  return places;
}

function inventedHit(
  { index, hits = [], returnedMs = Infinity }: Operation,
  written: Writes,
): string | undefined {
  for (const { document, value } of hits) {
    const all = written.get(document);
    // Documents written by a script are skipped: its requests are not part of the history.
    if (all === undefined) continue;
    const isWritten = all.some(
      ({ kind, wrote, invokedMs }) =>
        kind !== "delete" &&
        invokedMs < returnedMs &&
        (wrote === undefined || isSame(wrote, value)),
    );
    if (!isWritten)
      return `it found ${index}/${document} as ${JSON.stringify(value)}, and nobody had written that`;
  }
  return undefined;
}

/** True if no primary changed from shortly before the first time until the second. */
function isQuiet(
  refresh: Operation,
  { returnedMs = Infinity }: Operation,
  changes: readonly number[],
): boolean {
  return !changes.some((atMs) => atMs > refresh.invokedMs - SETTLING_MS && atMs < returnedMs);
}

function latestBefore(search: Operation, refreshes: readonly Operation[]): Operation | undefined {
  return refreshes.findLast(({ returnedMs = Infinity }) => returnedMs <= search.invokedMs);
}

function missed(
  search: Operation,
  written: Writes,
  isShown: (write: Operation) => boolean,
): string | undefined {
  const { hits = [], total, isForAll, isWhole } = search;
  const isAll = isForAll === true && isWhole === true && total === hits.length;
  if (!isAll) return undefined;
  const found = new Map(hits.map(({ document, value }) => [document, value]));
  for (const [document, all] of written) {
    const last = lastOf(all, isShown);
    if (last === undefined || isInDoubt(all, last, search)) continue;
    const isThere = found.has(document);
    const name = `${search.index}/${document}`;
    if (last.kind === "delete") {
      if (isThere) return `it found ${name}, which had been deleted before a refresh`;
      continue;
    }
    if (!isThere) return `it did not find ${name}, which had been written before a refresh`;
    const value = found.get(document) ?? null;
    if (last.wrote !== undefined && !isSame(last.wrote, value))
      return `it found ${name} as ${JSON.stringify(value)}, and before a refresh ${JSON.stringify(last.wrote)} had been written`;
  }
  return undefined;
}

function lastOf(
  all: readonly Operation[],
  isShown: (write: Operation) => boolean,
): Operation | undefined {
  let last: Operation | undefined;
  for (const one of all) if (isShown(one) && (last?.seqNo ?? -1) <= (one.seqNo ?? 0)) last = one;
  return last;
}

/** True if another write may have followed, and be the version that the search found. */
function isInDoubt(
  all: readonly Operation[],
  last: Operation,
  { returnedMs = Infinity }: Operation,
): boolean {
  return all.some((one) => {
    if (one === last || one.invokedMs >= returnedMs) return false;
    return one.outcome !== "ok" || (one.seqNo ?? Infinity) > (last.seqNo ?? -1);
  });
}

function isSame(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
