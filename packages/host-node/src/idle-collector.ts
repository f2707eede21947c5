/**
 * A full collection of garbage after a burst: the engine collects when something is allocated, so a heap that one large request filled
 * stays as large as it was while nothing happens.
 *
 * Each thread has a heap of its own, and calls `collectWhenIdle`. A collection takes place when the thread was idle for a whole interval
 * and its heap is much larger than after the last one; a heap whose content is in use is thus collected once.
 */
import v8 from "node:v8";
import vm from "node:vm";

const INTERVAL_MS = 5000;

/** Share of an interval in which an idle thread may work: heartbeats and probes of health go on. */
const IDLE_UTILIZATION = 0.1;

/** Growth of a heap that is worth a collection: both. */
const GROWTH_FACTOR = 1.3;
const GROWTH_BYTES = 48 * 1024 * 1024;

export interface Heap {
  /** Reserved for objects, and for what they hold outside of the heap. */
  bytes(): number;
  /** Between 0 and 1, since the last call. */
  utilization(): number;
  collect(): void;
}

/** As long as the thread lives. */
export function collectWhenIdle(): void {
  setInterval(createIdleCollector(createHeap()), INTERVAL_MS).unref();
}

/** To be called at the end of each interval. */
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

/** The engine gives its collector only to contexts that are made after the flag was set. */
function collector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as (options: object) => void;
  return () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
}
