/** The limit `max_concurrent_shard_requests`: a queue of tasks per node. */
import type { NodeId } from "@orrery/stdx";

/** Runs a task when the node has a free slot. A task without a node (`undefined`) runs at once. */
export type RunOnNode = <T>(nodeId: NodeId | undefined, task: () => Promise<T>) => Promise<T>;

/** A limiter with `limit` slots per node. Waiting tasks start in FIFO order. */
export function perNodeLimit(limit: number): RunOnNode {
  const running = new Map<NodeId, number>();
  const waiting = new Map<NodeId, (() => void)[]>();
  return async (nodeId, task) => {
    if (nodeId === undefined) return task();
    if ((running.get(nodeId) ?? 0) >= limit) {
      await new Promise<void>((resolve) => {
        const queue = waiting.get(nodeId) ?? [];
        queue.push(resolve);
        waiting.set(nodeId, queue);
      });
    } else {
      running.set(nodeId, (running.get(nodeId) ?? 0) + 1);
    }
    try {
      return await task();
    } finally {
      // A finished task passes its slot directly to the next one, so that no new task can overtake the queue.
      const next = waiting.get(nodeId)?.shift();
      if (next) next();
      else running.set(nodeId, (running.get(nodeId) ?? 1) - 1);
    }
  };
}
