/** Past operations of a copy, in order of sequence number: what recoveries and resyncs replay. */
import { readGeneration, listGenerations } from "../translog/generation.ts";
import type { Operation } from "../translog/record.ts";
import { translogFrom } from "./commits.ts";
import { closeBatch } from "./operations.ts";
import { refresh } from "./refresh.ts";
import type { EngineState } from "./types.ts";

/**
 * Every operation in [from, to], each number once. The segments have them all from `minRetainedSeqNo` on; an index that
 * stores its documents otherwise than they were sent has them in the translog only.
 */
export function readHistory(state: EngineState, from: number, to: number): Operation[] {
  if (to < from) return [];
  return keepsSource(state) ? fromSegments(state, from, to) : fromTranslog(state, from, to);
}

/** From where on `readHistory` is complete. */
export function historyFrom(state: EngineState): number {
  if (keepsSource(state)) return state.minRetainedSeqNo;
  const [oldest] = state.commits;
  return oldest === undefined ? 0 : translogFrom(oldest);
}

/** Else segments have documents otherwise than they were sent, or not at all. */
export function keepsSource(state: EngineState): boolean {
  const setting = state.options.mapping().json["_source"];
  return setting === undefined;
}

function fromSegments(state: EngineState, from: number, to: number): Operation[] {
  closeBatch(state);
  if (!state.writer.isEmpty) refresh(state, "internal");
  const found = new Map<number, Operation>();
  for (const { reader } of state.segments) {
    if (reader.maxSeqNo < from || reader.minSeqNo > to) continue;
    for (const doc of reader.operations(from, to)) {
      const stored = reader.stored(doc);
      const { kind, id, routing, source, seqNo, primaryTerm, version } = stored;
      // A number that failed half-way is there twice: the no-op that took its place came later.
      found.set(seqNo, { kind, id, routing, source, seqNo, primaryTerm, version });
    }
  }
  return [...found.values()].toSorted((a, b) => a.seqNo - b.seqNo);
}

function fromTranslog(state: EngineState, from: number, to: number): Operation[] {
  closeBatch(state);
  const { disk, paths } = state.options;
  const { uuid } = state.translog;
  const found = new Map<number, Operation>();
  for (const generation of listGenerations(disk, paths.translog)) {
    for (const operation of readGeneration(disk, paths.translog, generation, uuid)?.operations ??
      []) {
      if (operation.seqNo < from || operation.seqNo > to) continue;
      const other = found.get(operation.seqNo);
      if (other === undefined || other.primaryTerm <= operation.primaryTerm) {
        found.set(operation.seqNo, operation);
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a.seqNo - b.seqNo);
}
