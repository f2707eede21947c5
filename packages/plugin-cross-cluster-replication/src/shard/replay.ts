/**
 * A follower's primary takes operations in the leader's order, with the leader's sequence numbers and versions, under its own
 * primary term; its replicas get them as they get any write. Source: `TransportReplayChangesAction`.
 *
 * INV-FOLLOW-1: what a follower has are the leader's operations without a gap.
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

/** Without operations: how far the copy is. */
export async function serveReplay(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { operations: sent } = readRecords(ReplayRequest.decode(payload).operations);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    const engine = engineOf(copy);
    if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
    if (sent.length === 0) return answer(copy, engine, "");
    checkFollows(copy);
    // Not yet: a batch that comes before this one is still on its way.
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

/** Once the marker is gone clients give out sequence numbers here: nothing of the leader may come in between. */
function checkFollows(copy: ShardCopy): void {
  if (copy.service.metadata.settings[LEADER_INDEX_SETTING] !== undefined) return;
  const reason = `[${copy.index}] is not a follower index`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

interface Applied {
  /** For the replicas; stops before a document that does not fit the mapping. */
  readonly operations: readonly Operation[];
  readonly mappingProblem: string;
}

function apply(copy: ShardCopy, engine: EngineState, sent: readonly Operation[]): Applied {
  const first = sent[0]?.seqNo ?? 0;
  const last = sent.at(-1)?.seqNo ?? -1;
  const isKnown = sent.some(({ seqNo }) => engine.tracker.hasProcessed(seqNo));
  // A replica must hold the very operation that this copy holds, term included.
  const known = new Map(
    isKnown
      ? guarded(engine, () => readHistory(engine, first, last)).map((one) => [one.seqNo, one])
      : [],
  );
  const operations: Operation[] = [];
  // Nobody has said which of them only add documents: every one is looked up, here and on replicas.
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

/** The leader's mapping may be ahead of the one here: then nothing of this operation was applied. */
function mappingProblemOf(copy: ShardCopy, engine: EngineState, operation: Operation): string {
  if (operation.kind !== "index" || engine.tracker.hasProcessed(operation.seqNo)) {
    applyOperation(engine, operation, parserOf(copy));
    return "";
  }
  try {
    // Before the engine takes the number: a number that is taken and has no operation is a gap.
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
