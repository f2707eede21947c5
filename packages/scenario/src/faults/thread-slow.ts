/** Fault that delays all events of one thread of a node. */
import { duration, or } from "../shape.ts";
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";
import { drawThread, threadKeys, type ThreadChoice } from "./threads.ts";

export interface ThreadSlow extends ThreadChoice {
  readonly kind: "thread-slow";
  readonly byMs: number;
}

export const threadSlow: FaultRow<ThreadSlow> = {
  family: "node",
  says: "Slows down one thread of nodes: a shard worker lags behind the cluster state of the main thread, or the main thread forwards messages late.",
  keys: { ...threadKeys, byMs: or(duration, 5, "delay of each event") },
  needs: ["thread-slow"],
  draw: (scene) => ({ ...drawThread(scene), byMs: scene.ms(1, 40) }),
  inject: ({ node: given, thread, byMs: delayMs }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "thread-slow", node, thread, delayMs })),
};
