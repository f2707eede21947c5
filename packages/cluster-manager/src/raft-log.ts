/**
 * Raft's log over the node store: what is durable is mirrored in memory, where Raft reads it.
 *
 * Contract: `save` calls `done` when everything saved so far is durable, in the order of the calls. A commit index
 * alone is not worth a write: it is learned again after a restart, so it goes with the next write. The exception is
 * a configuration change (`saveCommit`): a voter that forgot it is one could not take part in the election it learns from.
 */
import {
  nodeIdName,
  nodeNameName,
  type NodeStore,
  type StoreBatch,
  type StoredNode,
} from "@orrery/ports";
import {
  decodeHardState,
  decodeSnapshot,
  decodeStoredEntry,
  encodeHardState,
  encodeSnapshot,
  encodeStoredEntry,
} from "@orrery/protocol";
import {
  createMemoryStorage,
  type ConfState,
  type HardState,
  type MemoryStorage,
  type Message,
  type Snapshot,
} from "@orrery/raft";
import { utf8Decode, utf8Encode, type NodeId } from "@orrery/stdx";

/** Entries kept behind a snapshot, so that a node which is a little late needs no snapshot. */
const entriesKept = 256;
const raftIdName = "raft_id";

export interface RaftLog {
  readonly storage: MemoryStorage;
  /** The entries, hard state and snapshot of a `MsgStorageAppend`. */
  save(message: Message, done: () => void): void;
  /** Makes durable that everything up to here is committed. */
  saveCommit(index: number): void;
  /** Of the state after the entry at `index`; older entries go. */
  saveSnapshot(index: number, confState: ConfState, data: Uint8Array): void;
  /** Ends when all that was saved is durable. */
  flush(): Promise<void>;
}

/** What a node's store says about its past. */
export interface StoredMember {
  /** 0: it never had one. */
  readonly raftId: number;
  readonly snapshot: Snapshot | undefined;
  readonly stored: StoredNode;
}

/** 0: it never had one. */
export function readRaftId({ values }: StoredNode): number {
  const raftId = values.get(raftIdName);
  return raftId === undefined ? 0 : Number(utf8Decode(raftId));
}

export function readMember(stored: StoredNode): StoredMember {
  return {
    raftId: readRaftId(stored),
    snapshot: stored.snapshot === undefined ? undefined : decodeSnapshot(stored.snapshot),
    stored,
  };
}

export function saveRaftId(store: NodeStore, raftId: number): Promise<void> {
  return store.write({ values: new Map([[raftIdName, utf8Encode(String(raftId))]]) });
}

/** An empty log in place of one that lost something. */
export function startOver(
  store: NodeStore,
  node: { readonly id: NodeId; readonly name: string },
  raftId: number,
): Promise<void> {
  const values = new Map([
    [nodeIdName, utf8Encode(node.id)],
    [nodeNameName, utf8Encode(node.name)],
    [raftIdName, utf8Encode(String(raftId))],
  ]);
  return store.write({ startOver: true, values });
}

/** The log of a cluster's very first member: one snapshot, made of nothing. */
export function saveFirstSnapshot(
  store: NodeStore,
  raftId: number,
  data: Uint8Array,
): Promise<void> {
  const confState: ConfState = {
    voters: [raftId],
    learners: [],
    votersOutgoing: [],
    learnersNext: [],
    autoLeave: false,
  };
  return store.write({
    // Nobody was elected yet: the first election makes term 1.
    snapshot: encodeSnapshot({ index: 1, term: 0, confState, data }),
    hardState: encodeHardState({ term: 0, vote: 0, commit: 1 }),
    clearEntries: true,
    values: new Map([[raftIdName, utf8Encode(String(raftId))]]),
  });
}

export function openRaftLog(
  store: NodeStore,
  stored: StoredNode,
  failed: (error: unknown) => void,
): RaftLog {
  const storage = restore(stored);
  let latest: HardState = storage.initialState().hardState;
  let written = latest;
  let pendingWrites = 0;
  let lastWrite: Promise<void> = Promise.resolve();

  const write = (batch: StoreBatch, done: () => void): void => {
    pendingWrites += 1;
    written = latest;
    // What `done` throws is no failure of the store: it goes on up.
    lastWrite = store.write({ ...batch, hardState: encodeHardState(latest) }).then(() => {
      pendingWrites -= 1;
      done();
    }, failed);
  };

  return {
    storage,
    save(message, done) {
      const { entries, snapshot } = message;
      latest = hardStateOf(message) ?? latest;
      const hardState = latest;
      const complete = (): void => {
        if (snapshot !== undefined) storage.applySnapshot(snapshot);
        storage.append(entries);
        storage.setHardState(hardState);
        done();
      };
      const isVoteKept = latest.term === written.term && latest.vote === written.vote;
      if (entries.length > 0 || snapshot !== undefined || !isVoteKept) {
        const replaced =
          snapshot === undefined ? {} : { snapshot: encodeSnapshot(snapshot), clearEntries: true };
        const added = entries.map((entry) => ({
          index: entry.index,
          term: entry.term,
          bytes: encodeStoredEntry(entry),
        }));
        write(added.length === 0 ? replaced : { ...replaced, entries: added }, complete);
      } else if (pendingWrites > 0) {
        lastWrite = lastWrite.then(complete);
      } else {
        complete();
      }
    },
    saveCommit(index) {
      latest = { ...latest, commit: Math.max(latest.commit, index) };
      write({}, () => {});
    },
    saveSnapshot(index, confState, data) {
      const made = storage.createSnapshot(index, confState, data);
      if (made === "out-of-date") return;
      latest = { ...latest, commit: Math.max(latest.commit, index) };
      const compactTo = Math.max(0, index - entriesKept);
      if (compactTo >= storage.firstIndex()) storage.compact(compactTo);
      write({ snapshot: encodeSnapshot(made), compactTo }, () => {});
    },
    flush: () => lastWrite,
  };
}

function restore(stored: StoredNode): MemoryStorage {
  const storage = createMemoryStorage();
  if (stored.snapshot !== undefined) storage.applySnapshot(decodeSnapshot(stored.snapshot));
  const first = storage.firstIndex();
  const entries = stored.entries.map(decodeStoredEntry);
  storage.append(entries.filter((entry) => entry.index >= first));
  if (stored.hardState !== undefined) {
    const { term, vote, commit } = decodeHardState(stored.hardState);
    storage.setHardState({ term, vote, commit: Math.max(commit, first - 1) });
  }
  return storage;
}

/** Index of the latest snapshot; 0 before there is one. */
export function snapshotIndex({ storage }: RaftLog): number {
  const snapshot = storage.snapshot();
  return snapshot === "unavailable" ? 0 : snapshot.index;
}

function hardStateOf({ term, vote, commit }: Message): HardState | undefined {
  return term === 0 && vote === 0 && commit === 0 ? undefined : { term, vote, commit };
}
