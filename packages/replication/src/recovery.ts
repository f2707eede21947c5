/**
 * The decisions of a peer recovery: its stages, operations or files, which files, in which chunks.
 *
 * The conversation between source and target is asynchronous code of the shard worker. Source: `RecoveryState`,
 * `RecoverySourceHandler`, `Store.MetadataSnapshot`.
 */
import { assert } from "@orrery/stdx";
import { UNASSIGNED_SEQ_NO } from "./seq-no.ts";

/**
 * The stages in their order. INDEX: files are copied or found in place. VERIFY_INDEX: they are checked. TRANSLOG:
 * operations are replayed. FINALIZE: the target becomes in-sync.
 */
export const recoveryStages = [
  "INIT",
  "INDEX",
  "VERIFY_INDEX",
  "TRANSLOG",
  "FINALIZE",
  "DONE",
] as const;
export type RecoveryStage = (typeof recoveryStages)[number];

/**
 * Returns `next`, and asserts that it may follow `stage`: the next stage in order, the same stage again, or `INIT`, which
 * restarts the recovery.
 */
export function moveTo(stage: RecoveryStage, next: RecoveryStage): RecoveryStage {
  const isNext = recoveryStages.indexOf(next) === recoveryStages.indexOf(stage) + 1;
  assert(
    isNext || next === "INIT" || next === stage,
    `can't move recovery to stage [${next}]. current stage: [${stage}]`,
  );
  return next;
}

/** The state of target and source by which the source decides how the target recovers. */
export interface RecoveryOffer {
  /**
   * The first operation that the target lacks: the local checkpoint of its safe commit + 1; -2 (`UNASSIGNED_SEQ_NO`)
   * without a usable commit.
   */
  readonly startingSeqNo: number;
  /** Whether the target's commit has the history uuid of the source. */
  readonly hasSameHistory: boolean;
  /** The lowest sequence number from which the source still has every operation. */
  readonly sourceHistoryFrom: number;
  /** The first number that the target's peer-recovery lease retains; `undefined` without a lease. */
  readonly leaseRetainsFrom: number | undefined;
  readonly sourceMaxSeqNo: number;
  /**
   * Primary term of the target's operation before `startingSeqNo`; `undefined` when the target no longer has that
   * operation.
   */
  readonly targetTerm: number | undefined;
  /** Primary term of the source's operation of that number; `undefined` when it is not known. */
  readonly sourceTerm: number | undefined;
}

/**
 * Operation-based when every condition holds, else file-based.
 *
 * 1. The target has a usable commit, of the same history. Otherwise equal sequence numbers may be different
 *    operations.
 * 2. The target's last operation is one of the source's; it counts as such if one of the two terms is not known. This
 *    condition is a deviation from OpenSearch: a primary whose disk lost synced operations would keep a target that has
 *    more than it has, or other operations.
 * 3. The source has every operation from `startingSeqNo` on, and the target's lease retains them, so that no merge or
 *    trim drops them while the recovery runs.
 */
export function planRecovery(offer: RecoveryOffer): "operations" | "files" {
  const { startingSeqNo, leaseRetainsFrom, targetTerm, sourceTerm } = offer;
  const isKnownToDiffer =
    startingSeqNo > offer.sourceMaxSeqNo + 1 ||
    (targetTerm !== undefined && sourceTerm !== undefined && targetTerm !== sourceTerm);
  const isOperationBased =
    startingSeqNo !== UNASSIGNED_SEQ_NO &&
    offer.hasSameHistory &&
    !isKnownToDiffer &&
    offer.sourceHistoryFrom <= startingSeqNo &&
    leaseRetainsFrom !== undefined &&
    leaseRetainsFrom <= startingSeqNo;
  return isOperationBased ? "operations" : "files";
}

/** A file of a commit. */
export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}

/** The source's files, divided by whether the target has them. Both lists are in the source's order. */
export interface FileDiff {
  readonly identical: readonly StoredFile[];
  /** Files that the target lacks or has with other contents. */
  readonly toSend: readonly StoredFile[];
}

/** Compares by name, length and checksum. Files that only the target has are not listed. */
export function diffFiles(source: readonly StoredFile[], target: readonly StoredFile[]): FileDiff {
  const existing = new Map(target.map((file) => [file.name, file]));
  const isIdentical = (file: StoredFile): boolean => {
    const other = existing.get(file.name);
    return other?.sizeBytes === file.sizeBytes && other.checksum === file.checksum;
  };
  return {
    identical: source.filter(isIdentical),
    toSend: source.filter((file) => !isIdentical(file)),
  };
}

/** A part of a file; offset and length in bytes. */
export interface FileChunk {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly isLast: boolean;
}

/** Chunks in order of file and offset. An empty file is one empty chunk, so that the target creates it. */
export function chunksOf(files: readonly StoredFile[], chunkBytes: number): FileChunk[] {
  return files.flatMap(({ name, sizeBytes }) => {
    const count = Math.max(1, Math.ceil(sizeBytes / chunkBytes));
    return Array.from({ length: count }, (_, i) => ({
      name,
      offset: i * chunkBytes,
      length: Math.min(chunkBytes, sizeBytes - i * chunkBytes),
      isLast: i === count - 1,
    }));
  });
}

/** Milliseconds that `bytes` take at the given rate; 0 for no limit, which a rate of 0 or less means. */
export function throttleMs(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond <= 0 ? 0 : (bytes / bytesPerSecond) * 1000;
}
