/** Fault that pauses one thread of a node. */
import type { FaultRow } from "./fault.ts";
import { applyToNodes } from "./rule-faults.ts";
import { drawThread, threadKeys, type ThreadChoice } from "./threads.ts";

export interface ThreadPause extends ThreadChoice {
  readonly kind: "thread-pause";
}

export const threadPause: FaultRow<ThreadPause> = {
  family: "node",
  says: "Pauses one thread of nodes, like a long turn of the program: a shard worker is paused while its node answers health checks, or the reverse.",
  keys: threadKeys,
  needs: ["thread-pause"],
  draw: drawThread,
  inject: ({ node: given, thread }, world) =>
    applyToNodes(world, given, (node) => ({ kind: "thread-pause", node, thread })),
};
