/** Raft: one member of a consensus group as a state machine without timers, threads, sockets or chance. */
export {
  confChangesFromText,
  confChangeV1,
  confChangeV2,
  decodeConfChange,
  encodeConfChange,
} from "./conf-change.ts";
export {
  describeEntries,
  describeEntry,
  describeMessage,
  describeReady,
  type EntryFormatter,
} from "./describe.ts";
export { emptyConfState, createMemoryStorage } from "./memory-storage.ts";
export {
  isLocalTarget,
  localAppendThread,
  localApplyThread,
  messageKinds,
  newMessage,
  none,
} from "./message.ts";
export { createRawNode } from "./raw-node.ts";
export { noLimit } from "./entry-size.ts";
export type {
  BasicStatus,
  ConfChange,
  ConfChangeSingle,
  ConfChangeTransition,
  ConfChangeType,
  ConfChangeV1,
  ConfChangeV2,
  ConfState,
  Config,
  Configuration,
  Entry,
  EntryKind,
  HardState,
  InitialState,
  LogGap,
  Logger,
  MemoryStorage,
  Message,
  MessageKind,
  ProgressState,
  ProgressStatus,
  RawNode,
  ReadOnlyOption,
  ReadState,
  Ready,
  Role,
  Snapshot,
  SoftState,
  Status,
  StepRejection,
  StepResult,
  StorageReader,
} from "./types.ts";
