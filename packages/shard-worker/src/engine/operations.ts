/**
 * Index, delete and no-op on one copy (`InternalEngine`). The primary checks versions and assigns sequence numbers;
 * replicas, recoveries and replays apply operations by their numbers, in any order. Each operation changes indexing
 * buffer, version map and running batch in one turn.
 *
 * INV-ENGINE-1: of two operations on one id the one with the higher sequence number wins, in whatever order they
 * arrive.
 */
import type { ParsedDocument } from "@orrery/query";
import { UnindexableError } from "@orrery/segment";
import { assert, OperationError } from "@orrery/stdx";
import type { Operation } from "../translog/record.ts";
import { findConflict, nextVersion } from "./conflict.ts";
import { assertOpen } from "./failure.ts";
import { lookUp } from "./lookup.ts";
import type { EngineState, FoundVersion, WriteCondition, WriteOutcome } from "./types.ts";

/** A document to index on the primary. */
export interface PrimaryIndex {
  readonly id: string;
  readonly routing: string | undefined;
  /** The source as the client sent it. */
  readonly source: Uint8Array;
  readonly parsed: ParsedDocument;
  readonly condition: WriteCondition;
  /** No operation on this id can have come before (`isNewAutoId`): no look-up is needed. */
  readonly isNew: boolean;
}

/**
 * Indexes a document under the next sequence number.
 *
 * 1. Look up the newest version and check the write's condition. A conflict takes no number.
 * 2. Assign version and number, and record that the number is an update's, if it is.
 * 3. Add the document to the buffer. A document that cannot be indexed has taken its number, so a no-op fills it.
 * 4. Delete the version before, and put the operation into the batch.
 */
export function indexOnPrimary(
  state: EngineState,
  primaryTerm: number,
  input: PrimaryIndex,
): WriteOutcome {
  assertOpen(state);
  const current = input.isNew ? undefined : lookUp(state, input.id);
  const problem = findConflict(state.options, input.id, current, input.condition);
  if (problem !== undefined) return { kind: "failed", problem };
  const version = nextVersion(current, input.condition);
  const seqNo = state.tracker.nextSeqNo();
  const { id, routing, source } = input;
  const operation: Operation = { kind: "index", id, routing, source, seqNo, primaryTerm, version };
  const wasFound = current !== undefined && !current.isDeleted;
  // Replicas append without a look-up above it. A known delete counts: its id is not new to them.
  if (current !== undefined) state.maxSeqNoOfUpdates = seqNo;
  const failure = addDocument(state, operation, input.parsed, input.isNew);
  if (failure !== undefined) {
    // The number is taken: a no-op fills its place on every copy.
    applyNoop(state, { seqNo, primaryTerm });
    return { kind: "failed", problem: failure.problem };
  }
  replace(state, current);
  record(state, operation);
  return { kind: "done", seqNo, primaryTerm, version, wasFound };
}

/**
 * Deletes a document under the next sequence number; also of a document that does not exist: the delete gets a
 * version, which later writes see.
 */
export function deleteOnPrimary(
  state: EngineState,
  primaryTerm: number,
  input: { readonly id: string; readonly condition: WriteCondition },
): WriteOutcome {
  assertOpen(state);
  const { id } = input;
  const current = lookUp(state, id);
  const problem = findConflict(state.options, id, current, input.condition);
  if (problem !== undefined) return { kind: "failed", problem };
  const version = nextVersion(current, input.condition);
  const seqNo = state.tracker.nextSeqNo();
  state.maxSeqNoOfUpdates = seqNo;
  const operation: Operation = {
    kind: "delete",
    id,
    routing: undefined,
    source: undefined,
    seqNo,
    primaryTerm,
    version,
  };
  addTombstone(state, operation);
  replace(state, current);
  record(state, operation);
  const wasFound = current !== undefined && !current.isDeleted;
  return { kind: "done", seqNo, primaryTerm, version, wasFound };
}

/**
 * Fills a sequence number that has no document. A no-op is a document of the segment, so that the history has every
 * number. `isRecorded` false: the translog has it already.
 */
export function applyNoop(
  state: EngineState,
  { seqNo, primaryTerm }: { readonly seqNo: number; readonly primaryTerm: number },
  isRecorded = true,
): void {
  assertOpen(state);
  state.writer.add({ kind: "noop", id: "", seqNo, primaryTerm, version: 1, fields: [] });
  const operation: Operation = {
    kind: "noop",
    id: "",
    routing: undefined,
    source: undefined,
    seqNo,
    primaryTerm,
    version: 1,
  };
  if (isRecorded) record(state, operation);
  else state.tracker.markProcessed(seqNo);
}

/** Parses the document of an operation by the copy's mapping. */
export type ParseOperation = (operation: Operation) => ParsedDocument;

/**
 * Applies an operation that a primary has ordered: from replication, a recovery, or the own translog. An operation
 * that was processed before has no effect, which makes resent messages harmless.
 *
 * `isRecorded` false: the translog has it already.
 */
