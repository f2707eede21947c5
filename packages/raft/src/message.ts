/**
 * Construction of messages, the classes of message kinds, and the ids that are no nodes: `none` and the storage
 * targets.
 */
import { emptyBytes } from "@orrery/stdx";
import type { Entry, Message, MessageKind } from "./types.ts";

/** The id of no node. */
export const none = 0;
/** Target of MsgStorageAppend and sender of its response. */
export const localAppendThread: number = Number.MAX_SAFE_INTEGER;
/** Target of MsgStorageApply and sender of its response. */
export const localApplyThread: number = Number.MAX_SAFE_INTEGER - 1;

/** All kinds, in the order of etcd's wire numbers (0, 1, 2, …). */
export const messageKinds: readonly MessageKind[] = [
  "MsgHup",
  "MsgBeat",
  "MsgProp",
  "MsgApp",
  "MsgAppResp",
  "MsgVote",
  "MsgVoteResp",
  "MsgSnap",
  "MsgHeartbeat",
  "MsgHeartbeatResp",
  "MsgUnreachable",
  "MsgSnapStatus",
  "MsgCheckQuorum",
  "MsgTransferLeader",
  "MsgTimeoutNow",
  "MsgReadIndex",
  "MsgReadIndexResp",
  "MsgPreVote",
  "MsgPreVoteResp",
  "MsgStorageAppend",
  "MsgStorageAppendResp",
  "MsgStorageApply",
  "MsgStorageApplyResp",
  "MsgForgetLeader",
];

const noEntries: readonly Entry[] = [];
const noMessages: readonly Message[] = [];

/** A message with the fields given; all others are zero, empty or undefined. */
export function newMessage(fields: Partial<Message> & { readonly kind: MessageKind }): Message {
  return {
    kind: fields.kind,
    to: fields.to ?? none,
    from: fields.from ?? none,
    term: fields.term ?? 0,
    logTerm: fields.logTerm ?? 0,
    index: fields.index ?? 0,
    commit: fields.commit ?? 0,
    vote: fields.vote ?? none,
    reject: fields.reject ?? false,
    rejectHint: fields.rejectHint ?? 0,
    entries: fields.entries ?? noEntries,
    snapshot: fields.snapshot,
    context: fields.context,
    responses: fields.responses ?? noMessages,
  };
}

/** An entry that a leader has yet to give a term and an index. */
export function newProposal(data: Uint8Array): Entry {
  return { kind: "EntryNormal", term: 0, index: 0, data };
}

/** The first entry of a new leader, and the replacement of a refused configuration change. */
export const emptyProposal: Entry = newProposal(emptyBytes);

/** Whether the id is a storage target instead of a node. */
export function isLocalTarget(id: number): boolean {
  return id === localAppendThread || id === localApplyThread;
}

const localKinds: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "MsgHup",
  "MsgBeat",
  "MsgUnreachable",
  "MsgSnapStatus",
  "MsgCheckQuorum",
  "MsgStorageAppend",
  "MsgStorageAppendResp",
  "MsgStorageApply",
  "MsgStorageApplyResp",
]);

/** Whether the kind is only for messages of a node's own driver or storage. */
export function isLocalKind(kind: MessageKind): boolean {
  return localKinds.has(kind);
}

const responseKinds: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "MsgAppResp",
  "MsgVoteResp",
  "MsgHeartbeatResp",
  "MsgUnreachable",
  "MsgReadIndexResp",
  "MsgPreVoteResp",
  "MsgStorageAppendResp",
  "MsgStorageApplyResp",
]);

/** Whether the kind answers an earlier message, or reports its fate. */
export function isResponseKind(kind: MessageKind): boolean {
  return responseKinds.has(kind);
}
