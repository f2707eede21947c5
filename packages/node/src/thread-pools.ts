/**
 * What a data node admits of the requests to its shards: as the product's thread pools do, so many are under way, so many wait,
 * and one more is refused before anything of it is read. Source: `ThreadPool`, `OpenSearchThreadPoolExecutor`.
 *
 * Shard workers have no threads to count. A search holds its worker while it runs, so few of them are handed over at a time, yet
 * enough for the worker never to wait for the next; a write waits for its copies and its disk nearly all the time, so all that are
 * admitted are handed over. What is handed over above the pool's size is reported as waiting.
 * What one node asks of another to carry out an admitted write (copies, recoveries, checkpoints) is never refused.
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

/** So many searches are at the shard workers at a time, however small the pool: small ones are over before the next could come. */
const AHEAD = 16;

interface Shape {
  readonly size: number;
  readonly queueSize: number;
  /** Whether work of this kind keeps its worker busy until it is done. */
  readonly holdsWorker: boolean;
  /** What the product's message calls the work, and the executor it came to. */
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
  /** One for each shard that the work is for. */
  readonly placesOf: (work: T) => number;
}

export interface AdmittingPool<T> extends Pool<T> {
  /** What a request is told that was refused; `number`: of the request, as the work's identity. */
  rejection(number: number): Problem;
}

export interface ThreadPools<T> {
  /** The pool that admits this action; `undefined`: nothing of it is ever refused. */
  of(action: string): AdmittingPool<T> | undefined;
  /** By name, as `_nodes/stats/thread_pool` reports them. */
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

/** Settings were checked before a node starts. */
function intSetting(settings: Settings, key: string, otherwise: number): number {
  const given = textSetting(settings, key);
  return given === undefined ? otherwise : Number(given);
}
