/**
 * Garbage collection after a burst of work: the engine collects only when it allocates, so a heap that one large
 * request has filled stays large on an idle node.
 *
 * Each thread has a heap of its own and calls `collectWhenIdle`. A collection runs when the thread was idle for a
 * whole interval and its heap is much larger than after the last collection; a heap whose contents are in use is thus
 * collected once.
 */
import v8 from "node:v8";
import vm from "node:vm";

const INTERVAL_MS = 5000;

/** Share of an interval that an idle thread may work, for heartbeats and health requests. */
const IDLE_UTILIZATION = 0.1;

/** Growth of the heap that is worth a collection: both conditions hold. */
const GROWTH_FACTOR = 1.3;
const GROWTH_BYTES = 48 * 1024 * 1024;

/** The heap and the load of one thread. */
export interface Heap {
  /** Bytes reserved for objects, and for the memory outside of the heap that they own. */
  bytes(): number;
  /** Share of the time since the last call in which the event loop was busy, from 0 to 1. */
  utilization(): number;
  collect(): void;
}

/** Starts the collector of this thread, for the thread's lifetime. */
export function collectWhenIdle(): void {
  setInterval(createIdleCollector(createHeap()), INTERVAL_MS).unref();
}

/**
 * Returns the function to call at the end of each interval, which collects garbage if the thread was idle and its heap
 * has grown.
 */
export function createIdleCollector(heap: Heap): () => void {
  let keptBytes = heap.bytes();
  return () => {
    if (heap.utilization() > IDLE_UTILIZATION) return;
    if (heap.bytes() < keptBytes * GROWTH_FACTOR + GROWTH_BYTES) return;
    heap.collect();
    keptBytes = heap.bytes();
  };
}

function createHeap(): Heap {
  let before = performance.eventLoopUtilization();
  let collect: (() => void) | undefined;
  return {
    bytes() {
      const { total_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
      return heap + external;
    },
    utilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    collect() {
      collect ??= collector();
      collect();
    },
  };
}

/** The engine's `gc` function, which only contexts created after the flag was set have. */
function collector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as (options: object) => void;
  return () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
}
