/**
 * Raft's log over the node store. The durable part is mirrored in memory, where Raft reads it (`MemoryStorage`). An
 * entry appears in the mirror only when it is durable; until then Raft keeps it as unstable, and does not count it as
 * acknowledged by this member.
 *
 * Contract: `save` calls `done` when everything saved so far is durable, in the order of the calls.
 *
 * A commit index that advanced alone causes no write: after a restart it is learned again from the leader, so it goes
 * with the next write. An applied configuration change is the exception (`saveCommit`): a restarted node derives its
 * configuration from committed entries, and a voter that did not know it is one would wait for a leader that cannot be
 * elected without its vote.
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

/** Entries kept before the index of a snapshot, so that a slightly late member is sent entries instead of a snapshot. */
const entriesKept = 256;
const raftIdName = "raft_id";

/** The log of this member. A failed write is reported once, by `failed` of `openRaftLog`; `done` is not called then. */
export interface RaftLog {
  /** The durable part of the log. */
  readonly storage: MemoryStorage;
  /** Writes the entries, hard state and snapshot of a `MsgStorageAppend`. */
  save(message: Message, done: () => void): void;
  /** Writes that everything up to `index` is committed. */
  saveCommit(index: number): void;
  /** Writes a snapshot of the state after the entry at `index`, and drops entries further behind than `entriesKept`. */
  saveSnapshot(index: number, confState: ConfState, data: Uint8Array): void;
  /** Resolves when no write is under way any more. A failed write is reported by `failed` alone. */
  flush(): Promise<void>;
}

/** Raft's part of a loaded node store. */
export interface StoredMember {
  /** 0 when the node never had one. */
  readonly raftId: number;
  readonly snapshot: Snapshot | undefined;
  readonly stored: StoredNode;
}

/** The stored Raft id; 0 when the node never had one. */
export function readRaftId({ values }: StoredNode): number {
  const raftId = values.get(raftIdName);
  return raftId === undefined ? 0 : Number(utf8Decode(raftId));
}

/** Decodes Raft's part of a loaded store. */
export function readMember(stored: StoredNode): StoredMember {
  return {
    raftId: readRaftId(stored),
    snapshot: stored.snapshot === undefined ? undefined : decodeSnapshot(stored.snapshot),
    stored,
  };
}

/** Writes the Raft id beside the log; resolves when the id is durable. */
export function saveRaftId(store: NodeStore, raftId: number): Promise<void> {
  return store.write({ values: new Map([[raftIdName, utf8Encode(String(raftId))]]) });
}

/** Replaces a log that lost something by an empty one under a new Raft id, in one batch; the node's identity stays. */
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

/** Writes the log of a cluster's founder: a snapshot of the initial state, with the founder as the only voter. */
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
    // Term 0, before any election; the founder's first election makes term 1.
    snapshot: encodeSnapshot({ index: 1, term: 0, confState, data }),
    hardState: encodeHardState({ term: 0, vote: 0, commit: 1 }),
    clearEntries: true,
    values: new Map([[raftIdName, utf8Encode(String(raftId))]]),
  });
}

/** The log over a loaded store. `failed` is called when a write is rejected; nothing saved after that is durable. */
export function openRaftLog(
  store: NodeStore,
  stored: StoredNode,
  failed: (error: unknown) => void,
): RaftLog {
  const storage = restore(stored);
  /** The hard state as Raft has it, and as it was last handed to the store. */
  let latest: HardState = storage.initialState().hardState;
  let written = latest;
  let pendingWrites = 0;
  let lastWrite: Promise<void> = Promise.resolve();

  const write = (batch: StoreBatch, done: () => void): void => {
    pendingWrites += 1;
    written = latest;
    // `failed` is the second argument and no `catch` behind it: an error thrown by `done` is a bug, and no failed write.
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
      // Term and vote are written before the answer leaves (Raft figure 2): a voter that forgot its vote in a restart
      // could vote twice in a term.
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
        // Responses of a message without anything to write must not overtake those of writes under way.
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

/** The mirror of a loaded store. Entries that the snapshot covers are dropped, and its index counts as committed. */
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

/** The hard state in a `MsgStorageAppend`; all zero means unchanged. */
function hardStateOf({ term, vote, commit }: Message): HardState | undefined {
  return term === 0 && vote === 0 && commit === 0 ? undefined : { term, vote, commit };
}
