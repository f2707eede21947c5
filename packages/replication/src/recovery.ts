/**
 * Decisions of a recovery: its stages, operations or files, which files, in which chunks.
 *
 * The conversation itself is asynchronous code of the shard worker. Source: `RecoveryState`, `RecoverySourceHandler`.
 */
import { assert } from "@orrery/stdx";
import { UNASSIGNED_SEQ_NO } from "./seq-no.ts";

export const recoveryStages = [
  "INIT",
  "INDEX",
  "VERIFY_INDEX",
  "TRANSLOG",
  "FINALIZE",
  "DONE",
] as const;
export type RecoveryStage = (typeof recoveryStages)[number];

/** The stage after the move. Stages follow each other; going back to `INIT` is a retry. */
export function moveTo(stage: RecoveryStage, next: RecoveryStage): RecoveryStage {
  const isNext = recoveryStages.indexOf(next) === recoveryStages.indexOf(stage) + 1;
  assert(
    isNext || next === "INIT" || next === stage,
    `can't move recovery to stage [${next}]. current stage: [${stage}]`,
  );
  return next;
}

export interface RecoveryOffer {
  /** What the target has: its safe commit's local checkpoint + 1, or −2. */
  readonly startingSeqNo: number;
  readonly hasSameHistory: boolean;
  /** The lowest sequence number from which the source still has every operation. */
  readonly sourceHistoryFrom: number;
  /** What the target's peer lease retains; `undefined` without one. */
  readonly leaseRetainsFrom: number | undefined;
  readonly sourceMaxSeqNo: number;
  /** Primary term of the target's operation before `startingSeqNo`; `undefined` when the target no longer has it. */
  readonly targetTerm: number | undefined;
  /** The same of the source. */
  readonly sourceTerm: number | undefined;
}

/**
 * Operation-based when every condition holds, else file-based. A deviation from the source: the target's last operation must be one of
 * the source's. A primary whose disk lost what it had synced would keep a target that has more than it, or something else.
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

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}

export interface FileDiff {
  readonly identical: readonly StoredFile[];
  /** To be sent: what the target lacks or has otherwise. */
  readonly toSend: readonly StoredFile[];
}

/** By name, length and checksum. */
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

export interface FileChunk {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly isLast: boolean;
}

/** In order of file and offset; an empty file is one empty chunk. */
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

/** How long to wait so that `bytes` more stay within the rate; 0 or less bytes a second: no limit. */
export function throttleMs(bytes: number, bytesPerSecond: number): number {
  return bytesPerSecond <= 0 ? 0 : (bytes / bytesPerSecond) * 1000;
}
