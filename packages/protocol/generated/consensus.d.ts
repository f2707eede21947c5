/** Generated from proto/consensus.proto. */
import type { Message } from "@orrery/stdx/codec";

export interface RaftMessage {
  readonly kind: number;
  readonly to: number;
  readonly from: number;
  readonly term: number;
  readonly logTerm: number;
  readonly index: number;
  readonly commit: number;
  readonly reject: boolean;
  readonly rejectHint: number;
  readonly entries: readonly RaftEntry[];
  readonly snapshot: RaftSnapshot | null;
  readonly context: Uint8Array;
  readonly vote: number;
}
export const RaftMessage: Message<RaftMessage>;

export interface RaftEntry {
  readonly kind: number;
  readonly term: number;
  readonly index: number;
  readonly data: Uint8Array;
}
export const RaftEntry: Message<RaftEntry>;

export interface RaftSnapshot {
  readonly index: number;
  readonly term: number;
  readonly confState: RaftConfState | null;
  readonly data: Uint8Array;
}
export const RaftSnapshot: Message<RaftSnapshot>;

export interface RaftConfState {
  readonly voters: readonly number[];
  readonly learners: readonly number[];
  readonly votersOutgoing: readonly number[];
  readonly learnersNext: readonly number[];
  readonly autoLeave: boolean;
}
export const RaftConfState: Message<RaftConfState>;

export interface RaftHardState {
  readonly term: number;
  readonly vote: number;
  readonly commit: number;
}
export const RaftHardState: Message<RaftHardState>;

export interface Proposal {
  readonly entry: Uint8Array;
  readonly taskIds: readonly string[];
}
export const Proposal: Message<Proposal>;

export interface SnapshotData {
  readonly state: Uint8Array;
  readonly appliedTasks: readonly AppliedTask[];
  readonly skipped: readonly SkippedEntry[];
}
export const SnapshotData: Message<SnapshotData>;

export interface SkippedEntry {
  readonly index: number;
  readonly term: number;
}
export const SkippedEntry: Message<SkippedEntry>;

export interface AppliedTask {
  readonly id: string;
  readonly index: number;
  readonly version: number;
}
export const AppliedTask: Message<AppliedTask>;
