/** Generated from proto/recovery.proto. */
import type { RetentionLeases } from "./replication.js";
import type { Message } from "@orrery/stdx/codec";

export interface RecoveryFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: number;
}
export const RecoveryFile: Message<RecoveryFile>;

export interface StartRecoveryRequest {
  readonly indexUuid: string;
  readonly shard: number;
  readonly sourceAllocationId: string;
  readonly targetNodeId: string;
  readonly targetAllocationId: string;
  readonly recoveryId: number;
  readonly startingSeqNo: number;
  readonly historyUuid: string;
  readonly files: readonly RecoveryFile[];
  readonly isPrimaryRelocation: boolean;
  readonly stateVersion: number;
  readonly asksAboutHandoff: boolean;
  readonly lastTerm: number;
}
export const StartRecoveryRequest: Message<StartRecoveryRequest>;

export interface StartRecoveryResponse {
  readonly wasOperationBased: boolean;
  readonly phase1Ms: number;
  readonly phase2Ms: number;
  readonly operations: number;
}
export const StartRecoveryResponse: Message<StartRecoveryResponse>;

export interface RecoveryHeader {
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly recoveryId: number;
}
export const RecoveryHeader: Message<RecoveryHeader>;

export interface FilesInfoRequest {
  readonly header: RecoveryHeader | null;
  readonly toSend: readonly RecoveryFile[];
  readonly existing: readonly RecoveryFile[];
  readonly totalOperations: number;
}
export const FilesInfoRequest: Message<FilesInfoRequest>;

export interface FileChunkRequest {
  readonly header: RecoveryHeader | null;
  readonly name: string;
  readonly offset: number;
  readonly content: Uint8Array;
  readonly isLast: boolean;
  readonly sourceThrottleMs: number;
}
export const FileChunkRequest: Message<FileChunkRequest>;

export interface CleanFilesRequest {
  readonly header: RecoveryHeader | null;
  readonly commit: Uint8Array;
  readonly globalCheckpoint: number;
}
export const CleanFilesRequest: Message<CleanFilesRequest>;

export interface PrepareOperationsRequest {
  readonly header: RecoveryHeader | null;
  readonly totalOperations: number;
}
export const PrepareOperationsRequest: Message<PrepareOperationsRequest>;

export interface RecoverOperationsRequest {
  readonly header: RecoveryHeader | null;
  readonly operations: Uint8Array;
  readonly totalOperations: number;
  readonly maxSeqNoOfUpdates: number;
  readonly maxUnsafeAutoIdMs: number;
  readonly mappingVersion: number;
  readonly leases: RetentionLeases | null;
  readonly primaryTerm: number;
}
export const RecoverOperationsRequest: Message<RecoverOperationsRequest>;

export interface FinalizeRecoveryRequest {
  readonly header: RecoveryHeader | null;
  readonly globalCheckpoint: number;
  readonly trimAboveSeqNo: number;
}
export const FinalizeRecoveryRequest: Message<FinalizeRecoveryRequest>;

export interface HandoffRequest {
  readonly header: RecoveryHeader | null;
  readonly context: PrimaryContext | null;
  readonly leases: RetentionLeases | null;
  readonly primaryTerm: number;
}
export const HandoffRequest: Message<HandoffRequest>;

export interface PrimaryContext {
  readonly stateVersion: number;
  readonly globalCheckpoint: number;
  readonly copies: readonly CopyContext[];
}
export const PrimaryContext: Message<PrimaryContext>;

export interface CopyContext {
  readonly allocationId: string;
  readonly localCheckpoint: number;
  readonly globalCheckpoint: number;
  readonly inSync: boolean;
  readonly tracked: boolean;
}
export const CopyContext: Message<CopyContext>;

export interface RecoveryStepResponse {
  readonly localCheckpoint: number;
}
export const RecoveryStepResponse: Message<RecoveryStepResponse>;
