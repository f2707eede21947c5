/**
 * Admission of requests to shards, like the product's thread pools (`ThreadPool`, `OpenSearchThreadPoolExecutor`): so
 * many are under way, so many wait, and one more is rejected before any of it is read.
 *
 * Shard workers have no threads to count. A search holds its worker while it runs, so few are handed over at a time,
 * but enough that the worker never waits for the next. A write mostly waits for its copies and its disk, so all
 * admitted writes are handed over. Requests that were handed over above the pool's size count as queued. Requests
 * between nodes that carry out an admitted write (replication, recovery, checkpoints) are never rejected.
 */
import type { Settings } from "@orrery/cluster-state";
import { actionOfEach, actions } from "@orrery/protocol";
import { createPool, type Pool, type PoolCounts, type Problem } from "@orrery/stdx";
import { textSetting } from "./config.ts";

type PoolName = "search" | "write" | "get";

const poolOf: ReadonlyMap<string, PoolName> = new Map([
  [actions.statisticsPhase, "search"],
  [actions.queryPhase, "search"],
  [actions.fetchPhase, "search"],
  [actions.queryScroll, "search"],
  [actions.fetchScroll, "search"],
  [actions.createContext, "search"],
  [actions.bulkShard, "write"],
  [actions.getShard, "get"],
]);

/** Searches at the shard workers at a time, however small the pool: a small one ends before the next could arrive. */
const AHEAD = 16;

interface Shape {
  readonly size: number;
  readonly queueSize: number;
  /** Whether work of this kind occupies its worker until it ends. */
  readonly holdsWorker: boolean;
  /** The product's class names of the work and of the executor, for the rejection. */
  readonly work: string;
  readonly executor: string;
}

const EXECUTORS = "org.opensearch.common.util.concurrent";

function shapes(processors: number): Readonly<Record<PoolName, Shape>> {
  return {
    search: {
      size: Math.floor((processors * 3) / 2) + 1,
      queueSize: 1000,
      holdsWorker: true,
      work: `${EXECUTORS}.TimedRunnable`,
      executor: "QueueResizableOpenSearchThreadPoolExecutor",
    },
    write: {
      size: processors,
      queueSize: 10_000,
      holdsWorker: false,
      work: "org.opensearch.action.support.replication.TransportWriteAction$1",
      executor: "OpenSearchThreadPoolExecutor",
    },
    get: {
      size: processors,
      queueSize: 1000,
      holdsWorker: false,
      work: "org.opensearch.action.ActionRunnable$2",
      executor: "OpenSearchThreadPoolExecutor",
    },
  };
}

export interface ThreadPoolsOptions<T> {
  readonly nodeName: string;
  readonly processors: number;
  /** `thread_pool.<name>.size` and `.queue_size`. */
  readonly settings: Settings;
  readonly start: (work: T) => void;
  /** The number of shards that the work is for; each takes one place. */
  readonly placesOf: (work: T) => number;
}

/** A pool that also makes the problem of a request that it rejects. */
export interface AdmittingPool<T> extends Pool<T> {
  /** The problem of a rejected request; `number` stands for the identity of the work in the message. */
  rejection(number: number): Problem;
}

export interface ThreadPools<T> {
  /** The pool of an action; `undefined`: it is never rejected. */
  of(action: string): AdmittingPool<T> | undefined;
  /** The counts of each pool by name, as `_nodes/stats/thread_pool` reports them. */
  counts(): Readonly<Record<PoolName, PoolCounts>>;
}

export function createThreadPools<T>(options: ThreadPoolsOptions<T>): ThreadPools<T> {
  const all = shapes(options.processors);
  const pools = {
    search: poolFor(options, "search", all.search),
    write: poolFor(options, "write", all.write),
    get: poolFor(options, "get", all.get),
  };
  return {
    of(action) {
      const name = poolOf.get(actionOfEach.get(action) ?? action);
      // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
      return name === undefined ? undefined : pools[name];
    },
    counts: () => ({
      search: pools.search.counts(),
      write: pools.write.counts(),
      get: pools.get.counts(),
    }),
  };
}

function poolFor<T>(
  { nodeName, settings, start, placesOf }: ThreadPoolsOptions<T>,
  name: PoolName,
  shape: Shape,
): AdmittingPool<T> {
  const size = intSetting(settings, `thread_pool.${name}.size`, shape.size);
  const queueSize = intSetting(settings, `thread_pool.${name}.queue_size`, shape.queueSize);
  const startedAtMost = shape.holdsWorker ? Math.max(size, AHEAD) : Infinity;
  const pool = createPool<T>({ size, queueSize, startedAtMost, start, placesOf });
  return {
    ...pool,
    rejection(number) {
      const { active, queue, largest, completed } = pool.counts();
      const work = `${shape.work}@${number.toString(16)}`;
      const state = `Running, pool size = ${largest}, active threads = ${active}, queued tasks = ${queue}, completed tasks = ${completed}`;
      const executor = `${EXECUTORS}.${shape.executor}@${name.length.toString(16)}[${state}]`;
      const reason = `rejected execution of ${work} on ${shape.executor}[name = ${nodeName}/${name}, queue capacity = ${queueSize}, ${executor}]`;
      return { type: "rejected_execution_exception", reason, status: 429 };
    },
  };
}

/** Settings were verified before the node started. */
function intSetting(settings: Settings, key: string, otherwise: number): number {
  const given = textSetting(settings, key);
  return given === undefined ? otherwise : Number(given);
}