export function applyOperation(
  state: EngineState,
  operation: Operation,
  parse: ParseOperation,
  isRecorded = true,
): void {
  assertOpen(state);
  const { seqNo, primaryTerm } = operation;
  if (state.tracker.hasProcessed(seqNo)) return;
  state.tracker.advanceMaxSeqNo(seqNo);
  if (operation.kind === "noop") {
    applyNoop(state, { seqNo, primaryTerm }, isRecorded);
    return;
  }
  // All updates and deletes up to `maxSeqNoOfUpdates` are processed, and this number, not processed yet, is higher:
  // no operation on its id was or will be below it (`InternalEngine.planIndexingAsNonPrimary`).
  const canAppend =
    operation.kind === "index" && state.maxSeqNoOfUpdates <= state.tracker.processedCheckpoint;
  const current = canAppend ? undefined : lookUp(state, operation.id);
  // INV-ENGINE-1. A stale operation is kept as history, and is not live.
  const isStale = current !== undefined && current.seqNo > seqNo;
  if (operation.kind === "index") {
    const parsed = parse(operation);
    if (isStale) addStale(state, operation, parsed);
    else {
      const failure = addDocument(state, operation, parsed, canAppend);
      // The primary has indexed it: a copy that cannot differs from it, and fails.
      if (failure !== undefined) throw failure;
    }
  } else addTombstone(state, operation, isStale);
  if (!isStale) replace(state, current);
  if (isRecorded) record(state, operation);
  else state.tracker.markProcessed(seqNo);
}

/**
 * Appends the current batch of operations to the translog and begins a new one. Returns the bytes of the batch, which
 * replicas receive unchanged; the bytes are valid until the next operation.
 */
export function closeBatch(state: EngineState): Uint8Array {
  const bytes = state.batch.bytes();
  if (state.batchSeqNos.length > 0) {
    state.translog.append(bytes, state.batchSeqNos);
    state.batchSeqNos = [];
  }
  state.batch.clear();
  return bytes;
}

/** Puts an operation into the running batch and marks it as processed; it is persisted when the translog is synced. */
function record(state: EngineState, operation: Operation): void {
  state.batch.add(operation);
  state.batchSeqNos.push(operation.seqNo);
  state.tracker.markProcessed(operation.seqNo);
}

/**
 * Adds a document to the indexing buffer, as the newest on its id. Returns the problem of a document that cannot be
 * indexed.
 */
function addDocument(
  state: EngineState,
  operation: Operation,
  parsed: ParsedDocument,
  isNew: boolean,
): OperationError | undefined {
  const { id, routing, seqNo, primaryTerm, version } = operation;
  const { source } = parsed;
  let doc: number;
  try {
    doc = state.writer.add({
      kind: "index",
      id,
      routing,
      seqNo,
      primaryTerm,
      version,
      source,
      fields: parsed.fields,
      children: parsed.children,
    });
  } catch (error) {
    if (error instanceof OperationError) return error;
    if (error instanceof UnindexableError)
      return new OperationError(state.options.onUnforeseen(error.cause));
    throw error;
  }
  // The document is newer than the delete. In the buffer it is found by the version map, unless it is only appended.
  if (state.tombstones.size > 0) state.tombstones.delete(id);
  // While no look-ups happen, appended documents are not mapped one by one: a look-up refreshes first
  // (`unmappedDocs`).
  if (isNew && !state.isSafeAccess) {
    // The last known operation may be a delete of the id.
    if (state.versions.size > 0) state.versions.delete(id);
    state.unmappedDocs += 1;
    return undefined;
  }
  const atMs = 0;
  state.heldBytes += 200 + id.length + (source?.length ?? 0);
  state.versions.set(id, {
    version,
    seqNo,
    primaryTerm,
    isDeleted: false,
    doc,
    source,
    routing,
    atMs,
  });
  return undefined;
}

/** Adds a document that a newer operation has replaced already: as history, deleted at once. */
function addStale(state: EngineState, operation: Operation, parsed: ParsedDocument): void {
  const { id, routing, seqNo, primaryTerm, version } = operation;
  const doc = state.writer.add({
    kind: "index",
    id,
    routing,
    seqNo,
    primaryTerm,
    version,
    source: parsed.source,
    fields: parsed.fields,
    children: parsed.children,
  });
  state.writer.delete(doc);
}

/** Adds a delete to the buffer, as history, and to the version map unless a newer operation is known. */
function addTombstone(state: EngineState, operation: Operation, isStale = false): void {
  const { id, seqNo, primaryTerm, version } = operation;
  const doc = state.writer.add({ kind: "delete", id, seqNo, primaryTerm, version, fields: [] });
  if (isStale) return;
  const atMs = state.options.clock.monotonicMs();
  state.heldBytes += 200 + id.length;
  state.tombstones.delete(id);
  state.versions.set(id, {
    version,
    seqNo,
    primaryTerm,
    isDeleted: true,
    doc,
    source: undefined,
    routing: undefined,
    atMs,
  });
}

/**
 * Deletes the version before: in the buffer at once, in a segment with the next refresh, since segments are shared
 * with searches.
 */
function replace(state: EngineState, current: FoundVersion | undefined): void {
  if (current === undefined || current.isDeleted) return;
  if (current.segment === undefined) {
    assert(current.entry !== undefined, "a found document is in the buffer or in a segment");
    state.writer.delete(current.doc);
    return;
  }
  const { name } = current.segment;
  const pending = state.pendingDeletes.get(name);
  if (pending === undefined) state.pendingDeletes.set(name, [current.doc]);
  else pending.push(current.doc);
}
