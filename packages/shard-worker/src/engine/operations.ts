/**
 * Index, delete and no-op on one copy: versions checked (primary) or ordered by sequence number (everyone else), the
 * buffer and the version map updated, the record put into the running batch.
 *
 * INV-ENGINE-1: of two operations on one id the one with the higher seqNo wins, in whatever order they arrive.
 */
import type { ParsedDocument } from "@orrery/query";
import { UnindexableError } from "@orrery/segment";
import { assert, OperationError } from "@orrery/stdx";
import type { Operation } from "../translog/record.ts";
import { findConflict, nextVersion } from "./conflict.ts";
import { assertOpen } from "./failure.ts";
import { lookUp } from "./lookup.ts";
import type { EngineState, FoundVersion, WriteCondition, WriteOutcome } from "./types.ts";

export interface PrimaryIndex {
  readonly id: string;
  readonly routing: string | undefined;
  /** As sent. */
  readonly source: Uint8Array;
  readonly parsed: ParsedDocument;
  readonly condition: WriteCondition;
  /** The id was made for this document, and this is the first time it comes. */
  readonly isNew: boolean;
}

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
  if (current !== undefined) state.maxSeqNoOfUpdates = seqNo;
  const failure = addDocument(state, operation, input.parsed, input.isNew);
  if (failure !== undefined) {
    // The number is taken: a no-op fills its place on every copy.
    applyNoop(state, { seqNo, primaryTerm, reason: failure.problem.reason ?? "" });
    return { kind: "failed", problem: failure.problem };
  }
  replace(state, current);
  record(state, operation);
  return { kind: "done", seqNo, primaryTerm, version, wasFound };
}

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

/** Fills a sequence number that has no document. */
export function applyNoop(
  state: EngineState,
  noop: { readonly seqNo: number; readonly primaryTerm: number; readonly reason: string },
  isRecorded = true,
): void {
  assertOpen(state);
  const { seqNo, primaryTerm } = noop;
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

export type ParseOperation = (operation: Operation) => ParsedDocument;

/**
 * An operation that a primary has ordered: from replication, from a recovery, or from the own translog (`isRecorded`
 * false: it is there already).
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
    applyNoop(state, { seqNo, primaryTerm, reason: "" }, isRecorded);
    return;
  }
  const canAppend =
    operation.kind === "index" && state.maxSeqNoOfUpdates <= state.tracker.processedCheckpoint;
  const current = canAppend ? undefined : lookUp(state, operation.id);
  const isStale = current !== undefined && current.seqNo > seqNo;
  if (operation.kind === "index") {
    const parsed = parse(operation);
    if (isStale) addStale(state, operation, parsed);
    else {
      const failure = addDocument(state, operation, parsed, canAppend);
      if (failure !== undefined) throw failure;
    }
  } else addTombstone(state, operation, isStale);
  if (!isStale) replace(state, current);
  if (isRecorded) record(state, operation);
  else state.tracker.markProcessed(seqNo);
}

/** Hands the running batch to the translog. Returns its bytes, valid until the next operation. */
export function closeBatch(state: EngineState): Uint8Array {
  const bytes = state.batch.bytes();
  if (state.batchSeqNos.length > 0) {
    state.translog.append(bytes, state.batchSeqNos);
    state.batchSeqNos = [];
  }
  state.batch.clear();
  return bytes;
}

function record(state: EngineState, operation: Operation): void {
  state.batch.add(operation);
  state.batchSeqNos.push(operation.seqNo);
  state.tracker.markProcessed(operation.seqNo);
}

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
  if (state.tombstones.size > 0) state.tombstones.delete(id);
  if (isNew && !state.isSafeAccess) {
    // A delete of it may be what is known last.
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

/** What was the newest document is so no more. */
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
