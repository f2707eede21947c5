/** At most so many tasks a node at once; the others wait their turn. */
import type { NodeId } from "@orrery/stdx";

export type RunOnNode = <T>(nodeId: NodeId | undefined, task: () => Promise<T>) => Promise<T>;

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
      // The place is handed on, not freed and taken again: nobody can slip in between.
      const next = waiting.get(nodeId)?.shift();
      if (next) next();
      else running.set(nodeId, (running.get(nodeId) ?? 1) - 1);
    }
  };
}
