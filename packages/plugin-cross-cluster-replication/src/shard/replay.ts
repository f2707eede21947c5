/**
 * The follower's primary applies operations in the leader's order, with the leader's sequence numbers and versions,
 * under its own primary term, and replicates them like any write. Source: `TransportReplayChangesAction`.
 *
 * INV-FOLLOW-1: a follower has the leader's operations without a gap.
 */
import {
  applyOperation,
  closeBatch,
  encodeOperations,
  engineOf,
  guarded,
  illegalState,
  parserOf,
  readHistory,
  readRecords,
  replicateOperations,
  type EngineState,
  type Operation,
  type ShardCopy,
} from "@orrery/shard-worker";
import { OperationError } from "@orrery/stdx";
import { LEADER_INDEX_SETTING } from "../names.ts";
import { ReplayRequest, ReplayResponse } from "../messages.ts";

/** Applies a batch and returns the copy's checkpoints. An empty batch only asks for them. */
export async function serveReplay(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { operations: sent } = readRecords(ReplayRequest.decode(payload).operations);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    const engine = engineOf(copy);
    if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
    if (sent.length === 0) return answer(copy, engine, "");
    checkFollows(copy);
    // A batch whose predecessor has not arrived is not applied; the checkpoint in the response tells the sender to
    // send it again.
    const isEarly = (sent[0]?.seqNo ?? 0) > engine.tracker.processedCheckpoint + 1;
    if (isEarly) return answer(copy, engine, "");
    const applied = apply(copy, engine, sent);
    if (applied.operations.length > 0) {
      await replicateOperations(copy, encodeOperations(applied.operations));
    }
    return answer(copy, engine, applied.mappingProblem);
  } finally {
    release();
  }
}

/**
 * Once the marker setting is gone, this primary assigns sequence numbers to clients' writes, so no operation of the
 * leader may be applied.
 */
function checkFollows(copy: ShardCopy): void {
  if (copy.service.metadata.settings[LEADER_INDEX_SETTING] !== undefined) return;
  const reason = `[${copy.index}] is not a follower index`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

interface Applied {
  /** Operations to replicate; ends before the first document that does not fit the mapping. */
  readonly operations: readonly Operation[];
  readonly mappingProblem: string;
}

/** Applies operations in order until one does not fit the mapping. */
function apply(copy: ShardCopy, engine: EngineState, sent: readonly Operation[]): Applied {
  const first = sent[0]?.seqNo ?? 0;
  const last = sent.at(-1)?.seqNo ?? -1;
  const isKnown = sent.some(({ seqNo }) => engine.tracker.hasProcessed(seqNo));
  // A replica must hold the very operation of this copy, including its primary term, so known ones are replicated as
  // they are here.
  const known = new Map(
    isKnown
      ? guarded(engine, () => readHistory(engine, first, last)).map((one) => [one.seqNo, one])
      : [],
  );
  const operations: Operation[] = [];
  // The batch does not say which operations only add documents, so every operation must look up its id, on replicas
  // as well.
  engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, last);
  let mappingProblem = "";
  guarded(engine, () => {
    for (const one of sent) {
      const operation = known.get(one.seqNo) ?? { ...one, primaryTerm: copy.primaryTerm };
      mappingProblem = mappingProblemOf(copy, engine, operation);
      if (mappingProblem !== "") break;
      operations.push(operation);
    }
    closeBatch(engine);
  });
  return { operations, mappingProblem };
}

/**
 * Applies one operation. Returns the mapping problem of a document that needs a newer mapping; nothing of it has then
 * been applied.
 */
function mappingProblemOf(copy: ShardCopy, engine: EngineState, operation: Operation): string {
  if (operation.kind !== "index" || engine.tracker.hasProcessed(operation.seqNo)) {
    applyOperation(engine, operation, parserOf(copy));
    return "";
  }
  try {
    // Parsing precedes the engine's use of the sequence number: a number that was used without an operation would be
    // a gap.
    const parsed = parserOf(copy)(operation);
    applyOperation(engine, operation, () => parsed);
    return "";
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { type, reason, status } = error.problem;
    if (type === "mapper_exception" || status === 400) return reason ?? type;
    throw error;
  }
}

function answer(copy: ShardCopy, engine: EngineState, mappingProblem: string): Uint8Array {
  return ReplayResponse.encode({
    localCheckpoint: engine.tracker.processedCheckpoint,
    globalCheckpoint: copy.tracker.globalCheckpoint,
    mappingVersion: copy.service.metadata.mappingVersion,
    mappingProblem,
    leaderHistoryUuid: engine.copiedHistoryUuid ?? "",
  }).finish();
}
