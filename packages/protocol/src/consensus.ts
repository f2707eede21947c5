/** Codecs of Raft messages, hard states, snapshots and log entries. */
import {
  messageKinds,
  newMessage,
  type ConfState,
  type Entry,
  type EntryKind,
  type HardState,
  type Message,
  type Snapshot,
} from "@orrery/raft";
import { defined, illegalArgument } from "@orrery/stdx";
import { RaftHardState, RaftMessage, RaftSnapshot } from "../generated/consensus.js";
import type { RaftConfState, RaftEntry } from "../generated/consensus.js";

export { AppliedTask, Proposal, SnapshotData } from "../generated/consensus.js";

const entryKinds: readonly EntryKind[] = ["EntryNormal", "EntryConfChange", "EntryConfChangeV2"];

/** Encodes a Raft message. */
export function encodeRaftMessage(message: Message): Uint8Array {
  const { kind, entries, snapshot, to, from, term, logTerm, index, commit, vote } = message;
  const { reject, rejectHint, context } = message;
  return RaftMessage.encode({
    to,
    from,
    term,
    logTerm,
    index,
    commit,
    vote,
    reject,
    rejectHint,
    context,
    kind: messageKinds.indexOf(kind),
    entries: entries.map(wireEntry),
    snapshot: snapshot === undefined ? undefined : wireSnapshot(snapshot),
  }).finish();
}

/** A required member of a peer's message. Its absence is the peer's fault, and no failed assertion of this node. */
function sent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw illegalArgument(`${what} is missing`);
  return value;
}

/**
 * Decodes a Raft message. Payloads of entries are views into `bytes`. Throws `OperationError` for a malformed message.
 */
export function decodeRaftMessage(bytes: Uint8Array): Message {
  const { kind, entries, snapshot, context, ...rest } = RaftMessage.decode(bytes);
  const { to, from, term, logTerm, index, commit, vote, reject, rejectHint } = rest;
  return newMessage({
    kind: sent(messageKinds[kind], `Raft message kind ${kind}`),
    to,
    from,
    term,
    logTerm,
    index,
    commit,
    vote,
    reject,
    rejectHint,
    entries: entries.map(readEntry),
    snapshot: snapshot === null ? undefined : readSnapshot(snapshot),
    context: context.length === 0 ? undefined : context,
  });
}

/** Encodes a hard state (term, vote, commit index). */
export function encodeHardState(state: HardState): Uint8Array {
  return RaftHardState.encode(state).finish();
}

export function decodeHardState(bytes: Uint8Array): HardState {
  const { term, vote, commit } = RaftHardState.decode(bytes);
  return { term, vote, commit };
}

/** Encodes a snapshot: its log position, its configuration (`confState`) and its data. */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  return RaftSnapshot.encode(wireSnapshot(snapshot)).finish();
}

export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  return readSnapshot(RaftSnapshot.decode(bytes));
}

/**
 * Encodes an entry for the node store: a byte for its kind, then its data. The store keeps index and term beside these
 * bytes.
 */
export function encodeStoredEntry(entry: Entry): Uint8Array {
  const bytes = new Uint8Array(entry.data.length + 1);
  bytes[0] = entryKinds.indexOf(entry.kind);
  bytes.set(entry.data, 1);
  return bytes;
}

/** Decodes an entry of the node store; its data is a view into the stored bytes. */
export function decodeStoredEntry(stored: {
  readonly index: number;
  readonly term: number;
  readonly bytes: Uint8Array;
}): Entry {
  const kind = defined(entryKinds[stored.bytes[0] ?? -1], "kind of a stored entry");
  return { kind, term: stored.term, index: stored.index, data: stored.bytes.subarray(1) };
}

function wireEntry(entry: Entry): RaftEntry {
  return { ...entry, kind: entryKinds.indexOf(entry.kind) };
}

function readEntry({ kind, term, index, data }: RaftEntry): Entry {
  return { kind: sent(entryKinds[kind], `entry kind ${kind}`), term, index, data };
}

function wireSnapshot({ index, term, confState, data }: Snapshot): RaftSnapshot {
  return { index, term, confState, data };
}

function readSnapshot({ index, term, confState, data }: RaftSnapshot): Snapshot {
  return { index, term, confState: readConfState(confState), data };
}

function readConfState(state: RaftConfState | null): ConfState {
  const { voters, learners, votersOutgoing, learnersNext, autoLeave } = sent(
    state ?? undefined,
    "configuration of a snapshot",
  );
  return { voters, learners, votersOutgoing, learnersNext, autoLeave };
}
