/**
 * A single update in an index with ingest pipelines: the primary merges, this node runs the pipelines on the merged
 * document and writes it under `if_seq_no` and `if_primary_term` of the document that was merged. Source:
 * `TransportUpdateAction.shardOperation`.
 */
import { OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import type { PlannedDocument, WriteItem, WriteOptions, WriteResult } from "../types.ts";

/** Writes one item; rejects with the problem of the item. */
export type WriteOne = (item: WriteItem, options: WriteOptions) => Promise<WriteResult>;

/** Updates one document through its pipelines, and retries a version conflict up to `retryOnConflict` times. */
export async function updateThroughPipelines(
  write: WriteOne,
  item: WriteItem,
  options: WriteOptions,
): Promise<WriteResult> {
  const unwritten: WriteOptions = { ...options, refresh: "false", waitForActiveShards: "0" };
  for (let left = item.retryOnConflict ?? 0; ; left -= 1) {
    const plan = await write({ ...item, onlyPlan: true }, unwritten);
    if (plan.planned === undefined) return plan;
    try {
      const written = await write(plannedWrite(item, plan, plan.planned), options);
      return { ...written, operation: "update", get: shownDocument(plan, written) };
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
  }
}

function plannedWrite(
  item: WriteItem,
  { id, seqNo, primaryTerm }: WriteResult,
  { source, routing, exists }: PlannedDocument,
): WriteItem {
  const { index, requireAlias } = item;
  return {
    operation: exists ? "index" : "create",
    index,
    id,
    routing,
    source,
    ...(requireAlias === undefined ? {} : { requireAlias }),
    ...(exists ? { ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm } : {}),
  };
}

/**
 * The `get` object of the response: the merged document as it was before the pipelines (the product's behaviour),
 * with the sequence number under which it was written.
 */
function shownDocument(
  { get: source }: WriteResult,
  { seqNo, primaryTerm }: WriteResult,
): Uint8Array | undefined {
  if (source === undefined || seqNo < 0) return undefined;
  const head = `{"_seq_no":${seqNo},"_primary_term":${primaryTerm},"found":true`;
  return utf8Encode(`${head},"_source":${utf8Decode(source)}}`);
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof OperationError && error.problem.type === "version_conflict_engine_exception"
  );
}
