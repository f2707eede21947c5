/**
 * The cluster state as the committed log makes it, and which submitted tasks it already holds.
 *
 * INV-COORD-3: at equal log index every node has the same state and the same memory of tasks. INV-COORD-4: a
 * submitted task is in the log at most once; an elected cluster manager asks `find` before it takes one.
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

/** Tasks remembered; far more than are submitted within the time anybody retries one. */
const tasksKept = 4096;

export interface AppliedLog {
  readonly state: ClusterState;
  readonly index: number;
  /** Term of the last applied entry. */
  readonly term: number;
  /** Entries that were passed over in making the state, also by whoever made the snapshot that it began with. */
  readonly skipped: readonly Position[];
  find(taskId: string): AppliedTask | undefined;
  apply(entry: { readonly index: number; readonly term: number; readonly data: Uint8Array }): void;
  /** In place of `apply`. */
  passOver(position: Position): void;
  /** As it was before anything was applied. */
  reset(): void;
  snapshot(): Uint8Array;
  restore(snapshot: {
    readonly index: number;
    readonly term: number;
    readonly data: Uint8Array;
  }): void;
}

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
      // An entry is applied as a whole or not at all: from here on nothing throws.
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

export function encodeSnapshotData(
  state: ClusterState,
  appliedTasks: readonly AppliedTask[],
  skipped: readonly Position[] = [],
): Uint8Array {
  return SnapshotData.encode({ state: encodeState(state), appliedTasks, skipped }).finish();
}

export function encodeProposal(entry: LogEntry, taskIds: readonly string[]): Uint8Array {
  return Proposal.encode({ entry: encodeEntry(entry), taskIds }).finish();
}
