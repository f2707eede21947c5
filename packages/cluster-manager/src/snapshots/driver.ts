/**
 * Drives snapshots, deletions and restores for one term: does whatever each applied state asks for (`due-work.ts`) that is not being
 * done. Nothing is remembered that the state does not say, so the next manager goes on where this one stopped (INV-SNAP-6).
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

/** How work ended that clients may still ask about. */
const REMEMBERED = 256;

export interface SnapshotDriver {
  applied(state: ClusterState): void;
  /** Rejects when the term ends before. */
  until(reached: (state: ClusterState) => boolean): Promise<ClusterState>;
  /** Why a snapshot came to nothing in this term. */
  failureOf(uuid: string): Problem | undefined;
  /** Why the last deletion of a snapshot came to nothing in this term. */
  deletionFailureOf(uuid: string): Problem | undefined;
  /** How a restore ended in this term. */
  restored(uuid: string): RestoreEntry | undefined;
  end(): void;
}

export function createSnapshotDriver(deps: SnapshotDeps): SnapshotDriver {
  const { host } = deps;
  const running = new Set<string>();
  const outcomes = createOutcomes();
  const restores = new Map<string, RestoreEntry>();
  const waits = createStateWaits(deps.applied);
  const trace = createSnapshotTrace(host.trace);
  let isEnded = false;
  const context: RepositoryWorkContext = { deps, isEnded: () => isEnded, ...outcomes };

  /** Once at a time by key; looks again afterwards, unless the term is over. */
  const begin = (work: SnapshotWork): void => {
    const key = keyOf(work);
    if (running.has(key)) return;
    running.add(key);
    const over = (): void => {
      running.delete(key);
      if (!isEnded) look();
    };
    run(context, work).then(over, (error: unknown) => {
      // What the state asked for it asks for again, of whoever is elected then.
      const isLost = error instanceof OperationError || isEnded;
      if (!isLost) throw error;
      host.log("warn", `snapshot work [${key}] was not finished: ${blobProblem(error).reason}`);
      running.delete(key);
      if (!isEnded) host.clock.setTimer(RETRY_MS, () => !isEnded && look());
    });
  };

  const look = (): void => {
    for (const work of dueWork(deps.applied())) {
      if (work.kind === "finish-restore") remember(restores, work.entry.uuid, work.entry);
      begin(work);
    }
  };

  const endCleanups = (): void => abandonedCleanups(deps.applied()).forEach(begin);
  endCleanups();
  look();

  return {
    applied(state) {
      trace(state);
      look();
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

/** Failures of snapshots and of deletions, each by the uuid of the snapshot. */
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

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= REMEMBERED) break;
    map.delete(old);
  }
}

interface StateWaits {
  readonly until: SnapshotDriver["until"];
  reconsider(state: ClusterState): void;
  /** Rejects those that wait, and those that come. */
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
