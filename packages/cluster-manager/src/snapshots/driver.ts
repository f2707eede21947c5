/**
 * The driver of snapshots, deletions and restores for one term (`SnapshotsService.applyClusterState`): after each applied
 * state it begins the work that is due (`due-work.ts`) and not under way.
 *
 * INV-SNAP-6: all progress is in the replicated state, and every piece of work ends with a task, so the driver of the
 * next term continues where this one stopped. Work is keyed and may be repeated; reducers ignore outcomes that come late.
 */
import type { ClusterState, RestoreEntry, Task } from "@orrery/cluster-state";
import { blobProblem } from "@orrery/repository";
import { OperationError, unreachable, type Problem } from "@orrery/stdx";
import { notElected } from "../problems.ts";
import type { SnapshotDeps } from "./deps.ts";
import { abandonedCleanups, dueWork, keyOf, type SnapshotWork } from "./due-work.ts";
import { carryOut, finalize, type RepositoryWorkContext } from "./repository-work.ts";
import { abortShard, cloneOneShard, RETRY_MS, snapshotShard } from "./shard-work.ts";
import { createSnapshotTrace } from "./trace.ts";

/** Number of outcomes kept of each kind, for clients that wait or ask after the entry has left the state. */
const REMEMBERED = 256;

export interface SnapshotDriver {
  applied(state: ClusterState): void;
  /** Waits for an applied state that satisfies `reached`. Rejects when the term ends before. */
  until(reached: (state: ClusterState) => boolean): Promise<ClusterState>;
  /** Why the snapshot failed in this term; undefined when it did not, or that was forgotten. */
  failureOf(uuid: string): Problem | undefined;
  /** Why the last deletion of the snapshot failed in this term; undefined when it did not, or that was forgotten. */
  deletionFailureOf(uuid: string): Problem | undefined;
  /** The final entry of a restore that ended in this term; undefined for others, or when it was forgotten. */
  restored(uuid: string): RestoreEntry | undefined;
  end(): void;
}

/** The driver, which begins the work that is due in the state of its creation. */
export function createSnapshotDriver(deps: SnapshotDeps): SnapshotDriver {
  const { host } = deps;
  const running = new Set<string>();
  const outcomes = createOutcomes();
  const restores = new Map<string, RestoreEntry>();
  const waits = createStateWaits(deps.applied);
  const trace = createSnapshotTrace(host.trace);
  let isEnded = false;
  const context: RepositoryWorkContext = { deps, isEnded: () => isEnded, ...outcomes };

  /** Begins work unless work of its key is under way. Due work is computed again when it ends, since its task may have made more due. */
  const begin = (work: SnapshotWork): void => {
    const key = keyOf(work);
    if (running.has(key)) return;
    running.add(key);
    const ended = (): void => {
      running.delete(key);
      if (!isEnded) beginDueWork();
    };
    run(context, work).then(ended, (error: unknown) => {
      // A lost term, or a rejected task: the work is still due in the state, and is begun again after a pause, by the next
      // elected cluster manager if this term has ended. Other errors are bugs.
      const isLost = error instanceof OperationError || isEnded;
      if (!isLost) throw error;
      host.log("warn", `snapshot work [${key}] was not finished: ${blobProblem(error).reason}`);
      running.delete(key);
      if (!isEnded) host.clock.setTimer(RETRY_MS, () => !isEnded && beginDueWork());
    });
  };

  const beginDueWork = (): void => {
    for (const work of dueWork(deps.applied())) {
      // The task removes the entry, which is the only record of how the restore ended.
      if (work.kind === "finish-restore") remember(restores, work.entry.uuid, work.entry);
      begin(work);
    }
  };

  // Once, at the beginning of the term: later clean-ups in the state are those of this cluster manager, and running.
  const endCleanups = (): void => abandonedCleanups(deps.applied()).forEach(begin);
  endCleanups();
  beginDueWork();

  return {
    applied(state) {
      trace(state);
      // Before the waits: a request that is answered by this state must find the outcome that `beginDueWork` remembers.
      beginDueWork();
      waits.reconsider(state);
    },
    until: waits.until,
    failureOf: outcomes.failureOf,
    deletionFailureOf: outcomes.deletionFailureOf,
    restored: (uuid) => restores.get(uuid),
    end() {
      isEnded = true;
      waits.end();
    },
  };
}

type Outcomes = Pick<SnapshotDriver, "failureOf" | "deletionFailureOf"> &
  Pick<RepositoryWorkContext, "rememberFailure" | "rememberDeletion">;

/** Failures of snapshots and of deletions, by the uuid of the snapshot. */
function createOutcomes(): Outcomes {
  const failures = new Map<string, Problem>();
  const deletionFailures = new Map<string, Problem>();
  return {
    failureOf: (uuid) => failures.get(uuid),
    deletionFailureOf: (uuid) => deletionFailures.get(uuid),
    rememberFailure: (uuid, problem) => remember(failures, uuid, problem),
    rememberDeletion: (uuid, problem) => {
      if (problem === undefined) deletionFailures.delete(uuid);
      else remember(deletionFailures, uuid, problem);
    },
  };
}

/** Carries out one piece of work; resolves when its task is applied. */
function run(context: RepositoryWorkContext, work: SnapshotWork): Promise<void> {
  const { deps } = context;
  switch (work.kind) {
    case "follow-repositories":
      return submit(deps, { kind: "follow-repositories" });
    case "snapshot-shard":
      return snapshotShard(context, work);
    case "clone-shard":
      return cloneOneShard(context, work);
    case "abort-shard":
      return abortShard(context, work);
    case "finalize":
      return finalize(context, work.entry);
    case "delete":
      return carryOut(context, work.deletion);
    case "finish-restore":
      return submit(deps, { kind: "finish-restore", uuid: work.entry.uuid });
    case "finish-cleanup":
      return submit(deps, { kind: "finish-repository-cleanup", uuid: work.uuid });
    default:
      return unreachable(work);
  }
}

async function submit(deps: SnapshotDeps, task: Task): Promise<void> {
  await deps.submit(task);
}

/** Sets a value, and forgets the oldest beyond the limit. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= REMEMBERED) break;
    map.delete(old);
  }
}

/** Waits for states. */
interface StateWaits {
  readonly until: SnapshotDriver["until"];
  reconsider(state: ClusterState): void;
  /** Rejects all waits, present and future. */
  end(): void;
}

/** Requests that wait for an applied state of this term. */
function createStateWaits(applied: () => ClusterState): StateWaits {
  const waiters = new Set<{
    readonly reached: (state: ClusterState) => boolean;
    readonly resolve: (state: ClusterState) => void;
    readonly reject: (error: OperationError) => void;
  }>();
  const lost = (): OperationError => notElected("node is no longer cluster-manager");
  let isEnded = false;
  return {
    until: (reached) =>
      new Promise((resolve, reject) => {
        if (isEnded) reject(lost());
        else if (reached(applied())) resolve(applied());
        else waiters.add({ reached, resolve, reject });
      }),
    reconsider(state) {
      for (const waiter of [...waiters]) {
        if (!waiter.reached(state)) continue;
        waiters.delete(waiter);
        waiter.resolve(state);
      }
    },
    end() {
      isEnded = true;
      for (const { reject } of waiters) reject(lost());
      waiters.clear();
    },
  };
}
