/**
 * Indexing pressure: bytes of the writes that this node coordinates, and their limit. A write above the limit is
 * rejected with 429 before it is parsed or forwarded. Source: `IndexingPressure`, `IndexRequest.ramBytesUsed`.
 */
import { OperationError } from "@orrery/stdx";
import type { WriteItem } from "./types.ts";

/** The counter of bytes that one node's writes hold, against the node's limit. */
export interface IndexingPressure {
  /**
   * Counts the bytes and returns the release function, which the caller invokes exactly once, when the writes have
   * ended. Throws 429 `rejected_execution_exception` when the limit would be exceeded.
   */
  admit(operationBytes: number): () => void;
  counts(): IndexingPressureCounts;
}

/** Bytes in progress, bytes since the start, number of rejections, and the limit. */
export interface IndexingPressureCounts {
  readonly currentBytes: number;
  readonly totalBytes: number;
  readonly rejections: number;
  readonly limitBytes: number;
}

/** A counter whose limit is read from `limitBytes` once, when it is first needed. */
export function createIndexingPressure(limitBytes: () => number): IndexingPressure {
  let limit: number | undefined;
  let currentBytes = 0;
  let totalBytes = 0;
  let rejections = 0;
  return {
    admit(operationBytes) {
      limit ??= limitBytes();
      if (currentBytes + operationBytes > limit) {
        rejections += 1;
        throw rejected(currentBytes, operationBytes, limit);
      }
      currentBytes += operationBytes;
      totalBytes += operationBytes;
      return () => {
        currentBytes -= operationBytes;
      };
    },
    counts: () => ({ currentBytes, totalBytes, rejections, limitBytes: (limit ??= limitBytes()) }),
  };
}

/** Bytes that the product counts for an index request without its texts. */
const REQUEST_BYTES = 128;

/** Bytes that one write counts: those of its source, id and request object. */
export function bytesOfWrite({ id, source }: Pick<WriteItem, "id" | "source">): number {
  return REQUEST_BYTES + source.length + (id === undefined ? 0 : bytesOfText(id));
}

/**
 * Bytes of a Java string: an object of 24 bytes plus an array with a header of 16, both padded to a multiple of 8.
 * Source: `RamUsageEstimator.sizeOf`.
 */
function bytesOfText({ length }: string): number {
  return 24 + ((16 + length + 7) & ~7);
}

function rejected(current: number, operation: number, limit: number): OperationError {
  const counts = `coordinating_and_primary_bytes=${current}, replica_bytes=0, all_bytes=${current}`;
  const reason = `rejected execution of coordinating operation [${counts}, coordinating_operation_bytes=${operation}, max_coordinating_and_primary_bytes=${limit}]`;
  return new OperationError({ type: "rejected_execution_exception", reason, status: 429 });
}
