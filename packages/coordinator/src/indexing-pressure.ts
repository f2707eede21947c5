/**
 * How many bytes of writes this node coordinates at the same time, and the most it may: what would be above it is refused before
 * anything is made of it. Source: `IndexingPressure`, `IndexRequest.ramBytesUsed`.
 */
import { OperationError } from "@orrery/stdx";
import type { WriteItem } from "./types.ts";

export interface IndexingPressure {
  /** Throws `rejected_execution_exception`, 429. What it returns is called when the writes are over. */
  admit(operationBytes: number): () => void;
  counts(): IndexingPressureCounts;
}

export interface IndexingPressureCounts {
  readonly currentBytes: number;
  readonly totalBytes: number;
  readonly rejections: number;
  readonly limitBytes: number;
}

/** `limitBytes` is asked for once, when it is needed first. */
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

/** Of a request as the product keeps it, without its texts. */
const REQUEST_BYTES = 128;

export function bytesOfWrite({ id, source }: Pick<WriteItem, "id" | "source">): number {
  return REQUEST_BYTES + source.length + (id === undefined ? 0 : bytesOfText(id));
}

/** An object of 24 bytes, and an array with a head of 16, both filled up to eights. Source: `RamUsageEstimator.sizeOf`. */
function bytesOfText({ length }: string): number {
  return 24 + ((16 + length + 7) & ~7);
}

function rejected(current: number, operation: number, limit: number): OperationError {
  const counts = `coordinating_and_primary_bytes=${current}, replica_bytes=0, all_bytes=${current}`;
  const reason = `rejected execution of coordinating operation [${counts}, coordinating_operation_bytes=${operation}, max_coordinating_and_primary_bytes=${limit}]`;
  return new OperationError({ type: "rejected_execution_exception", reason, status: 429 });
}
