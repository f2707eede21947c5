/**
 * The applied log: the cluster state that the committed entries produce, and the ids of submitted tasks in them.
 *
 * INV-COORD-3: at equal log index every node has the same state and the same memory of task ids. INV-COORD-4: a
 * submitted task is in the log at most once; an elected cluster manager calls `find` before it enqueues one. The
 * memory of ids is part of Raft's snapshots, because a new elected cluster manager must recognise a task that a former
 * one committed and a client retries (client sessions, Raft thesis section 6.3).
 */
import {
  applyEntry,
  decodeEntry,
  decodeState,
  encodeEntry,
  encodeState,
  type ClusterState,
  type LogEntry,
  type Rules,
} from "@orrery/cluster-state";
import { Proposal, SnapshotData, type AppliedTask } from "@orrery/protocol";
import { assert } from "@orrery/stdx";
import type { Position } from "./quarantine.ts";

/** Task ids kept, the latest ones: far more than are submitted while any client still retries one. */
const tasksKept = 4096;

/** State machine of the replicated log. `apply`, `passOver` and `restore` are called in log order. */
export interface AppliedLog {
  readonly state: ClusterState;
  /** Index of the last applied entry; 0 before the first. */
  readonly index: number;
  /** Term of the last applied entry. */
  readonly term: number;
  /** Entries skipped on the way to this state, including those skipped by the maker of the snapshot it was restored from. */
  readonly skipped: readonly Position[];
  /** Index and version at which the task was applied; undefined when it was not, or its id was forgotten. */
  find(taskId: string): AppliedTask | undefined;
  /** Throws, and changes nothing, when the entry cannot be decoded or applied. */
  apply(entry: { readonly index: number; readonly term: number; readonly data: Uint8Array }): void;
  /** Advances the index over an entry without applying it, by an operator's decision. */
  passOver(position: Position): void;
  /** Returns to the empty state, for a node whose store turned out to be older than what it acknowledged. */
  reset(): void;
  /** Encoded state, task ids and skipped entries, for a Raft snapshot. */
  snapshot(): Uint8Array;
  restore(snapshot: {
    readonly index: number;
    readonly term: number;
    readonly data: Uint8Array;
  }): void;
}

/** The log of a node that has applied nothing: `empty` is the initial state, `rules` those of its reducers. */
export function createAppliedLog(empty: ClusterState, rules: Rules): AppliedLog {
  let state = empty;
  let index = 0;
  let term = 0;
  let tasks = new Map<string, AppliedTask>();
  let skipped: readonly Position[] = [];

  const remember = (id: string): void => {
    tasks.set(id, { id, index, version: state.version });
    const [oldest] = tasks.keys();
    if (tasks.size > tasksKept && oldest !== undefined) tasks.delete(oldest);
  };

  const checkNext = (next: number): void =>
    assert(next === index + 1 || index === 0, `entry ${next} after ${index}`);

  return {
    get state() {
      return state;
    },
    get index() {
      return index;
    },
    get term() {
      return term;
    },
    get skipped() {
      return skipped;
    },
    find: (taskId) => tasks.get(taskId),
    passOver(position) {
      checkNext(position.index);
      ({ term, index } = position);
      skipped = [...skipped, { index, term }];
    },
    reset() {
      state = empty;
      index = 0;
      term = 0;
      tasks = new Map();
      skipped = [];
    },
    apply(entry) {
      checkNext(entry.index);
      const position = { term: entry.term, index: entry.index };
      const proposal = entry.data.length === 0 ? undefined : Proposal.decode(entry.data);
      // Every call that can throw comes before the first assignment, so an entry that fails leaves the log as it was. Entries
      // without data are configuration changes and the first entry of each term.
      if (proposal !== undefined) {
        for (const id of proposal.taskIds)
          assert(!tasks.has(id), `task [${id}] is in the log twice`);
        state = applyEntry(state, decodeEntry(proposal.entry), position, rules);
      }
      ({ term, index } = position);
      proposal?.taskIds.forEach(remember);
    },
    snapshot: () => encodeSnapshotData(state, [...tasks.values()], skipped),
    restore(snapshot) {
      const data = SnapshotData.decode(snapshot.data);
      state = decodeState(data.state);
      tasks = new Map(data.appliedTasks.map((task) => [task.id, task]));
      skipped = data.skipped.map(({ index: at, term: of }) => ({ index: at, term: of }));
      index = snapshot.index;
      term = snapshot.term;
    },
  };
}

/** Data of a Raft snapshot: `SnapshotData` of `publication.proto`. */
export function encodeSnapshotData(
  state: ClusterState,
  appliedTasks: readonly AppliedTask[],
  skipped: readonly Position[] = [],
): Uint8Array {
  return SnapshotData.encode({ state: encodeState(state), appliedTasks, skipped }).finish();
}

/** Data of a Raft entry: the tasks with their routing delta, and the ids of those that were submitted under one. */
export function encodeProposal(entry: LogEntry, taskIds: readonly string[]): Uint8Array {
  return Proposal.encode({ entry: encodeEntry(entry), taskIds }).finish();
}
