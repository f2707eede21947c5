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
} from "@orrery/cluster-state";
import { Proposal, SnapshotData, type AppliedTask } from "@orrery/protocol";
import { assert } from "@orrery/stdx";

/** Tasks remembered; far more than are submitted within the time anybody retries one. */
const tasksKept = 4096;

export interface AppliedLog {
  readonly state: ClusterState;
  readonly index: number;
  /** Term of the last applied entry. */
  readonly term: number;
  find(taskId: string): AppliedTask | undefined;
  apply(entry: { readonly index: number; readonly term: number; readonly data: Uint8Array }): void;
  snapshot(): Uint8Array;
  restore(snapshot: {
    readonly index: number;
    readonly term: number;
    readonly data: Uint8Array;
  }): void;
}

export function createAppliedLog(empty: ClusterState): AppliedLog {
  let state = empty;
  let index = 0;
  let term = 0;
  let tasks = new Map<string, AppliedTask>();

  const remember = (id: string): void => {
    tasks.set(id, { id, index, version: state.version });
    const [oldest] = tasks.keys();
    if (tasks.size > tasksKept && oldest !== undefined) tasks.delete(oldest);
  };

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
    find: (taskId) => tasks.get(taskId),
    apply(entry) {
      assert(entry.index === index + 1 || index === 0, `entry ${entry.index} after ${index}`);
      const position = { term: entry.term, index: entry.index };
      const proposal = entry.data.length === 0 ? undefined : Proposal.decode(entry.data);
      // An entry is applied as a whole or not at all: from here on nothing throws.
      if (proposal !== undefined) {
        for (const id of proposal.taskIds)
          assert(!tasks.has(id), `task [${id}] is in the log twice`);
        state = applyEntry(state, decodeEntry(proposal.entry), position);
      }
      ({ term, index } = position);
      proposal?.taskIds.forEach(remember);
    },
    snapshot: () => encodeSnapshotData(state, [...tasks.values()]),
    restore(snapshot) {
      const data = SnapshotData.decode(snapshot.data);
      state = decodeState(data.state);
      tasks = new Map(data.appliedTasks.map((task) => [task.id, task]));
      index = snapshot.index;
      term = snapshot.term;
    },
  };
}

export function encodeSnapshotData(
  state: ClusterState,
  appliedTasks: readonly AppliedTask[],
): Uint8Array {
  return SnapshotData.encode({ state: encodeState(state), appliedTasks }).finish();
}

export function encodeProposal(entry: LogEntry, taskIds: readonly string[]): Uint8Array {
  return Proposal.encode({ entry: encodeEntry(entry), taskIds }).finish();
}
